import type { JobDefinition, JobTrigger } from "@lakehelm/contract";
import { Firings } from "@lakehelm/schedule";
import type { Settings } from "../../settings.ts";

export type Trigger = JobTrigger;
type Policy = Omit<JobDefinition, "trigger">;

/** A definition in which only the trigger is said, and what the job wants otherwise. */
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

/** Always running, at its usual pace. */
export const live: Trigger = {
  kind: "live",
  pause_seconds: 1,
  backoff_seconds: 1,
  max_backoff_seconds: 300,
};

/** Why a trigger could never fire, in a sentence for the one who wrote it. */
export function triggerProblem(trigger: Trigger): string | undefined {
  if (trigger.kind !== "cron") return undefined;
  const { cron, timezone } = trigger;
  try {
    new Firings("* * * * *", timezone);
  } catch {
    return `The time zone ${JSON.stringify(timezone)} is not known.`;
  }
  try {
    if (new Firings(cron, timezone).after(0) !== undefined) return undefined;
    return `The cron expression ${JSON.stringify(cron)} names a day that never comes.`;
  } catch (error) {
    return `The cron expression ${JSON.stringify(cron)} cannot be read: ${(error as Error).message}`;
  }
}

/** When the clock has something to do for a job that is installed at a time: ISO text, null for never. */
export function firstLook(trigger: Trigger, now: Date): string | null {
  if (trigger.kind === "live") return now.toISOString();
  if (trigger.kind !== "cron" || triggerProblem(trigger) !== undefined) return null;
  return isoOf(new Firings(trigger.cron, trigger.timezone).after(now.getTime()));
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
        `changed and then stayed as they were for ${trigger.quiet_seconds} s, ` +
        `at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "file_arrival":
      return (
        `When files at ${trigger.path} came or changed and then stayed as they were for ` +
        `${trigger.quiet_seconds} s, at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "live":
      return "Always: it starts again when its last run has ended.";
    case "manual":
      return "Only when somebody runs it.";
  }
}
