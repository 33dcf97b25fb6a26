import { metric } from "../metrics/prometheus.ts";
import type { LogStats } from "./log.ts";

/** The event log in the Prometheus text format, counted per server since its start. */
export const eventLogMetrics = ({ problems, anchored, anchorFailures }: LogStats): string =>
  metric("lakehelm_event_log_problems_total", "counter", "Signs of tampering with the event log.", problems) +
  metric(
    "lakehelm_event_log_anchored_sequence",
    "gauge",
    "The last event that the anchor covers.",
    anchored,
  ) +
  metric(
    "lakehelm_event_log_anchor_failures_total",
    "counter",
    "Failed attempts to send an anchor.",
    anchorFailures,
  );
