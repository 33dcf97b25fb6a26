/** The Prometheus text format, version 0.0.4. */

/**
 * Prometheus sets `job` and `instance` itself, and renames scraped labels with these names; `le` and `quantile` belong
 * to its histograms and summaries.
 */
export type Labels = Readonly<Record<string, string>> & {
  readonly [Reserved in "job" | "instance" | "le" | "quantile"]?: never;
};
export type Sample = readonly [labels: Labels, value: number];

export function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: number | readonly Sample[],
): string {
  const all = typeof samples === "number" ? ([[{}, samples]] as const) : samples;
  return heading(name, type, help) + all.map(([labels, value]) => line(name, labels, value)).join("");
}

export interface Histogram {
  observe(seconds: number): void;
  readonly count: number;
  readonly sum: number;
  /** For each bound, how many observations were not above it. */
  cumulative(): number[];
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe(value) {
      count += 1;
      sum += value;
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
      if (bucket < bounds.length) counts[bucket] = (counts[bucket] as number) + 1;
    },
    get count() {
      return count;
    },
    get sum() {
      return sum;
    },
    cumulative() {
      let below = 0;
      return counts.map((inBucket) => (below += inBucket));
    },
  };
}

export function histogramMetric(
  name: string,
  help: string,
  bounds: readonly number[],
  series: readonly (readonly [Labels, Histogram])[],
): string {
  const lines = series.flatMap(([labels, histogram]) => [
    ...histogram.cumulative().map((n, at) => line(`${name}_bucket`, labels, n, String(bounds[at]))),
    line(`${name}_bucket`, labels, histogram.count, "+Inf"),
    line(`${name}_sum`, labels, histogram.sum),
    line(`${name}_count`, labels, histogram.count),
  ]);
  return heading(name, "histogram", help) + lines.join("");
}

const heading = (name: string, type: string, help: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

function line(name: string, labels: Labels, value: number, bound?: string): string {
  const all = Object.entries<string>(bound === undefined ? labels : { ...labels, le: bound });
  const written = all.map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${written.length > 0 ? `{${written.join(",")}}` : ""} ${value}\n`;
}

/** Names that users choose may contain anything. */
const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
