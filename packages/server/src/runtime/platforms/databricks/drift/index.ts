import { Problem } from "../../../../core/errors.ts";
import type { InstalledSettings, InstalledThing } from "../../installed-settings.ts";
import type { Platform, PlatformComparison, PlatformDifference } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError, WorkspaceError } from "../client/workspace-error.ts";
import { readPipeline } from "../pipelines/workspace-pipelines.ts";
import type { Workspaces } from "../workspaces.ts";
import { jobAdoption } from "./job-adoption.ts";
import { jobShape } from "./job-shape.ts";
import { pipelineAdoption, pipelineShape } from "./pipeline-shape.ts";
import {
  type FieldDifference,
  fieldName,
  type SettingsShape,
  settingsDifferences,
} from "./settings-difference.ts";

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
/** As many pipelines are read in one comparison; the others follow in the next ones. */
const mostPipelines = 50;

/** Compares what was installed in workspaces with what is there: one list of jobs for each workspace. */
export function createWorkspaceDrift({
  workspaces,
  installed,
  isBusy,
  mayRun,
  now,
}: DriftOptions): NonNullable<Platform["drift"]> {
  /** When pipelines were read last. */
  const readAt = new Map<string, number>();

  async function compareWorkspace(
    client: WorkspaceClient,
    environmentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, PlatformComparison>> {
    const before = now().getTime() - freshMs;
    const things = (await Promise.all(environmentIds.map((id) => installed.in(id)))).flat();
    const referencesOf = (kind: string) =>
      things.filter(({ part }) => part === kind).map(({ reference }) => reference);
    const known = new Set(referencesOf("job"));
    const isNext = new Set(
      referencesOf("pipeline")
        .sort((a, b) => (readAt.get(a) ?? 0) - (readAt.get(b) ?? 0))
        .slice(0, mostPipelines),
    );
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
      if (Date.parse(thing.installedAt) > before) return undefined;
      if (isBusy(thing.environmentId, thing.subject)) return undefined;
      if (thing.part === "pipeline") return pipelineDifferences(client, thing);
      if (thing.part !== "job") return undefined;
      const job = jobs.get(thing.reference);
      if (job) return jobDifferences(thing, job);
      return (await isGone(thing.reference)) ? [gone(thing)] : undefined;
    }

    /** A list has no specifications: pipelines are read one by one, those first that were not read for longest. */
    async function pipelineDifferences(client: WorkspaceClient, thing: InstalledThing) {
      if (!isNext.has(thing.reference)) return undefined;
      const { spec } = (await readPipeline(client, thing.reference)) ?? {};
      readAt.set(thing.reference, now().getTime());
      return spec ? differences(thing, spec, pipelineShape, pipelineAdoption) : [gone(thing)];
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
  if (!has_more) return differences(thing, settings, jobShape, jobAdoption);
  const { tasks: _, ...declared } = thing.settings;
  const { tasks: __, ...live } = settings;
  return differences({ ...thing, settings: declared }, live, jobShape, jobAdoption);
}

const differences = (
  thing: InstalledThing,
  live: Readonly<Record<string, unknown>>,
  shape: SettingsShape,
  adoption: (thing: InstalledThing, difference: FieldDifference) => PlatformDifference["adoption"],
): PlatformDifference[] =>
  settingsDifferences(thing.settings, live, shape).map((difference) => ({
    subject: thing.subject as PlatformDifference["subject"],
    name: thing.name,
    change: "changed",
    field: fieldName(difference),
    declared: difference.declared,
    live: difference.live,
    adoption: adoption(thing, difference),
  }));

const gone = ({ subject, name, part, reference }: InstalledThing): PlatformDifference => ({
  subject: subject as PlatformDifference["subject"],
  name,
  change: "gone",
  field: null,
  declared: { [`${part}_id`]: reference },
  live: null,
  adoption: {
    problem: `Its ${part} ${reference} is gone. To have none, delete "${name}" here; to have it again, revert.`,
  },
});
