import { conflict } from "../../../../core/errors.ts";
import type { PlatformOutcome } from "../../platform.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { segment } from "../client/path.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { Mark } from "../jobs/mark.ts";
import { isSamePath } from "../jobs/workspace-files.ts";
import type { Advance } from "./progress.ts";

const apps = "/api/2.0/apps";

interface Status {
  readonly state?: string;
  readonly message?: string;
}

interface Deployment {
  readonly source_code_path?: string;
  readonly create_time?: string;
  readonly status?: Status;
}

/** An app as the workspace shows it. */
export interface WorkspaceApp {
  readonly name?: string;
  readonly description?: string;
  readonly url?: string;
  readonly resources?: readonly object[];
  readonly compute_status?: Status;
  readonly app_status?: Status;
  readonly active_deployment?: Deployment;
  readonly pending_deployment?: Deployment;
}

/** Identifies the app of a resource: by its name, and by the mark in its description. */
export interface OwnApp {
  readonly name: string;
  readonly mark: Mark;
}

/** The desired state of an app. */
export interface AppDeployment {
  readonly description: string;
  /** What the app may use, such as secrets. */
  readonly resources: readonly object[];
  /** The folder of the app's code. Each request has its own folder, so that its deployment is found again. */
  readonly folder: string;
  upload(): Promise<void>;
}

/** An app has no tags, so its description ends with its mark. */
const markText = ({ installation, environment, resource }: Mark): string =>
  `[lakehelm ${installation} ${environment} ${resource}]`;

export const isMarked = ({ description = "" }: WorkspaceApp, mark: Mark): boolean =>
  description.endsWith(markText(mark));

/** The description as it is sent. */
export const markedDescription = (description: string, mark: Mark): string =>
  `${description} ${markText(mark)}`.trim();

const pathOf = (name: string) => `${apps}/${segment(name)}`;

/** Undefined: there is none. */
async function readApp(client: WorkspaceClient, name: string): Promise<WorkspaceApp | undefined> {
  try {
    return await client.get<WorkspaceApp>(pathOf(name));
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return undefined;
    throw error;
  }
}

export const listApps = (client: WorkspaceClient, signal: AbortSignal) =>
  client.list<WorkspaceApp>(apps, "apps", { page_size: 100 }, { signal });

/** Creates an app, starts its compute, deploys its code, and waits until it runs. */
export function startingApp(
  client: WorkspaceClient,
  { name, mark }: OwnApp,
  wanted: AppDeployment,
  isNew: boolean,
): Advance {
  const description = markedDescription(wanted.description, mark);
  let isPrepared = false;
  let wasRestarted = !isNew;

  async function create(): Promise<string> {
    const body = { name, description, resources: wanted.resources };
    try {
      await client.send("POST", apps, body);
    } catch (error) {
      // The name is unique: another attempt has created the app, or it belongs to somebody else.
      if (!isWorkspaceError(error, "conflict")) throw error;
    }
    return "The workspace creates the app.";
  }

  async function start(why: string): Promise<string> {
    try {
      await client.send("POST", `${pathOf(name)}/start`, {}, { isIdempotent: true });
    } catch (error) {
      // The compute is starting already.
      if (!isWorkspaceError(error, "refused", "conflict")) throw error;
    }
    return why;
  }

  async function deploy(): Promise<string> {
    if (!isPrepared) {
      await client.send("PATCH", pathOf(name), { description, resources: wanted.resources }, idempotent);
      await wanted.upload();
      isPrepared = true;
    }
    const body = { source_code_path: wanted.folder, mode: "SNAPSHOT" };
    try {
      await client.send("POST", `${pathOf(name)}/deployments`, body);
    } catch (error) {
      // A start by itself deploys what ran last, and only one deployment is allowed at once.
      if (!isWorkspaceError(error, "conflict")) throw error;
    }
    return "The workspace deploys the app.";
  }

  const isOurs = ({ source_code_path = "" }: Deployment) => isSamePath(source_code_path, wanted.folder);

  /** The deployment of this request, also if it failed: the app itself shows no failed deployment. */
  async function deployment(app: WorkspaceApp): Promise<Deployment | undefined> {
    const shown = [app.pending_deployment, app.active_deployment].find((one) => one && isOurs(one));
    if (shown) return shown;
    const { app_deployments = [] } = await client.get<{ app_deployments?: readonly Deployment[] }>(
      `${pathOf(name)}/deployments`,
    );
    return app_deployments.find(isOurs);
  }

  return async () => {
    const app = await readApp(client, name);
    if (!app) return create();
    if (!isMarked(app, mark)) throw strangers("an app", name);
    const { state, message = "" } = app.compute_status ?? {};
    if (state === "STOPPED") return start("The compute of the app is starting.");
    if (state === "ERROR") {
      if (wasRestarted) return failed(message || "The compute of the app failed.");
      wasRestarted = true;
      return start("The compute of the app is starting.");
    }
    if (state !== "ACTIVE") return `The compute of the app is ${state ?? "not known"}. ${message}`.trim();
    const ours = await deployment(app);
    if (!ours) return app.pending_deployment ? "Another deployment of the app is not done yet." : deploy();
    switch (ours.status?.state) {
      case "FAILED":
      case "CANCELLED":
        return failed(`The deployment is ${ours.status.state}. ${ours.status.message ?? ""}`.trim());
      case "SUCCEEDED":
        return running(app);
      default:
        return `The app is being deployed. ${ours.status?.message ?? ""}`.trim();
    }
  };
}

function running({ app_status, name, url }: WorkspaceApp): PlatformOutcome | string {
  const { state, message = "" } = app_status ?? {};
  if (state === "RUNNING") return { done: true, reference: name ?? null, url: url ?? null };
  if (state === "CRASHED") return failed(`The app crashed. ${message}`.trim());
  return `The app is deployed and not running yet. ${message}`.trim();
}

/** Stops the compute of an app, and waits for that. An app that does not exist, or is not ours, does not run for us. */
export function stoppingApp(client: WorkspaceClient, { name, mark }: OwnApp): Advance {
  return async () => {
    const app = await readApp(client, name);
    const state = app?.compute_status?.state;
    if (!app || !isMarked(app, mark) || state === "STOPPED" || state === "DELETING") return done;
    if (state === "STOPPING") return "The compute of the app is stopping.";
    try {
      await client.send("POST", `${pathOf(name)}/stop`, {}, idempotent);
    } catch (error) {
      // An app cannot be stopped while it starts.
      if (!isWorkspaceError(error, "refused", "conflict", "gone") || state === "ACTIVE") throw error;
    }
    return "The compute of the app is stopping.";
  };
}

/** Deletes an app. An app that is not ours stays. */
export async function removeApp(client: WorkspaceClient, { name, mark }: OwnApp): Promise<void> {
  const app = await readApp(client, name);
  if (!app || !isMarked(app, mark) || app.compute_status?.state === "DELETING") return;
  try {
    await client.send("DELETE", pathOf(name), undefined, idempotent);
  } catch (error) {
    if (!isWorkspaceError(error, "gone")) throw error;
  }
}

/** What the workspace says about the deployments of an app, oldest first. */
export async function appLines(client: WorkspaceClient, { name, mark }: OwnApp): Promise<string[]> {
  const app = await readApp(client, name);
  if (!app || !isMarked(app, mark)) return [];
  const { app_deployments = [] } = await client.get<{ app_deployments?: readonly Deployment[] }>(
    `${pathOf(name)}/deployments`,
  );
  const lines = app_deployments.map(
    ({ create_time = "", status }) =>
      `--- ${create_time} deployment ${status?.state}: ${status?.message ?? ""}`,
  );
  const now = [app.compute_status, app.app_status].map((one) => `--- ${one?.state}: ${one?.message ?? ""}`);
  return [...lines.reverse(), ...now];
}

const idempotent = { isIdempotent: true } as const;
const done: PlatformOutcome = { done: true, reference: null };
const failed = (reason: string): PlatformOutcome => ({ done: false, reason });

export const strangers = (what: string, name: string) =>
  conflict(
    `The workspace has ${what} named "${name}" that Lakehelm did not create, or whose mark somebody removed. Rename or delete it there.`,
  );
