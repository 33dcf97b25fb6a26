import type { JobSettings } from "@lakehelm/codegen";
import type { WorkspaceClient } from "../client/client.ts";
import { numericId } from "../client/json.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import { hasMark, type Mark, type OwnThing } from "./mark.ts";
import { type TriggerFields, withPause } from "./workspace-trigger.ts";

const jobs = "/api/2.2/jobs";

interface ListedJob {
  readonly job_id?: string;
  readonly settings?: { readonly name?: string; readonly tags?: Readonly<Record<string, string>> };
}

/** The jobs with a mark. The list is filtered by the name that they were created with. */
async function marked(client: WorkspaceClient, name: string, mark: Mark): Promise<string[]> {
  const found: string[] = [];
  for await (const { job_id, settings } of client.list<ListedJob>(`${jobs}/list`, "jobs", {
    name,
    limit: 100,
  })) {
    if (job_id !== undefined && hasMark(settings?.tags, mark)) found.push(job_id);
  }
  return found;
}

interface JobAnswer {
  readonly settings?: Readonly<Record<string, unknown>> & {
    readonly tags?: Readonly<Record<string, string>>;
    readonly tasks?: readonly { readonly notebook_task?: { readonly notebook_path?: string } }[];
    readonly schedule?: object;
    readonly trigger?: object;
    readonly continuous?: object;
  };
}

/** The settings of the known job; undefined if it is gone, or if it is not ours, as in another workspace. */
export async function ownSettings(client: WorkspaceClient, { id, mark, folder }: OwnThing) {
  if (id === null) return undefined;
  try {
    const { settings = {} } = await client.get<JobAnswer>(`${jobs}/get`, { job_id: id });
    const isBelow = settings.tasks?.some(({ notebook_task }) =>
      notebook_task?.notebook_path?.startsWith(`${folder}/`),
    );
    return hasMark(settings.tags, mark) || isBelow ? settings : undefined;
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return undefined;
    throw error;
  }
}

/**
 * Creates the job of a resource or replaces its settings, and returns its id. Idempotent: the job is found by its id,
 * or by its mark if no answer ever had the id, and only then created.
 */
export async function installJob(
  client: WorkspaceClient,
  own: OwnThing,
  settings: JobSettings,
): Promise<string> {
  if (own.id !== null && (await ownSettings(client, own)) && (await reset(client, own.id, settings)))
    return own.id;
  const [first, ...others] = (await marked(client, own.name, own.mark)).sort(oldestFirst);
  // A create whose answer was lost may have been carried out later than the create that followed it.
  for (const other of others) await remove(client, other);
  if (first !== undefined && (await reset(client, first, settings))) return first;
  const { job_id } = await client.send<{ job_id?: string }>("POST", `${jobs}/create`, sendable(settings));
  if (job_id === undefined) throw new Error("The workspace created a job and did not say its id.");
  return job_id;
}

const oldestFirst = (a: string, b: string) => (BigInt(a) < BigInt(b) ? -1 : 1);

/** Replaces the settings of a job; false if it is gone. */
async function reset(client: WorkspaceClient, id: string, settings: JobSettings): Promise<boolean> {
  try {
    const body = { job_id: numericId(id), new_settings: sendable(settings) };
    await client.send("POST", `${jobs}/reset`, body, { isIdempotent: true });
    return true;
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return false;
    throw error;
  }
}

async function remove(client: WorkspaceClient, id: string): Promise<void> {
  try {
    await client.send("POST", `${jobs}/delete`, { job_id: numericId(id) }, { isIdempotent: true });
  } catch (error) {
    if (!isWorkspaceError(error, "gone")) throw error;
  }
}

/** Deletes the job of a resource, and every other job with its mark except `kept`. */
export async function removeJobs(client: WorkspaceClient, own: OwnThing, kept?: string): Promise<void> {
  if (own.id !== null && own.id !== kept && (await ownSettings(client, own))) await remove(client, own.id);
  for (const id of await marked(client, own.name, own.mark)) if (id !== kept) await remove(client, id);
}

/** Pauses or resumes the schedule or trigger of a job. A job that is started by hand has none: nothing to do. */
export async function pauseJob(client: WorkspaceClient, own: OwnThing, isPaused: boolean): Promise<void> {
  const settings = await ownSettings(client, own);
  if (!settings || own.id === null)
    throw new Error(
      `The job of "${own.name}" is not in the workspace any more. Update it to create it again.`,
    );
  const fields = triggerIn(settings);
  if (Object.keys(fields).length === 0) return;
  const body = { job_id: numericId(own.id), new_settings: withPause(fields, isPaused) };
  await client.send("POST", `${jobs}/update`, body, { isIdempotent: true });
}

/** The settings that start a job. */
export function triggerIn(settings: Readonly<Record<string, unknown>>): TriggerFields {
  const { schedule, trigger, continuous } = settings;
  const fields = Object.entries({ schedule, trigger, continuous });
  return Object.fromEntries(fields.filter((field): field is [string, object] => field[1] !== undefined));
}

/** The ids of jobs are numbers there, of more digits than a double has. */
function sendable<Value>(value: Value): Value {
  return withNumericIds(value) as Value;
}

function withNumericIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumericIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "job_id" && typeof item === "string" ? numericId(item) : withNumericIds(item),
    ]),
  );
}
