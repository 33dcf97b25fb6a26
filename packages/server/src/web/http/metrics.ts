/** Bounds of the duration histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly counts: number[];
  readonly statuses: Map<number, number>;
  total: number;
  seconds: number;
}

export type Observe = (status: number, seconds: number) => void;

export interface Metrics {
  /** Counts the answers of one endpoint. */
  observer(endpoint: string): Observe;
  /** The Prometheus text format, version 0.0.4. */
  print(): string;
}

export function createMetrics(memory: () => NodeJS.MemoryUsage, uptime: () => number): Metrics {
  const all = new Map<string, Series>();

  return {
    observer(endpoint) {
      const series: Series = { counts: bounds.map(() => 0), statuses: new Map(), total: 0, seconds: 0 };
      all.set(endpoint, series);
      return (status, seconds) => {
        series.total += 1;
        series.seconds += seconds;
        series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
        let bucket = 0;
        while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
        if (bucket < bounds.length) series.counts[bucket] = (series.counts[bucket] as number) + 1;
      };
    },
    print() {
      const used = [...all].filter(([, { total }]) => total > 0);
      const lines = [
        "# HELP lakehelm_http_requests_total Requests answered.",
        "# TYPE lakehelm_http_requests_total counter",
        ...used.flatMap(([endpoint, { statuses }]) =>
          [...statuses].map(
            ([status, count]) =>
              `lakehelm_http_requests_total{endpoint="${endpoint}",status="${status}"} ${count}`,
          ),
        ),
        "# HELP lakehelm_http_request_seconds Time from receiving the request headers to sending the response.",
        "# TYPE lakehelm_http_request_seconds histogram",
        ...used.flatMap(([endpoint, series]) => histogram(endpoint, series)),
        "# HELP process_resident_memory_bytes Resident memory.",
        "# TYPE process_resident_memory_bytes gauge",
        `process_resident_memory_bytes ${memory().rss}`,
        "# HELP process_uptime_seconds Time since the start.",
        "# TYPE process_uptime_seconds gauge",
        `process_uptime_seconds ${uptime()}`,
      ];
      return `${lines.join("\n")}\n`;
    },
  };
}

function histogram(endpoint: string, { counts, total, seconds }: Series): string[] {
  const label = `endpoint="${endpoint}"`;
  let below = 0;
  const buckets = bounds.map((bound, at) => {
    below += counts[at] as number;
    return `lakehelm_http_request_seconds_bucket{${label},le="${bound}"} ${below}`;
  });
  return [
    ...buckets,
    `lakehelm_http_request_seconds_bucket{${label},le="+Inf"} ${total}`,
    `lakehelm_http_request_seconds_sum{${label}} ${seconds}`,
    `lakehelm_http_request_seconds_count{${label}} ${total}`,
  ];
}
