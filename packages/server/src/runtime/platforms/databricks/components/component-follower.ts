import type { Logger } from "pino";
import { singleFlight } from "../../../../core/concurrency/single-flight.ts";
import { isSubject } from "../../../../core/store/store.ts";
import type { Observation } from "../../platform.ts";
import type { Workspaces } from "../workspaces.ts";
import { appOf, endpointOf } from "./requests.ts";
import { isMarked as isMarkedApp, listApps, type WorkspaceApp } from "./workspace-apps.ts";
import {
  isMarked as isMarkedEndpoint,
  listEndpoints,
  type WorkspaceEndpoint,
  whyOf,
} from "./workspace-endpoints.ts";

/** An app, or the endpoint of an agent, that should run. */
export interface RunningComponent {
  readonly environmentId: string;
  readonly subject: string;
  readonly name: string;
}

export interface ComponentFollowerOptions {
  readonly workspaces: Workspaces;
  readonly installation: string;
  /** The components that should run in workspaces. */
  readonly running: () => Promise<readonly RunningComponent[]>;
  readonly observe: (component: RunningComponent, observation: Observation) => Promise<void>;
  /** Whether this server polls. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
  /** The pause between two polls. */
  readonly pauseMs?: number;
}

/**
 * Polls what should run in workspaces: one list of apps and one of endpoints for each environment that has some. Environments
 * are polled concurrently, so that a workspace that does not answer delays no other.
 */
export function createComponentFollower(options: ComponentFollowerOptions) {
  const { workspaces, installation, running, observe, mayRun, log, pauseMs = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const failures = new Map<string, number>();
  /** Environments whose last poll has not ended. */
  const busy = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function pollEnvironment(
    environmentId: string,
    components: readonly RunningComponent[],
  ): Promise<void> {
    const { client } = await workspaces.open(environmentId);
    const markOf = ({ subject }: RunningComponent) => ({
      installation,
      environment: environmentId,
      resource: subject,
    });
    const apps = components.filter(({ subject }) => isSubject("app", subject));
    if (apps.length > 0) {
      const listed = new Map<string, WorkspaceApp>();
      for await (const app of listApps(client, signal)) listed.set(app.name ?? "", app);
      for (const component of apps) {
        const { name, mark } = appOf(component.name, markOf(component));
        const found = listed.get(name);
        await observe(component, stateOfApp(found && isMarkedApp(found, mark) ? found : undefined));
      }
    }
    const endpoints = components.filter((component) => !apps.includes(component));
    if (endpoints.length > 0) {
      const listed = new Map((await listEndpoints(client, signal)).map((one) => [one.name, one]));
      for (const component of endpoints) {
        const { name, mark } = endpointOf(component.name, markOf(component));
        const found = listed.get(name);
        await observe(component, stateOfEndpoint(found && isMarkedEndpoint(found, mark) ? found : undefined));
      }
    }
  }

  async function pollAndLog(environmentId: string, components: readonly RunningComponent[]): Promise<void> {
    if (busy.has(environmentId)) return;
    busy.add(environmentId);
    try {
      await pollEnvironment(environmentId, components);
      failures.delete(environmentId);
    } catch (error) {
      if (signal.aborted) return;
      const count = (failures.get(environmentId) ?? 0) + 1;
      failures.set(environmentId, count);
      // Logs the first failure, and then about one every hour.
      if (count % 60 === 1)
        log.warn({ err: error, environment: environmentId }, "apps and endpoints could not be listed");
    } finally {
      busy.delete(environmentId);
    }
  }

  const pollAll = singleFlight(async () => {
    if (signal.aborted || !mayRun()) return;
    const byEnvironment = Map.groupBy(await running(), ({ environmentId }) => environmentId);
    for (const [id, components] of byEnvironment) void pollAndLog(id, components);
  });

  const pollAllAndLog = () =>
    void pollAll().catch((error) => log.warn({ err: error }, "running apps and endpoints could not be read"));

  return {
    start(): void {
      pollAllAndLog();
      timer = setInterval(pollAllAndLog, pauseMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort(new Error("This server is stopping."));
    },
  };
}

const gone: Observation = {
  observed_state: "failed",
  message: "It is not in the workspace any more. Start it again to create it.",
};

function stateOfApp(app: WorkspaceApp | undefined): Observation {
  if (!app) return gone;
  const { state: compute, message: why = "" } = app.compute_status ?? {};
  if (compute === "STOPPED" || compute === "STOPPING")
    return { observed_state: "failed", message: `Somebody stopped it in the workspace. ${why}`.trim() };
  if (compute === "ERROR") return { observed_state: "failed", message: why || "Its compute failed." };
  if (compute === "DELETING") return gone;
  const { state, message = "" } = app.app_status ?? {};
  if (state === "RUNNING") return { observed_state: "running", message: null };
  if (state === "CRASHED") return { observed_state: "failed", message: `It crashed. ${message}`.trim() };
  return {
    observed_state: "pending",
    message: message || `It is ${state ?? "not available"} in the workspace.`,
  };
}

function stateOfEndpoint(endpoint: WorkspaceEndpoint | undefined): Observation {
  if (!endpoint) return gone;
  const { ready, config_update, suspend } = endpoint.state ?? {};
  const why = whyOf(endpoint);
  if (suspend === "STOPPED")
    return { observed_state: "failed", message: "Somebody stopped it in the workspace." };
  if (ready === "READY") return { observed_state: "running", message: null };
  if (config_update === "UPDATE_FAILED")
    return {
      observed_state: "failed",
      message: `It is not ready, and its last update failed. ${why}`.trim(),
    };
  return { observed_state: "pending", message: why || "The workspace says that it is not ready." };
}
