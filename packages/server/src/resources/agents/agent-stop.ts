import type { Agent, EndpointBody, endpoints } from "@lakehelm/contract";
import { notFound } from "../../core/errors.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext, DomainEvent, Step, Store } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { AgentRows } from "./agent-rows.ts";
import {
  agentSubject,
  type ComponentDeployment,
  finishAll,
  type PlatformTask,
} from "./component-deployment.ts";
import { type ComponentName, componentOf, componentsToStop, touched } from "./components.ts";
import { isReachedOrPending } from "./run-state.ts";

/**
 * What agents need from apps. The apps resource implements it, so that apps depend on agents and not the other way
 * round.
 */
export interface LinkedApps {
  /** For the transaction that stops an agent: the platform tasks that stop its apps in that environment. */
  stopTasks(
    agentId: string,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<readonly PlatformTask[]>;
  /**
   * For the transaction that redeploys an agent's UI: starts every linked app in that environment; undefined if there
   * is none.
   */
  startChange(
    agent: Stored<Agent>,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<
    | {
        readonly steps: readonly Step[];
        readonly events: readonly DomainEvent[];
        readonly tasks: readonly PlatformTask[];
      }
    | undefined
  >;
  /**
   * For the transaction that removes an agent: a step that fails if an app is linked on commit; throws 409 if one is
   * linked now.
   */
  noneLinked(agent: Agent): Promise<Step>;
}

export interface AgentResult {
  readonly agent: Agent;
  readonly message: string;
}

export type StopRequest = EndpointBody<typeof endpoints.stopAgent>;

/** Stops components of an agent, and with the UI app every linked app, in one transaction. */
export function createStop(
  store: Store,
  rows: AgentRows,
  deployment: ComponentDeployment,
  apps: LinkedApps,
): (request: StopRequest, env: EnvironmentContext, context: ChangeContext) => Promise<AgentResult> {
  return async ({ agent_id, components, start_ui_app }, env, context) => {
    const id = agent_id.toLowerCase();
    const environmentId = env.environment.id;

    const { names, tasks } = await store.retryOnConflict(async () => {
      const before = await rows.get(id);
      if (!before) throw notFound(`There is no agent ${agent_id}.`);
      const names = componentsToStop(components, start_ui_app);
      const stopped: ComponentName[] = [];
      const tasks: PlatformTask[] = [];
      let doc = before.doc;
      for (const component of names) {
        if (component === "ui_app") tasks.push(...(await apps.stopTasks(id, env, context)));
        const now = componentOf(doc, environmentId, component);
        if (isReachedOrPending("stopped", now)) continue;
        const request = { kind: "component.stop", component, version: now.version, env } as const;
        const next = deployment.request(doc, request, context);
        doc = next.doc;
        tasks.push(next.task);
        stopped.push(component);
      }
      if (tasks.length === 0) return { names, tasks };

      const after = stopped.length > 0 ? touched(doc, context) : doc;
      const ofAgent =
        stopped.length > 0
          ? [...rows.update(before, after), ...(await rows.environmentSteps(after, environmentId))]
          : // An app may have been started after the agent was read. Then `ui_app` must stop too: the stop is retried.
            [rows.lockVersion(before)];
      const event = {
        kind: "agent.stopped",
        subject: agentSubject(id),
        data: { name: doc.name, environment_id: environmentId, components: stopped },
      };
      await store.apply({
        context,
        steps: [...ofAgent, ...tasks.flatMap(({ steps }) => steps)],
        events: [...tasks.flatMap(({ events }) => events), ...(stopped.length > 0 ? [event] : [])],
      });
      return { names, tasks };
    });

    await finishAll(tasks);
    const { doc: agent } = await rows.read(id);
    return { agent, message: stopMessage(agent, names, tasks.length > 0) };
  };
}

function stopMessage({ name }: Agent, names: readonly ComponentName[], hasChanged: boolean): string {
  if (!hasChanged) return `${name} has nothing to stop.`;
  if (names.length === 3) return `${name} is stopped.`;
  return `Stopped components of ${name}: ${names.join(", ")}.`;
}
