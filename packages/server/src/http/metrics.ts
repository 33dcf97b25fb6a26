/** Bounds of the duration histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly counts: number[];
  total: number;
  seconds: number;
}

export interface Metrics {
  observe(endpoint: string, status: number, seconds: number): void;
  /** The Prometheus text format, version 0.0.4. */
  print(): string;
}

export function createMetrics(memory: () => NodeJS.MemoryUsage, uptime: () => number): Metrics {
  const durations = new Map<string, Series>();
  const answers = new Map<string, number>();

  return {
    observe(endpoint, status, seconds) {
      let series = durations.get(endpoint);
      if (!series) {
        series = { counts: bounds.map(() => 0), total: 0, seconds: 0 };
        durations.set(endpoint, series);
      }
      series.total += 1;
      series.seconds += seconds;
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] as number) + 1;
      const answer = `endpoint="${endpoint}",status="${status}"`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    },
    print() {
      const lines = [
        "# HELP lakehelm_http_requests_total Requests answered.",
        "# TYPE lakehelm_http_requests_total counter",
        ...[...answers].map(([labels, count]) => `lakehelm_http_requests_total{${labels}} ${count}`),
        "# HELP lakehelm_http_request_seconds Time from the request's head to the end of its answer.",
        "# TYPE lakehelm_http_request_seconds histogram",
        ...[...durations].flatMap(([endpoint, series]) => histogram(endpoint, series)),
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
