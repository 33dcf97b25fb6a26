import type { Flow } from "@lakehelm/contract";
import { cronTiming, type Timing } from "../../format/schedule.ts";

/** What starts its runs. */
export function timingOf({ trigger_type, schedule }: Flow["definition"]): Timing {
  if (trigger_type === "scheduled" && schedule) return cronTiming(schedule.cron, schedule.timezone ?? "UTC");
  return { text: trigger_type === "table_update" ? "when tables change" : "when you start it" };
}

/** How it writes its table. */
export function writesText({ scd_type, target_schema }: Flow["definition"]): string {
  const keys = target_schema.columns.filter(({ pk }) => pk).map(({ name }) => name);
  if (keys.length === 0) return "replaces the table in each run";
  return `${scd_type === 2 ? "keeps the history" : "keeps the current row"} of each ${keys.join(", ")}`;
}
