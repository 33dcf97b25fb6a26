import type { InstalledThing } from "../../installed-settings.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import { jobAdoption } from "./job-adoption.ts";
import { jobShape } from "./job-shape.ts";
import type { LiveKind } from "./live-kind.ts";

interface ListedJob {
  readonly job_id?: string;
  /** Whether the list lacks some tasks of the job. */
  readonly has_more?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The most jobs that are requested one by one because they are not in the list. */
const mostConfirmed = 20;

/** Jobs of connectors, flows and automations: one list for each workspace. */
export const liveJobs: LiveKind = {
  shape: jobShape,
  adoption: jobAdoption,
  goneAdvice: ({ name, subject }) =>
    subject.startsWith("automation/")
      ? `To have none, delete the release of "${name}" here; to have it again, revert.`
      : `To have none, delete "${name}" here; to have it again, revert.`,
  async open(client, things, signal) {
    const jobs = await listedJobs(client, new Set(things.map(({ reference }) => reference)), signal);
    let confirmed = 0;

    async function isGone({ reference }: InstalledThing): Promise<boolean> {
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

    return async (thing) => {
      const job = jobs.get(thing.reference);
      if (!job) return (await isGone(thing)) ? null : undefined;
      const { settings: live = {}, has_more } = job;
      if (!has_more) return { live, declared: thing.settings };
      return { live: withoutTasks(live), declared: withoutTasks(thing.settings) };
    };
  },
};

function withoutTasks({ tasks: _, ...settings }: Readonly<Record<string, unknown>>) {
  return settings;
}

/**
 * The jobs with these ids. The service cannot list some jobs alone: the whole list is read page by page, and other jobs
 * are ignored.
 */
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
