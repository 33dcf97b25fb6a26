import type { LogStats } from "./log.ts";

/** The event log in the Prometheus text format, counted per server since its start. */
export function eventLogMetrics({ problems, anchored, anchorFailures }: LogStats): string {
  const lines = [
    "# HELP lakehelm_event_log_problems_total Signs of tampering with the event log.",
    "# TYPE lakehelm_event_log_problems_total counter",
    `lakehelm_event_log_problems_total ${problems}`,
    "# HELP lakehelm_event_log_anchored_sequence The last event that the anchor covers.",
    "# TYPE lakehelm_event_log_anchored_sequence gauge",
    `lakehelm_event_log_anchored_sequence ${anchored}`,
    "# HELP lakehelm_event_log_anchor_failures_total Failed attempts to send an anchor.",
    "# TYPE lakehelm_event_log_anchor_failures_total counter",
    `lakehelm_event_log_anchor_failures_total ${anchorFailures}`,
  ];
  return `${lines.join("\n")}\n`;
}
