import { availableParallelism, totalmem } from "node:os";
import type { Growth } from "./growth.ts";
import type { Latency } from "./latency.ts";
import type { Load } from "./load.ts";

interface SparkResults {
  readonly rows: number;
  readonly latency: Latency;
  readonly loads: readonly Load[];
  readonly growth: readonly Growth[];
  /** The memory of server and engine before rows were moved, in megabytes. */
  readonly idleMb: number;
  /** The machine's load average, at the beginning and at the end. */
  readonly load: readonly number[];
}

const count = (n: number) => Math.round(n).toLocaleString("en");
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const verdict = (ok: boolean) => (ok ? "reached" : "**missed**");

export function sparkReport({ rows, latency, loads, growth, idleMb, load }: SparkResults): string {
  const cores = availableParallelism();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const wait = latency.ours / latency.bare;
  const middle = loads.toSorted((a, b) => a.jdbcMs / a.ours.ms - b.jdbcMs / b.ours.ms)[
    Math.floor(loads.length / 2)
  ];
  const speed = middle ? middle.jdbcMs / middle.ours.ms : Number.NaN;
  const [small, large] = growth;
  const [smallMb, largeMb] = [small?.peakMb ?? 0, large?.peakMb ?? 0];
  return `# Spark

Written by \`npm run bench:spark\` on a virtual machine with ${cores} cores and ${gigabytes} GB, Linux ${process.arch}, Node ${process.version}. The Spark Connect
server (Spark 4.1.4, \`local[2]\`, 2 GB), PostgreSQL and Lakehelm share these cores. The machine's load average was ${load.map((one) => one.toFixed(0)).join(" at the beginning and ")} at the
end: above ${cores}, other work took part of the cores, so trust the ratios, which are from the same minutes, rather than the seconds.

| | ours | compared with | ratio | bar | |
|---|---|---|---|---|---|
| \`SELECT 1\` through the API; a bare Connect client in Node (medians) | ${latency.ours.toFixed(0)} ms | ${latency.bare.toFixed(0)} ms | ${wait.toFixed(2)} × | ≤ 2 × | ${verdict(wait <= 2)} |
| ${count(rows)} rows from PostgreSQL by a connector; \`spark.read.jdbc\`, speed | ${seconds(middle?.ours.ms ?? 0)} | ${seconds(middle?.jdbcMs ?? 0)} | ${speed.toFixed(2)} × | ≥ 1 × | ${verdict(speed >= 1)} |
| the same, two readers of JDBC that divide the keys, for information | ${seconds(middle?.ours.ms ?? 0)} | ${seconds(middle?.jdbcTwoReadersMs ?? 0)} | ${((middle?.jdbcTwoReadersMs ?? 0) / (middle?.ours.ms ?? 1)).toFixed(2)} × | | |

The loads are the round with the median ratio of ${loads.length}. JDBC fetches 10,000 rows at a time, and writes a new Delta table as the connector
does; the rows of both are compared.

The connector writes the rows twice, so that rejects, watermark and rows are one commit whatever is killed: the engine stages them as
Parquet, and then the cluster writes them. The two do not overlap. JDBC reads and writes in one pass.

| a pipeline: a streaming table with an expectation, a materialized view over it | ${growth.map((one) => `${count(one.rows)} rows`).join(" | ")} |
|---|${growth.map(() => "---|").join("")}
| first update | ${growth.map((one) => `${one.seconds.toFixed(1)} s`).join(" | ")} |
| next update, without new rows | ${growth.map((one) => `${one.unchangedSeconds.toFixed(1)} s`).join(" | ")} |
| peak memory of server and engine so far | ${growth.map((one) => `${count(one.peakMb)} MB`).join(" | ")} |

Memory of server and engine: ${count(idleMb)} MB before the loads, ${count(Math.max(...loads.map(({ ours }) => ours.peakMb)))} MB at the peak of a load; ${largeMb - smallMb < 20 ? "it did not grow" : `it grew by ${count(largeMb - smallMb)} MB`} with the rows of pipelines,
which stay in the cluster.
`;
}
