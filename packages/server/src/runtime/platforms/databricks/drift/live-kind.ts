import type { InstalledThing } from "../../installed-settings.ts";
import type { PlatformDifference } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import type { FieldDifference, SettingsShape } from "./settings-difference.ts";

type Settings = InstalledThing["settings"];

/** The live settings of an installed thing, and its declared settings that can be compared with them. */
interface LiveSettings {
  readonly live: Settings;
  readonly declared: Settings;
}

/** Null: the thing is gone. Undefined: nothing is known about it now. */
type ReadLive = (thing: InstalledThing) => Promise<LiveSettings | null | undefined>;

/** How things of one kind are compared with what is in their workspace. */
export interface LiveKind {
  readonly shape: SettingsShape;
  readonly adoption: (thing: InstalledThing, difference: FieldDifference) => PlatformDifference["adoption"];
  /** What to do if the thing is gone, which cannot be adopted. */
  readonly goneAdvice: (thing: InstalledThing) => string;
  /** Called before things of one workspace are compared: reads what can be read for all of them together. */
  open(client: WorkspaceClient, things: readonly InstalledThing[], signal: AbortSignal): Promise<ReadLive>;
}

/** The most things that one comparison reads one by one; the others follow in the next comparisons. */
const mostRead = 50;

/**
 * For things whose settings are in no list: they are read in turn, those first that have not been read for the longest
 * time.
 */
export function createTurns(now: () => number) {
  const readAt = new Map<string, number>();
  return (things: readonly InstalledThing[]) => {
    const isNext = new Set(
      things
        .map(({ reference }) => reference)
        .sort((a, b) => (readAt.get(a) ?? 0) - (readAt.get(b) ?? 0))
        .slice(0, mostRead),
    );
    return ({ reference }: InstalledThing): boolean => {
      if (!isNext.has(reference)) return false;
      readAt.set(reference, now());
      return true;
    };
  };
}
