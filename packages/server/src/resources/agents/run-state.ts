import type { AgentComponent } from "@lakehelm/contract";
import type { Observation, PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformComponentRequest } from "../../runtime/platforms/platform-request.ts";
import { isWaitingReason } from "../../runtime/platforms/platform-requests.ts";

/** The desired and the observed state of something that runs: a component of an agent, or an app. */
export type RunState = Pick<AgentComponent, "desired_state" | "observed_state" | "message" | "updated_at">;
export type RunKind = Exclude<PlatformComponentRequest["kind"], "component.remove">;

const goals = { "component.start": "running", "component.stop": "stopped" } as const;

/** The state after a request to the platform and, if known, its outcome. */
export function runState(kind: RunKind, outcome: PlatformOutcome | undefined, time: string): RunState {
  const desired_state = goals[kind];
  if (!outcome) return { desired_state, observed_state: "pending", message: null, updated_at: time };
  if (outcome.done) return { desired_state, observed_state: desired_state, message: null, updated_at: time };
  return { desired_state, observed_state: "failed", message: outcome.reason, updated_at: time };
}

/**
 * A timestamp for a request or an observation: strictly increasing per resource, even if the clock is coarse or was set
 * back.
 */
export const timeAfter = (last: string, now: string): string =>
  now > last ? now : new Date(Date.parse(last) + 1).toISOString();

/** The goal is reached, or requested and not answered yet: another request would change nothing. */
export function isReachedOrPending(goal: RunState["desired_state"], state: RunState): boolean {
  return state.desired_state === goal && ["pending", goal].includes(state.observed_state);
}

/** Certainly stopped: after a stop that failed or is pending, something may still run. */
export const isFullyStopped = (state: RunState) =>
  state.desired_state === "stopped" && state.observed_state === "stopped";

/**
 * Only the outcome of the last request counts: a newer request gets its own outcome. `asked_at` in the outbox entry
 * identifies the request.
 */
export function isOutcomeOfLastRequest(state: RunState, request: PlatformComponentRequest): boolean {
  if (state.observed_state !== "pending" || state.updated_at !== request.data.asked_at) return false;
  return request.kind !== "component.remove" && state.desired_state === goals[request.kind];
}

/**
 * The state with the reason why its last request still waits; undefined if unchanged, or if a newer request followed.
 */
export const waitingState = (
  state: RunState,
  request: PlatformComponentRequest,
  reason: string,
): RunState | undefined =>
  isOutcomeOfLastRequest(state, request) && state.message !== reason
    ? // `updated_at` stays the time of the request, which identifies the request.
      { ...state, message: reason }
    : undefined;

/**
 * The state after an observation; undefined if nothing changes, or if a newer request to the platform is unanswered. A
 * pending state whose message says how the process ended comes from an observation; a pending state from a request has
 * no message, or the reason why the request waits.
 */
export function observedState(state: RunState, observation: Observation, time: string): RunState | undefined {
  const isRequested =
    state.observed_state === "pending" && (state.message === null || isWaitingReason(state.message));
  if (state.desired_state !== "running" || isRequested) return undefined;
  if (state.observed_state === observation.observed_state && state.message === observation.message)
    return undefined;
  return { desired_state: "running", ...observation, updated_at: timeAfter(state.updated_at, time) };
}

/** The event kind of an observation: `app.process_ended`, … */
export const observationEventKind = (resource: "agent" | "app", { observed_state }: Observation): string =>
  `${resource}.process_${{ pending: "ended", running: "restarted", failed: "failed" }[observed_state]}`;
