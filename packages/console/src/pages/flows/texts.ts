import type { Flow } from "@lakehelm/contract";
import { cronTiming, type Timing } from "../../format/schedule.ts";

/** What starts the flow's runs. */
export function timingOf({ trigger_type, schedule }: Flow["definition"]): Timing {
  if (trigger_type === "scheduled" && schedule) return cronTiming(schedule.cron, schedule.timezone ?? "UTC");
  return { text: trigger_type === "table_update" ? "when tables change" : "when you start it" };
}
