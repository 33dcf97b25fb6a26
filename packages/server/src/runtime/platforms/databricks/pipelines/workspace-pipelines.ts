import type { WorkspaceClient } from "../client/client.ts";
import { segment } from "../client/path.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import { hasMark, type OwnThing } from "../jobs/mark.ts";

export const pipelines = "/api/2.0/pipelines";
export const pathOf = (id: string): string => `${pipelines}/${segment(id)}`;

export interface ListedUpdate {
  readonly update_id?: string;
  readonly state?: string;
  readonly creation_time?: string | number;
}

/** A pipeline in a list, or a single one: only a single one has a spec. */
export interface WorkspacePipeline {
  readonly pipeline_id?: string;
  readonly name?: string;
  readonly state?: string;
  readonly health?: string;
  readonly latest_updates?: readonly ListedUpdate[];
  readonly spec?: {
    readonly tags?: Readonly<Record<string, string>>;
    readonly libraries?: readonly CodeLibrary[];
    readonly continuous?: boolean;
    readonly catalog?: string;
    readonly schema?: string;
  };
}

interface CodeLibrary {
  readonly notebook?: { readonly path?: string };
  readonly file?: { readonly path?: string };
}

/** The pipeline with this id; undefined if it is gone. */
export async function readPipeline(
  client: WorkspaceClient,
  id: string,
): Promise<WorkspacePipeline | undefined> {
  try {
    return await client.get<WorkspacePipeline>(pathOf(id));
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return undefined;
    throw error;
  }
}

/** Whether the known pipeline is ours: in another workspace its id may be that of another pipeline. */
async function isOwn(client: WorkspaceClient, { id, mark, folder }: OwnThing): Promise<boolean> {
  const { spec = {} } = (id !== null && (await readPipeline(client, id))) || {};
  const isBelow = ({ notebook, file }: CodeLibrary) =>
    [notebook?.path, file?.path].some((path) => path?.startsWith(`${folder}/`));
  return hasMark(spec.tags, mark) || (spec.libraries ?? []).some(isBelow);
}

/** The pipelines with a mark. A list has no tags, so those of the same name are read one by one. */
async function marked(client: WorkspaceClient, { name, mark }: OwnThing): Promise<string[]> {
  const found: string[] = [];
  const query = { filter: `name LIKE '${pattern(name)}'`, max_results: 100 };
  for await (const one of client.list<WorkspacePipeline>(pipelines, "statuses", query)) {
    if (one.pipeline_id === undefined || one.name !== name) continue;
    const { spec } = (await readPipeline(client, one.pipeline_id)) ?? {};
    if (hasMark(spec?.tags, mark)) found.push(one.pipeline_id);
  }
  return found.sort();
}

/** A pattern that the name matches. How a quote is escaped there is not documented: any other character matches all. */
const pattern = (name: string): string => name.replace(/[^A-Za-z0-9 .-]+/g, "%");

/**
 * Creates the pipeline of a resource or replaces its specification, and returns its id. Idempotent: the pipeline is
 * found by its id, or by its mark if no answer ever had the id, and only then created.
 */
export async function installPipeline(client: WorkspaceClient, own: OwnThing, spec: object): Promise<string> {
  if (own.id !== null && (await isOwn(client, own)) && (await replace(client, own.id, spec))) return own.id;
  const [first, ...others] = await marked(client, own);
  // A create whose answer was lost may have been carried out later than the create that followed it.
  for (const other of others) await remove(client, other);
  if (first !== undefined && (await replace(client, first, spec))) return first;
  const { pipeline_id } = await client.send<{ pipeline_id?: string }>("POST", pipelines, spec);
  if (pipeline_id === undefined) throw new Error("The workspace created a pipeline and did not say its id.");
  return pipeline_id;
}

/** Replaces the specification; false if it is gone. */
export async function replace(client: WorkspaceClient, id: string, spec: object): Promise<boolean> {
  try {
    await client.send("PUT", pathOf(id), spec, { isIdempotent: true });
    return true;
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return false;
    throw error;
  }
}

/** The tables of the pipeline stay, as on other platforms. */
async function remove(client: WorkspaceClient, id: string): Promise<void> {
  try {
    await client.send("DELETE", pathOf(id), undefined, { query: { cascade: false }, isIdempotent: true });
  } catch (error) {
    if (!isWorkspaceError(error, "gone")) throw error;
  }
}

/** Deletes the pipeline of a resource, and every other one with its mark except `kept`. */
export async function removePipelines(client: WorkspaceClient, own: OwnThing, kept?: string): Promise<void> {
  if (own.id !== null && own.id !== kept && (await isOwn(client, own))) await remove(client, own.id);
  for (const id of await marked(client, own)) if (id !== kept) await remove(client, id);
}
