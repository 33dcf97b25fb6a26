import type { RetentionStats } from "./retention.ts";

/** Retention in the Prometheus text format, counted per server since its start. */
export function retentionMetrics(stats: readonly RetentionStats[]): string {
  const series = (name: string, type: string, help: string, value: (of: RetentionStats) => number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...stats.map((of) => `${name}{records="${of.kind}"} ${value(of)}`),
  ];
  const lines = [
    ...series(
      "lakehelm_retention_removed_total",
      "counter",
      "Records that were removed.",
      ({ removed }) => removed,
    ),
    ...series(
      "lakehelm_retention_archived_bytes_total",
      "counter",
      "Size of the archive files of these records.",
      ({ archivedBytes }) => archivedBytes,
    ),
    ...series(
      "lakehelm_retention_failures_total",
      "counter",
      "Failed attempts to archive and remove.",
      ({ failures }) => failures,
    ),
    ...series("lakehelm_retention_failing", "gauge", "1 if the last attempt failed.", ({ isFailing }) =>
      Number(isFailing),
    ),
  ];
  return `${lines.join("\n")}\n`;
}
