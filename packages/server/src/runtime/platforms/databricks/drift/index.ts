import { Problem } from "../../../../core/errors.ts";
import type { InstalledSettings, InstalledThing } from "../../installed-settings.ts";
import type { Platform, PlatformComparison, PlatformDifference } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { WorkspaceError } from "../client/workspace-error.ts";
import type { Workspaces } from "../workspaces.ts";
import { liveApps } from "./live-apps.ts";
import { liveEndpoints } from "./live-endpoints.ts";
import { liveJobs } from "./live-jobs.ts";
import type { LiveKind } from "./live-kind.ts";
import { livePipelines } from "./live-pipelines.ts";
import { fieldName, settingsDifferences } from "./settings-difference.ts";

interface DriftOptions {
  readonly workspaces: Workspaces;
  readonly installed: Pick<InstalledSettings, "in" | "environments">;
  /** Whether something of this resource is being changed in the workspace now. */
  readonly isBusy: (environmentId: string, subject: string) => Promise<boolean>;
  /** Whether this server is responsible for the environments. */
  readonly mayRun: () => boolean;
  readonly now: () => Date;
}

/** What was installed just now may not be in the list yet. */
const freshMs = 30_000;

/** Compares what was installed in workspaces with what is there. Things of one kind in one workspace share their requests. */
export function createWorkspaceDrift({
  workspaces,
  installed,
  isBusy,
  mayRun,
  now,
}: DriftOptions): NonNullable<Platform["drift"]> {
  const clock = () => now().getTime();
  const kinds: Readonly<Record<string, LiveKind>> = {
    job: liveJobs,
    pipeline: livePipelines(clock),
    app: liveApps,
    endpoint: liveEndpoints(clock),
  };

  /** How the things of a workspace are compared: lists are read once for all its environments. */
  async function comparer(client: WorkspaceClient, things: readonly InstalledThing[], signal: AbortSignal) {
    const readers = new Map(
      await Promise.all(
        [...Map.groupBy(things, ({ part }) => part)].map(
          async ([part, some]) => [part, await kinds[part]?.open(client, some, signal)] as const,
        ),
      ),
    );
    return async (thing: InstalledThing): Promise<PlatformDifference[] | undefined> => {
      const kind = kinds[thing.part];
      const found = await readers.get(thing.part)?.(thing);
      if (!kind || found === undefined) return undefined;
      return found ? differences(thing, kind, found) : [gone(thing, kind)];
    };
  }

  async function compareWorkspace(
    client: WorkspaceClient,
    environmentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, PlatformComparison>> {
    const before = clock() - freshMs;
    const things = (await Promise.all(environmentIds.map((id) => installed.in(id)))).flat();
    const differencesOf = await comparer(client, things, signal);
    const isDecidable = async ({ installedAt, environmentId, subject }: InstalledThing) =>
      Date.parse(installedAt) <= before && !(await isBusy(environmentId, subject));
    const result = new Map<string, PlatformComparison>();
    for (const environmentId of environmentIds) {
      const differences: PlatformDifference[] = [];
      const undecided = new Set<string>();
      // Read after the list, so that what was installed meanwhile counts as fresh.
      for (const thing of await installed.in(environmentId)) {
        const found = (await isDecidable(thing)) ? await differencesOf(thing) : undefined;
        if (found) differences.push(...found);
        else undecided.add(thing.subject);
      }
      result.set(environmentId, { differences, undecided });
    }
    return result;
  }

  return {
    environments: async () => (mayRun() ? installed.environments() : []),
    async compare(environmentIds, signal) {
      const result = new Map<string, PlatformComparison | Error>();
      const groups = new Map<string, { client: WorkspaceClient; environmentIds: string[] }>();
      for (const id of environmentIds) {
        try {
          const { key, client } = await workspaces.open(id);
          const group = groups.get(key) ?? { client, environmentIds: [] };
          group.environmentIds.push(id);
          groups.set(key, group);
        } catch (error) {
          result.set(id, errorFor(error));
        }
      }
      for (const { client, environmentIds } of groups.values()) {
        try {
          for (const found of await compareWorkspace(client, environmentIds, signal)) result.set(...found);
        } catch (error) {
          for (const id of environmentIds) result.set(id, errorFor(error));
        }
      }
      return result;
    },
  };
}

/** A failure of the workspace as an error for the caller. */
function errorFor(error: unknown): Error {
  if (!(error instanceof WorkspaceError)) return error as Error;
  const { kind, message, retryAfterSeconds = 5 } = error;
  if (kind !== "busy" && kind !== "open") return new Problem("conflict", message, { cause: error });
  return new Problem("unavailable", message, {
    retryAfterSeconds: Math.ceil(retryAfterSeconds),
    cause: error,
  });
}

const differences = (
  thing: InstalledThing,
  { shape, adoption }: LiveKind,
  { declared, live }: Readonly<Record<"declared" | "live", InstalledThing["settings"]>>,
): PlatformDifference[] =>
  settingsDifferences(declared, live, shape).map((difference) => ({
    subject: thing.subject as PlatformDifference["subject"],
    name: thing.name,
    change: "changed",
    field: fieldName(difference),
    declared: difference.declared,
    live: difference.live,
    adoption: adoption(thing, difference),
  }));

const gone = (thing: InstalledThing, { goneAdvice }: LiveKind): PlatformDifference => ({
  subject: thing.subject as PlatformDifference["subject"],
  name: thing.name,
  change: "gone",
  field: null,
  declared: { [`${thing.part}_id`]: thing.reference },
  live: null,
  adoption: { problem: `Its ${thing.part} ${thing.reference} is gone. ${goneAdvice(thing)}` },
});
