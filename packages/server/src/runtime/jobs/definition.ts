import type { JobDefinition, JobTrigger } from "@lakehelm/contract";
import { firstFiring } from "@lakehelm/schedule";
import type { Settings } from "../../settings.ts";

export type Trigger = JobTrigger;
type Policy = Omit<JobDefinition, "trigger">;

/** A job definition from a trigger, with defaults for what the policy leaves out. */
export function definitionOf(
  trigger: Trigger,
  { PLATFORM_RUN_TIMEOUT_SECONDS }: Pick<Settings, "PLATFORM_RUN_TIMEOUT_SECONDS">,
  policy: Partial<Policy> = {},
): JobDefinition {
  return {
    trigger,
    attempts: 3,
    backoff_seconds: 10,
    max_backoff_seconds: 300,
    timeout_seconds: PLATFORM_RUN_TIMEOUT_SECONDS,
    overlap: false,
    ...policy,
  };
}

/** Always running, with the default pauses. */
export const live: Trigger = {
  kind: "live",
  pause_seconds: 1,
  backoff_seconds: 1,
  max_backoff_seconds: 300,
};

/** When the scheduler must first look at a job with this trigger (null: never), or why the trigger could never fire. */
export type TriggerReading = { readonly nextAt: string | null } | { readonly problem: string };

export function readTrigger(trigger: Trigger, now: Date): TriggerReading {
  if (trigger.kind === "live") return { nextAt: now.toISOString() };
  if (trigger.kind !== "cron") return { nextAt: null };
  const first = firstFiring(trigger.cron, trigger.timezone, now.getTime());
  return "problem" in first ? first : { nextAt: isoOf(first.at) };
}

/** Why a trigger could never fire, as a message for its author. */
export function triggerProblem(trigger: Trigger, now: Date): string | undefined {
  const read = readTrigger(trigger, now);
  return "problem" in read ? read.problem : undefined;
}

export const isoOf = (instant: number | undefined): string | null =>
  instant === undefined ? null : new Date(instant).toISOString();

export function sentenceOf(trigger: Trigger): string {
  switch (trigger.kind) {
    case "cron":
      return `By the cron expression "${trigger.cron}" in ${trigger.timezone}.`;
    case "table_update":
      return (
        `When ${trigger.condition === "any" ? "any" : "all"} of ${trigger.tables.join(", ")} ` +
        `change and then stay unchanged for ${trigger.quiet_seconds} s, ` +
        `at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "file_arrival":
      return (
        `When files at ${trigger.path} are added or changed and then stay unchanged for ` +
        `${trigger.quiet_seconds} s, at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "live":
      return "Continuously: a new run starts when the last one ends.";
    case "manual":
      return "Only when you start it.";
  }
}
