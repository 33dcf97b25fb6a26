import type { Agent, AgentComponent, AgentRelease } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import { isFullyStopped, type RunState } from "./run-state.ts";

export type ComponentName = AgentComponent["component"];

/**
 * Chat and UI stop first, so that no new requests arrive; the endpoint stops last, so that open requests can finish.
 */
const stopOrder: readonly ComponentName[] = ["chat", "ui_app", "agent_endpoint"];

/** The components to stop, in stop order. */
export function componentsToStop(
  named: readonly string[] | null | undefined,
  leaveUiApp: boolean,
): ComponentName[] {
  const unknown = named?.find((name) => !stopOrder.some((known) => known === name));
  if (unknown !== undefined) {
    throw conflict(
      `An agent has no component "${unknown}"; its components are agent_endpoint, ui_app, chat.`,
    );
  }
  return stopOrder.filter(
    (name) => (named ?? stopOrder).includes(name) && !(leaveUiApp && name === "ui_app"),
  );
}

/** A component without a record in an environment counts as stopped there. */
export function componentOf(doc: Agent, environmentId: string, component: ComponentName): AgentComponent {
  const known = doc.components.find((one) => isOf(one, environmentId, component));
  if (known) return known;
  return {
    environment_id: environmentId,
    component,
    desired_state: "stopped",
    observed_state: "stopped",
    version: null,
    message: null,
    updated_at: doc.created_at,
  };
}

export function withComponent(doc: Agent, next: AgentComponent): Agent {
  const at = doc.components.findIndex((one) => isOf(one, next.environment_id, next.component));
  const components = at < 0 ? [...doc.components, next] : doc.components.with(at, next);
  return { ...doc, components };
}

export const withState = (
  doc: Agent,
  environmentId: string,
  component: ComponentName,
  state: RunState,
): Agent => withComponent(doc, { ...componentOf(doc, environmentId, component), ...state });

const isOf = (one: AgentComponent, environmentId: string, component: string) =>
  one.environment_id === environmentId && one.component === component;

export const releaseIn = (doc: Agent, environmentId: string): AgentRelease | undefined =>
  doc.releases.find((release) => release.environment_id === environmentId);

export function withRelease(doc: Agent, environmentId: string, release: AgentRelease | undefined): Agent {
  const others = doc.releases.filter((one) => one.environment_id !== environmentId);
  return { ...doc, releases: release ? [...others, release] : others };
}

/** Whether the agent uses an environment: it has a release there, or something that runs or may still run. */
export function usesEnvironment(doc: Agent, environmentId: string): boolean {
  const here = doc.components.filter((one) => one.environment_id === environmentId);
  return releaseIn(doc, environmentId) !== undefined || here.some((one) => !isFullyStopped(one));
}

export const touched = (doc: Agent, context: ChangeContext): Agent => ({
  ...doc,
  updated_at: context.time,
  updated_by: context.actor,
});
