/**
 * The costs that the platform `spark` adds to a cluster, on a real Spark Connect server with two cores: the latency of
 * a query, the speed of a connector compared with Spark's own JDBC reader, how a pipeline's time grows with its rows,
 * and the server's memory meanwhile. Writes bench/spark.md.
 *
 *     npm run bench:spark -- --rows=2000000 --rounds=3 --large=10000000
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@lakehelm/contract/client";
import { startPostgres } from "@lakehelm/testing";
import { freePort } from "@lakehelm/testing/free-port";
import pg from "pg";
import { peakOf } from "./movement/api.ts";
import { createOrders } from "./movement/orders.ts";
import { startServer, token } from "./processes.ts";
import { startBenchCluster } from "./spark/cluster.ts";
import { type Growth, measureGrowth } from "./spark/growth.ts";
import { measureLatency } from "./spark/latency.ts";
import { type Load, measureLoad } from "./spark/load.ts";
import { sparkReport } from "./spark/report.ts";

const option = (name: string, usual: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const rows = option("rows", 2_000_000);
const rounds = option("rounds", 3);
const large = option("large", 10_000_000);
const queries = option("queries", 100);

const scratch = await mkdtemp(join(tmpdir(), "lakehelm-bench-spark-"));
const staging = join(scratch, "staging");
await mkdir(staging);
await mkdir(join(scratch, "spark"));
const stops: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
try {
  const postgres = await startPostgres(join(scratch, "postgres"));
  stops.push(() => postgres.stop());
  const cluster = await startBenchCluster(join(scratch, "spark"));
  stops.push(cluster.stop);
  await cluster.run("CREATE SCHEMA main.bench");
  const port = await freePort();
  const server = await startServer(join(scratch, "data"), port, {
    PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
    PLATFORM_CONNECTOR_FOLDERS: staging,
  });
  stops.push(server.stop);
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token });
  const configuration = {
    ...{ remote: cluster.remote, token: cluster.token, staging },
    ...{ catalog: "main", schema: "bench" },
  };
  const { id: environment } = await client.createEnvironment({
    body: { name: "cluster", platform: "spark", configuration },
  });
  const load = [loadavg()[0] ?? 0];
  const latency = await measureLatency(cluster, client, environment, queries);
  console.error(`SELECT 1: bare ${latency.bare.toFixed(0)} ms, ours ${latency.ours.toFixed(0)} ms`);
  const growth: Growth[] = [];
  const idleMb = peakOf(server);
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query(createOrders(rows));
  await database.end();
  const loads: Load[] = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = await measureLoad(cluster, client, server, {
      ...{ environment, rows, round },
      postgres: new URL(postgres.url),
    });
    loads.push(measured);
    const { jdbcMs, jdbcTwoReadersMs, ours } = measured;
    const ms = [jdbcMs, jdbcTwoReadersMs, ours.ms].map((one) => Math.round(one));
    console.error(`round ${round}: JDBC ${ms[0]} ms, with two readers ${ms[1]} ms, ours ${ms[2]} ms`);
  }
  for (const count of [large / 10, large]) {
    const measured = await measureGrowth(cluster, client, server, environment, count);
    growth.push(measured);
    console.error(`pipeline, ${count} rows: ${measured.seconds} s, unchanged ${measured.unchangedSeconds} s`);
  }
  load.push(loadavg()[0] ?? 0);
  const report = sparkReport({ rows, latency, loads, growth, idleMb, load });
  console.log(report);
  if (rows === 2_000_000) await writeFile(join(import.meta.dirname, "spark.md"), report);
} finally {
  for (const stop of stops.toReversed()) await stop();
}
