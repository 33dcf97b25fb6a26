import type { AgentComponent } from "@lakehelm/contract";
import type { Intent, Observation, Outcome } from "../../runtime/platforms/platform.ts";

/** What is wanted of something that runs, and what was seen of it: a component of an agent, or an app. */
export type RunState = Pick<AgentComponent, "desired_state" | "observed_state" | "message" | "updated_at">;
export type RunKind = "component.start" | "component.stop";

const goals = { "component.start": "running", "component.stop": "stopped" } as const;

export const runKind = ({ kind }: Intent): RunKind =>
  kind === "component.start" ? "component.start" : "component.stop";

/** The state once the platform was asked, and maybe has answered. */
export function runState(kind: RunKind, outcome: Outcome | undefined, time: string): RunState {
  const desired_state = goals[kind];
  if (!outcome) return { desired_state, observed_state: "pending", message: null, updated_at: time };
  if (outcome.done) return { desired_state, observed_state: desired_state, message: null, updated_at: time };
  return { desired_state, observed_state: "failed", message: outcome.reason, updated_at: time };
}

/**
 * When something was asked or heard: never the same time twice for one thing, and never backwards, also where
 * a clock is coarse or was set back.
 */
export const timeAfter = (last: string, now: string): string =>
  now > last ? now : new Date(Date.parse(last) + 1).toISOString();

/** It is there, or the platform was asked and has not answered yet: asking again would change nothing. */
export function headsFor(goal: RunState["desired_state"], state: RunState): boolean {
  return state.desired_state === goal && ["pending", goal].includes(state.observed_state);
}

/** Neither runs nor may still run: a stop that failed or is pending leaves something behind. */
export const isAtRest = (state: RunState) =>
  state.desired_state === "stopped" && state.observed_state === "stopped";

/**
 * An answer counts only for the last asking: what was asked again in the meantime has an answer of its own
 * to come. `asked_at` in the intent tells the askings apart.
 */
export function awaits(state: RunState, intent: Intent): boolean {
  if (state.observed_state !== "pending" || state.updated_at !== intent.data.asked_at) return false;
  return state.desired_state === goals[runKind(intent)];
}

/**
 * What it is after something was seen of it: undefined where that is nothing new, or where its platform was asked since and
 * has not answered. What is pending because it was seen so says why; what was asked says nothing.
 */
export function seenState(state: RunState, sight: Observation, time: string): RunState | undefined {
  const isAsked = state.observed_state === "pending" && state.message === null;
  if (state.desired_state !== "running" || isAsked) return undefined;
  if (state.observed_state === sight.observed_state && state.message === sight.message) return undefined;
  return { desired_state: "running", ...sight, updated_at: timeAfter(state.updated_at, time) };
}

/** The event for what was seen: `app.process_ended`, … */
export const sightKind = (noun: "agent" | "app", { observed_state }: Observation): string =>
  `${noun}.process_${{ pending: "ended", running: "restarted", failed: "failed" }[observed_state]}`;
