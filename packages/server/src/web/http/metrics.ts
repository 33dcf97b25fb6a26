import { createHistogram, type Histogram, histogramMetric, metric } from "../../core/metrics/prometheus.ts";

/** Bounds of the duration histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly seconds: Histogram;
  readonly statuses: Map<number, number>;
}

export type Observe = (status: number, seconds: number) => void;

export interface Metrics {
  /** Counts the answers of one endpoint. `statuses`: its possible statuses, whose counters are 0 from the start. */
  observer(endpoint: string, statuses: Iterable<number>): Observe;
  /** The Prometheus text format, version 0.0.4. */
  print(): string;
}

export function createMetrics(memory: () => NodeJS.MemoryUsage, uptime: () => number): Metrics {
  const all = new Map<string, Series>();

  return {
    observer(endpoint, statuses) {
      const series: Series = {
        seconds: createHistogram(bounds),
        statuses: new Map([...statuses].map((status) => [status, 0])),
      };
      all.set(endpoint, series);
      return (status, seconds) => {
        series.seconds.observe(seconds);
        series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
      };
    },
    print() {
      const used = [...all].filter(([, { seconds }]) => seconds.count > 0);
      const answers = [...all].flatMap(([endpoint, { statuses }]) =>
        [...statuses].map(([status, count]) => [{ endpoint, status: String(status) }, count] as const),
      );
      return (
        metric("lakehelm_http_requests_total", "counter", "Requests answered.", answers) +
        histogramMetric(
          "lakehelm_http_request_seconds",
          "Time from receiving the request headers to sending the response.",
          bounds,
          used.map(([endpoint, { seconds }]) => [{ endpoint }, seconds]),
        ) +
        metric("process_resident_memory_bytes", "gauge", "Resident memory.", memory().rss) +
        metric("process_uptime_seconds", "gauge", "Time since the start.", uptime())
      );
    },
  };
}
