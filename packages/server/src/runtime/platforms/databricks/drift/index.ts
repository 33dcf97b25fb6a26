import { Problem } from "../../../../core/errors.ts";
import type { InstalledSettings, InstalledThing } from "../../installed-settings.ts";
import type { Platform, PlatformComparison, PlatformDifference } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError, WorkspaceError } from "../client/workspace-error.ts";
import type { Workspaces } from "../workspaces.ts";
import { jobAdoption } from "./job-adoption.ts";
import { jobShape } from "./job-shape.ts";
import { fieldName, settingsDifferences } from "./settings-difference.ts";

interface DriftOptions {
  readonly workspaces: Workspaces;
  readonly installed: InstalledSettings;
  /** Whether something of this resource is being changed in the workspace now. */
  readonly isBusy: (environmentId: string, subject: string) => boolean;
  /** Whether this server looks after the environments. */
  readonly mayRun: () => boolean;
  readonly now: () => Date;
}

interface ListedJob {
  readonly job_id?: string;
  /** Its tasks are not all in the list. */
  readonly has_more?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What was installed just now may not be in the list yet. */
const freshMs = 30_000;
/** Jobs that are not in the list are asked for one by one, as many as this. */
const mostConfirmed = 20;

/** Compares what was installed in workspaces with what is there: one list of jobs for each workspace. */
export function createWorkspaceDrift({
  workspaces,
  installed,
  isBusy,
  mayRun,
  now,
}: DriftOptions): NonNullable<Platform["drift"]> {
  async function compareWorkspace(
    client: WorkspaceClient,
    environmentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, PlatformComparison>> {
    const before = now().getTime() - freshMs;
    const known = new Set<string>();
    for (const id of environmentIds)
      for (const { part, reference } of await installed.in(id)) if (part === "job") known.add(reference);
    const jobs = known.size > 0 ? await listedJobs(client, known, signal) : new Map<string, ListedJob>();
    let confirmed = 0;

    async function isGone(reference: string): Promise<boolean> {
      confirmed += 1;
      if (confirmed > mostConfirmed) return true;
      try {
        await client.get("/api/2.2/jobs/get", { job_id: reference }, { signal });
        return false;
      } catch (error) {
        if (isWorkspaceError(error, "gone")) return true;
        throw error;
      }
    }

    async function differencesOf(thing: InstalledThing): Promise<PlatformDifference[] | undefined> {
      if (thing.part !== "job" || Date.parse(thing.installedAt) > before) return undefined;
      if (isBusy(thing.environmentId, thing.subject)) return undefined;
      const job = jobs.get(thing.reference);
      if (job) return jobDifferences(thing, job);
      if (!(await isGone(thing.reference))) return undefined;
      return [goneJob(thing)];
    }

    const result = new Map<string, PlatformComparison>();
    for (const environmentId of environmentIds) {
      const differences: PlatformDifference[] = [];
      const undecided = new Set<string>();
      // Read after the list: what was installed meanwhile is fresh.
      for (const thing of await installed.in(environmentId)) {
        const found = await differencesOf(thing);
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
    onSettled: installed.onSettled,
  };
}

/** A failure of the workspace as an error for whoever asked. */
function errorFor(error: unknown): Error {
  if (!(error instanceof WorkspaceError)) return error as Error;
  const { kind, message, retryAfterSeconds = 5 } = error;
  if (kind !== "busy" && kind !== "open") return new Problem("conflict", message, { cause: error });
  return new Problem("unavailable", message, {
    retryAfterSeconds: Math.ceil(retryAfterSeconds),
    cause: error,
  });
}

/** The jobs with these ids. A workspace has no list of some jobs: it is read by page, and others are forgotten. */
async function listedJobs(
  client: WorkspaceClient,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, ListedJob>> {
  const found = new Map<string, ListedJob>();
  const query = { limit: 100, expand_tasks: true };
  for await (const job of client.list<ListedJob>("/api/2.2/jobs/list", "jobs", query, { signal })) {
    if (job.job_id !== undefined && known.has(job.job_id)) found.set(job.job_id, job);
  }
  return found;
}

function jobDifferences(thing: InstalledThing, { settings = {}, has_more }: ListedJob): PlatformDifference[] {
  const { tasks: _, ...declared } = thing.settings;
  const { tasks: __, ...live } = settings;
  const found = has_more
    ? settingsDifferences(declared, live, jobShape)
    : settingsDifferences(thing.settings, settings, jobShape);
  return found.map((difference) => ({
    subject: thing.subject as PlatformDifference["subject"],
    name: thing.name,
    change: "changed",
    field: fieldName(difference),
    declared: difference.declared,
    live: difference.live,
    adoption: jobAdoption(thing, difference),
  }));
}

const goneJob = ({ subject, name, reference }: InstalledThing): PlatformDifference => ({
  subject: subject as PlatformDifference["subject"],
  name,
  change: "gone",
  field: null,
  declared: { job_id: reference },
  live: null,
  adoption: {
    problem: `Its job ${reference} is gone. To have none, delete "${name}" here; to have it again, revert.`,
  },
});
