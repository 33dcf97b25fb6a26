import type { Agent, AgentComponent } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import {
  type ChangeContext,
  type DomainEvent,
  type Step,
  subjectId,
  subjectOf,
} from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import {
  type PlatformRequests,
  type RecordOutcome,
  type RecordWaiting,
  settledOn,
} from "../../runtime/platforms/platform-requests.ts";
import type { AgentRows } from "./agent-rows.ts";
import { type ComponentName, componentOf, withComponent, withState } from "./components.ts";
import { isOutcomeOfLastRequest, type RunKind, runState, timeAfter, waitingState } from "./run-state.ts";

/** The platform requests of a transaction, and the work after it. */
export interface PlatformTask {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  /**
   * After the transaction: waits for the outcome, at most 20 s for a remote platform; returns a message if it refused.
   */
  finish(): Promise<readonly string[]>;
}

export const agentSubject = (agentId: string) => subjectOf("agent", agentId);

/** Requests starts and stops of agent components from platforms, and records the outcomes. */
export interface ComponentDeployment {
  /** Applies an outcome to the agent. */
  readonly recordOutcome: RecordOutcome<"agent">;
  /** Records why the platform has not carried out a request yet. */
  readonly recordWaiting: RecordWaiting<"agent">;
  /** The agent after the request to the platform, and the task for the transaction that records it. */
  request(
    doc: Agent,
    request: {
      readonly kind: RunKind;
      readonly component: ComponentName;
      readonly version: string | null;
      /** For a start: the folder of the code. */
      readonly source_path?: string | null;
      readonly env: EnvironmentContext;
    },
    context: ChangeContext,
  ): { readonly doc: Agent; readonly task: PlatformTask };
}

export function createComponentDeployment(
  { system }: Dependencies,
  platformRequests: PlatformRequests,
  rows: AgentRows,
): ComponentDeployment {
  const recordOutcome: RecordOutcome<"agent"> = async (request, outcome, { time }) => {
    const { component } = request.data;
    if (request.kind === "component.remove") return { steps: [], events: [] };
    if (component === undefined) throw new Error(`${request.kind} of ${request.subject} names no component.`);
    const before = await rows.get(subjectId("agent", request.subject));
    const now = before && componentOf(before.doc, request.environmentId, component);
    if (!now || !isOutcomeOfLastRequest(now, request)) return { steps: [], events: [] };
    const state = runState(request.kind, outcome, timeAfter(now.updated_at, time));
    const doc = withState(before.doc, request.environmentId, component, state);
    return {
      steps: [...rows.update(before, doc), ...(await rows.environmentSteps(doc, request.environmentId))],
      events: [
        {
          kind: outcome.done ? "agent.component_settled" : "agent.component_failed",
          subject: request.subject,
          data: {
            environment_id: request.environmentId,
            component,
            observed_state: state.observed_state,
            message: state.message,
          },
        },
      ],
    };
  };

  const recordWaiting: RecordWaiting<"agent"> = async (request, reason) => {
    const { subject, environmentId, data } = request;
    const before = await rows.get(subjectId("agent", subject));
    if (!before || data.component === undefined) return undefined;
    const { component } = data;
    const state = waitingState(componentOf(before.doc, environmentId, component), request, reason);
    if (!state) return undefined;
    const { name } = before.doc;
    return {
      steps: rows.update(before, withState(before.doc, environmentId, component, state)),
      events: [
        {
          kind: "agent.component_waiting",
          subject,
          data: { name, environment_id: environmentId, component, message: reason },
        },
      ],
    };
  };

  return {
    recordOutcome,
    recordWaiting,
    request(doc, { kind, component, version, source_path = null, env }, context) {
      const environmentId = env.environment.id;
      const asked_at = timeAfter(componentOf(doc, environmentId, component).updated_at, context.time);
      const requested = platformRequests.submit(env.platform, {
        id: system.newId(),
        environmentId,
        kind,
        subject: agentSubject(doc.id),
        data: { component, name: doc.name, version, source_path, asked_at },
      });
      const next: AgentComponent = {
        environment_id: environmentId,
        component,
        ...runState(kind, requested.outcome, asked_at),
        version,
      };
      const task: PlatformTask = {
        steps: requested.steps,
        events: [],
        async finish() {
          await settledOn(env.platform, requested);
          const now = await rows.get(doc.id);
          return now ? refusals(now.doc, environmentId, component) : [];
        },
      };
      return { doc: withComponent(doc, next), task };
    },
  };
}

function refusals(doc: Agent, environmentId: string, component: ComponentName): string[] {
  const { observed_state, message } = componentOf(doc, environmentId, component);
  return observed_state === "failed" ? [`${component} of "${doc.name}" failed: ${message}`] : [];
}

/** Finishes the tasks one after another, in request order. Throws 409 if the platform refused any. */
export async function finishAll(tasks: readonly PlatformTask[]): Promise<void> {
  const refused: string[] = [];
  for (const task of tasks) refused.push(...(await task.finish()));
  if (refused.length > 0) throw conflict(refused.join(" "));
}
