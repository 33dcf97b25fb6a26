import type { Connector } from "@lakehelm/contract";

/** Where the rows come from, and where they go. */
export function directionText({
  target_type,
  target_config,
}: Pick<Connector, "target_type" | "target_config">): string {
  if (target_type !== "warehouse") return `warehouse → ${target_type}`;
  const { connection } = target_config as { readonly connection?: { readonly type?: unknown } };
  return `${typeof connection?.type === "string" ? connection.type : "?"} → warehouse`;
}

/** What starts its runs, in a few words. */
export function scheduleText({
  execution_mode,
  schedule_cron,
}: Pick<Connector, "execution_mode" | "schedule_cron">): string {
  switch (execution_mode) {
    case "batch":
      return schedule_cron ?? "when you start it";
    case "table_update":
      return "when tables change";
    case "file_arrival":
      return "when files arrive";
    case "live":
      return "all the time";
    default:
      return "when you start it";
  }
}
