/**
 * Transfers a table from a real PostgreSQL to the warehouse and back, in full and with one row in a hundred changed.
 * The floors are a binary COPY whose output is discarded, and a binary COPY from a prepared file. Our measurement
 * covers the whole path: a server as `npm start` runs it, connectors, runs. The floors and our transfers alternate, and
 * the round with the median ratio counts. Writes bench/movement.md.
 *
 *     npm run bench:movement -- --rows=2000000 --rounds=3 --large=10000000
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@lakehelm/testing";
import pg from "pg";
import { startTransferServer } from "./movement/api.ts";
import { p99At } from "./movement/latency.ts";
import { changeOrders, createOrders } from "./movement/orders.ts";
import { type Large, movementReport, type Round } from "./movement/report.ts";
import { run } from "./movement/sample.ts";

const option = (name: string, usual: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const rows = option("rows", 2_000_000);
const rounds = option("rounds", 3);
const largeRows = option("large", 10_000_000);
const perSecond = 200;
const [load = 0] = loadavg();
const port = 8199;

const scratch = await mkdtemp(join(tmpdir(), "lakehelm-movement-"));
const postgres = await startPostgres(join(scratch, "postgres"));
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
const file = join(scratch, "orders.bin");
try {
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round++) measured.push(await oneRound(round));
  const large = largeRows > 0 ? await manyRows() : undefined;
  const report = movementReport(rows, measured, large, load);
  console.log(report);
  if (rows === 2_000_000) await writeFile(join(import.meta.dirname, "movement.md"), report);
} finally {
  await client.end();
  await postgres.stop();
  await rm(scratch, { recursive: true, force: true });
}

async function oneRound(round: number): Promise<Round> {
  await makeOrders(rows);
  if (round === 1) await run("floor.ts", "save", postgres.url, file);
  const server = await startTransferServer(join(scratch, `data-${round}`), port, new URL(postgres.url));
  const floorOut = await afterCheckpoint(() => run("floor.ts", "out", postgres.url));
  const inFull = await afterCheckpoint(server.moveIn);
  const floorIn = await afterCheckpoint(() => run("floor.ts", "in", postgres.url, file));
  const backFull = await afterCheckpoint(server.moveOut);
  await requireSame();
  await client.query(changeOrders(rows));
  const inChanged = await server.moveIn();
  const backChanged = await server.moveOut();
  await requireSame();
  // The measurement lasts as long as a load, so that both have about the same number of requests.
  const idleP99 = await p99At(
    port,
    server.onePath,
    perSecond,
    new Promise((over) => setTimeout(over, inFull.ms)),
  );
  const loading = server.moveInAgain();
  const busyP99 = await p99At(port, server.onePath, perSecond, loading);
  await loading;
  await server.stop();
  const samples = { floorOut, inFull, floorIn, backFull, inChanged, backChanged };
  const line = Object.entries(samples).map(([what, { ms }]) => `${what} ${Math.round(ms)} ms`);
  console.error(`round ${round}: ${line.join(", ")}, p99 ${idleP99.toFixed(1)} → ${busyP99.toFixed(1)} ms`);
  return { ...samples, idleP99, busyP99 };
}

/** Memory must not grow with the table. */
async function manyRows(): Promise<Large> {
  await makeOrders(largeRows);
  const server = await startTransferServer(join(scratch, "data-large"), port, new URL(postgres.url));
  const moved = [await server.moveIn(), await server.moveOut()];
  await server.stop();
  return { rows: largeRows, peakMb: Math.max(...moved.map(({ peakMb }) => peakMb)) };
}

async function makeOrders(count: number): Promise<void> {
  await client.query("DROP TABLE IF EXISTS orders, floor, back, _lakehelm_marks");
  await client.query(createOrders(count));
  await client.query("VACUUM ANALYZE orders");
}

/** Measures after a checkpoint, so that PostgreSQL does not start one during a full load. */
async function afterCheckpoint<Result>(measure: () => Promise<Result>): Promise<Result> {
  await client.query("CHECKPOINT");
  return measure();
}

/** Requires that the returned rows equal the sent rows: the same count, and the same hash over all columns. */
async function requireSame(): Promise<void> {
  const fingerprint = (table: string) =>
    `SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)::numeric) AS fingerprint FROM ${table} t`;
  const [before, after] = await Promise.all(
    ["orders", "back"].map((table) => client.query(fingerprint(table))),
  );
  if (before?.rows[0].fingerprint !== after?.rows[0].fingerprint) {
    throw new Error(
      `The rows differ: ${before?.rows[0].fingerprint} left, ${after?.rows[0].fingerprint} came back.`,
    );
  }
}
