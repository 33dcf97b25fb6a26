import { metric } from "../../core/metrics/prometheus.ts";

/** A limit and how much of it is used, for `/metrics`. */
export interface Quota {
  readonly name: string;
  /** Further labels: whose limit it is. */
  readonly of?: Readonly<Record<string, string>>;
  /** Absent where only refusals are counted. */
  readonly used?: number;
  readonly limit?: number;
  /** How often a request was refused because of the limit, since the start. */
  readonly refused?: number;
}

/** Quotas in the Prometheus text format. A limit of 0 means that there is none. */
export function quotaMetrics(quotas: readonly Quota[]): string {
  const series = (
    name: string,
    type: "counter" | "gauge",
    help: string,
    value: (quota: Quota) => number | undefined,
  ) =>
    metric(
      `lakehelm_quota_${name}`,
      type,
      help,
      quotas.flatMap((quota) => {
        const shown = value(quota);
        return shown === undefined ? [] : [[{ quota: quota.name, ...quota.of }, shown] as const];
      }),
    );
  return (
    series("used", "gauge", "How much of a limit is used.", ({ used }) => used) +
    series("limit", "gauge", "The limit.", ({ limit }) => limit) +
    series("refused_total", "counter", "Refusals because of it.", ({ refused }) => refused)
  );
}
