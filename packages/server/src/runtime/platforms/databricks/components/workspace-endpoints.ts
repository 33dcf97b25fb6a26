import type { PlatformOutcome } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { segment } from "../client/path.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import { hasMark, type Mark, markTags } from "../jobs/mark.ts";
import type { Advance } from "./progress.ts";
import { strangers } from "./workspace-apps.ts";

const endpoints = "/api/2.0/serving-endpoints";

interface Tag {
  readonly key?: string;
  readonly value?: string;
}

interface ServedEntity {
  readonly name?: string;
  readonly state?: { readonly deployment?: string; readonly deployment_state_message?: string };
}

/** A serving endpoint as the workspace shows it. */
export interface WorkspaceEndpoint {
  readonly name?: string;
  readonly tags?: readonly Tag[];
  readonly state?: { readonly ready?: string; readonly config_update?: string; readonly suspend?: string };
  readonly config?: { readonly served_entities?: readonly ServedEntity[] };
  readonly pending_config?: { readonly served_entities?: readonly ServedEntity[] };
}

/** Identifies the endpoint of an agent: by its name, and by the mark in its tags. */
export interface OwnEndpoint {
  readonly name: string;
  readonly mark: Mark;
}

export interface EndpointDeployment {
  /** The id of the request that deploys the endpoint. */
  readonly id: string;
  readonly config: { readonly served_entities: readonly object[] };
  /** Tags besides those of the mark. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The tag with the last request that the workspace has accepted. */
const deployTag = "lakehelm_deploy";

const pathOf = (name: string) => `${endpoints}/${segment(name)}`;
export const invocationsOf = (name: string) => `/serving-endpoints/${segment(name)}/invocations`;

const tagsOf = ({ tags = [] }: WorkspaceEndpoint): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.map(({ key = "", value = "" }) => [key, value]));

/** The tags of an endpoint, without the tag of the last request. */
export function sharedTags(endpoint: WorkspaceEndpoint): Readonly<Record<string, string>> {
  const { [deployTag]: _, ...tags } = tagsOf(endpoint);
  return tags;
}

export const isMarked = (endpoint: WorkspaceEndpoint, mark: Mark): boolean => hasMark(tagsOf(endpoint), mark);

export async function readEndpoint(
  client: WorkspaceClient,
  name: string,
): Promise<WorkspaceEndpoint | undefined> {
  try {
    return await client.get<WorkspaceEndpoint>(pathOf(name));
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return undefined;
    throw error;
  }
}

/** The list has no pages. */
export async function listEndpoints(
  client: WorkspaceClient,
  signal: AbortSignal,
): Promise<readonly WorkspaceEndpoint[]> {
  const answer = await client.get<{ endpoints?: readonly WorkspaceEndpoint[] }>(endpoints, {}, { signal });
  return answer.endpoints ?? [];
}

/** The tags that an endpoint should have, besides the tag of the last request. */
export const endpointTags = (tags: EndpointDeployment["tags"], mark: Mark) => ({
  ...tags,
  ...markTags(mark),
});

/**
 * Creates an endpoint, or changes what it serves while it continues to answer, and waits until the change is served.
 */
export function deployingEndpoint(
  client: WorkspaceClient,
  { name, mark }: OwnEndpoint,
  { id, config, tags }: EndpointDeployment,
): Advance {
  const asList = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([key, value]) => ({ key, value }));

  const own = endpointTags(tags, mark);

  async function create(): Promise<string> {
    const body = { name, config, tags: asList({ ...own, [deployTag]: id }) };
    try {
      await client.send("POST", endpoints, body);
    } catch (error) {
      // The name is unique: another attempt has created the endpoint, or it belongs to somebody else.
      if (!isWorkspaceError(error, "conflict")) throw error;
    }
    return "The workspace creates the endpoint.";
  }

  async function update(endpoint: WorkspaceEndpoint): Promise<string> {
    try {
      await client.send("PUT", `${pathOf(name)}/config`, config, { isIdempotent: true });
    } catch (error) {
      if (!isWorkspaceError(error, "conflict")) throw error;
      return "Another update of the endpoint is not done yet.";
    }
    // The tag is set after the update was accepted: without the tag the same update is sent again.
    const foreign = Object.keys(sharedTags(endpoint)).filter((key) => !(key in own));
    const body = {
      add_tags: asList({ ...own, [deployTag]: id }),
      ...(foreign.length > 0 && { delete_tags: foreign }),
    };
    await client.send("PATCH", `${pathOf(name)}/tags`, body, { isIdempotent: true });
    return "The workspace updates the endpoint.";
  }

  /** Starts an endpoint that somebody stopped in the workspace. */
  async function resume(): Promise<string> {
    try {
      await client.send("POST", `${pathOf(name)}/config:start`, {}, { isIdempotent: true });
    } catch (error) {
      // The endpoint is starting already.
      if (!isWorkspaceError(error, "conflict")) throw error;
    }
    return "The workspace starts the endpoint.";
  }

  return async () => {
    const endpoint = await readEndpoint(client, name);
    if (!endpoint) return create();
    if (!isMarked(endpoint, mark)) throw strangers("an endpoint", name);
    const { ready, config_update: update_state } = endpoint.state ?? {};
    const isAccepted = tagsOf(endpoint)[deployTag] === id;
    if (update_state === "IN_PROGRESS") return `The endpoint is being updated. ${whyOf(endpoint)}`.trim();
    if (!isAccepted) return update(endpoint);
    if (update_state === "UPDATE_FAILED" || update_state === "UPDATE_CANCELED") {
      const kept = ready === "READY" ? " The version before it still answers." : "";
      return failed(`The update of the endpoint is ${update_state}.${kept} ${whyOf(endpoint)}`.trim());
    }
    if (endpoint.state?.suspend === "STOPPED") return resume();
    if (ready === "READY") return { done: true, reference: name };
    return `The endpoint is not ready yet. ${whyOf(endpoint)}`.trim();
  };
}

/** Deletes an endpoint, so that it costs nothing. An endpoint that is not ours stays. */
export async function removeEndpoint(client: WorkspaceClient, { name, mark }: OwnEndpoint): Promise<void> {
  const endpoint = await readEndpoint(client, name);
  if (!endpoint || !isMarked(endpoint, mark)) return;
  try {
    await client.send("DELETE", pathOf(name), undefined, { isIdempotent: true });
  } catch (error) {
    if (!isWorkspaceError(error, "gone")) throw error;
  }
}

const entitiesOf = ({ pending_config, config }: WorkspaceEndpoint): readonly ServedEntity[] => [
  ...(pending_config?.served_entities ?? []),
  ...(config?.served_entities ?? []),
];

/** What the workspace says about what an endpoint serves. */
export const whyOf = (endpoint: WorkspaceEndpoint): string =>
  entitiesOf(endpoint)
    .map(({ state }) => state?.deployment_state_message ?? "")
    .find((message) => message !== "") ?? "";

/** The output of what an endpoint serves, as far as the workspace has it. */
export async function endpointLines(client: WorkspaceClient, { name, mark }: OwnEndpoint): Promise<string[]> {
  const endpoint = await readEndpoint(client, name);
  if (!endpoint || !isMarked(endpoint, mark)) return [];
  const { ready, config_update } = endpoint.state ?? {};
  const lines: string[] = [];
  for (const entity of new Set(entitiesOf(endpoint).map((one) => one.name ?? ""))) {
    if (entity === "") continue;
    for (const kind of ["build-logs", "logs"]) {
      const text = await logOf(client, `${pathOf(name)}/served-models/${segment(entity)}/${kind}`);
      if (text !== "") lines.push(`--- ${kind} of ${entity}`, ...text.split("\n"));
    }
  }
  return [...lines, `--- ready: ${ready}, update: ${config_update}. ${whyOf(endpoint)}`.trim()];
}

async function logOf(client: WorkspaceClient, path: string): Promise<string> {
  try {
    const { logs = "" } = await client.get<{ logs?: string }>(path);
    return logs.trimEnd();
  } catch (error) {
    // There is no log before the build.
    if (isWorkspaceError(error, "gone", "refused", "conflict")) return "";
    throw error;
  }
}

const failed = (reason: string): PlatformOutcome => ({ done: false, reason });
