import type { Connector } from "@lakehelm/contract";
import { cronTiming, type Timing } from "../../format/schedule.ts";

/** The source and the target of the rows. */
export function directionText({
  target_type,
  target_config,
}: Pick<Connector, "target_type" | "target_config">): string {
  if (target_type !== "warehouse") return `warehouse → ${target_type}`;
  const { connection } = target_config as { readonly connection?: { readonly type?: unknown } };
  return `${typeof connection?.type === "string" ? connection.type : "?"} → warehouse`;
}

/** What starts the connector's runs. */
export function timingOf({
  execution_mode,
  schedule_cron,
}: Pick<Connector, "execution_mode" | "schedule_cron">): Timing {
  if (execution_mode === "batch" && schedule_cron !== null) return cronTiming(schedule_cron, undefined);
  return { text: otherTimings[execution_mode ?? ""] ?? "when you start it" };
}

const otherTimings: Readonly<Record<string, string>> = {
  table_update: "when tables change",
  file_arrival: "when files arrive",
  live: "all the time",
};
