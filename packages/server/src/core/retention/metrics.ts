import { metric } from "../metrics/prometheus.ts";
import type { RetentionStats } from "./retention.ts";

/** Retention in the Prometheus text format, counted per server since its start. */
export function retentionMetrics(stats: readonly RetentionStats[]): string {
  const series = (
    name: string,
    type: "counter" | "gauge",
    help: string,
    value: (of: RetentionStats) => number,
  ) =>
    metric(
      `lakehelm_retention_${name}`,
      type,
      help,
      stats.map((of) => [{ records: of.kind }, value(of)]),
    );
  return (
    series("removed_total", "counter", "Records that were removed.", ({ removed }) => removed) +
    series(
      "archived_bytes_total",
      "counter",
      "Size of the archive files of these records.",
      ({ archivedBytes }) => archivedBytes,
    ) +
    series(
      "failures_total",
      "counter",
      "Failed attempts to archive and remove.",
      ({ failures }) => failures,
    ) +
    series("failing", "gauge", "1 if the last attempt failed.", ({ isFailing }) => Number(isFailing))
  );
}
