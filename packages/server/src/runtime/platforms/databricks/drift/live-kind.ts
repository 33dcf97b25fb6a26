import type { InstalledThing } from "../../installed-settings.ts";
import type { PlatformDifference } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import type { FieldDifference, SettingsShape } from "./settings-difference.ts";

type Settings = InstalledThing["settings"];

/** What is there of an installed thing, and what of its settings can be compared with it. */
interface LiveSettings {
  readonly live: Settings;
  readonly declared: Settings;
}

/** Null: it is gone. Undefined: nothing is known about it now. */
type ReadLive = (thing: InstalledThing) => Promise<LiveSettings | null | undefined>;

/** How things of one kind are compared with what is in their workspace. */
export interface LiveKind {
  readonly shape: SettingsShape;
  readonly adoption: (thing: InstalledThing, difference: FieldDifference) => PlatformDifference["adoption"];
  /** Why that it is gone cannot be adopted: what to do instead. */
  readonly goneAdvice: (thing: InstalledThing) => string;
  /** Before things of one workspace are compared: reads what can be read for all of them together. */
  open(client: WorkspaceClient, things: readonly InstalledThing[], signal: AbortSignal): Promise<ReadLive>;
}

/** As many are read one by one in a comparison; the others follow in the next ones. */
const mostRead = 50;

/** Things that no list has with their settings: they are read in turn, those first that were not read for longest. */
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
