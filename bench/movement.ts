/**
 * Moves a table from a real PostgreSQL to the warehouse and back, in full and with one row in a hundred changed, beside the floor:
 * binary COPY to nowhere, and from a ready file. Ours goes the whole way: a server as `npm start` runs it, connectors, runs.
 * Floors and ours take turns; what counts is the round with the median ratio. Writes bench/movement.md.
 *
 *     npm run bench:movement -- --rows=2000000 --rounds=3 --large=10000000
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@lakehelm/testing";
import pg from "pg";
import { startMovers } from "./movement/api.ts";
import { p99At } from "./movement/latency.ts";
import { changeOrders, createOrders } from "./movement/orders.ts";
import { type Large, movementReport, type Round } from "./movement/report.ts";
import { run } from "./movement/telling.ts";

const option = (name: string, usual: number): number =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const rows = option("rows", 2_000_000);
const rounds = option("rounds", 3);
const largeRows = option("large", 10_000_000);
const perSecond = 200;
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
  const report = movementReport(rows, measured, large);
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
  const movers = await startMovers(join(scratch, `data-${round}`), port, new URL(postgres.url));
  const floorOut = await quietly(() => run("floor.ts", "out", postgres.url));
  const inFull = await quietly(movers.moveIn);
  const floorIn = await quietly(() => run("floor.ts", "in", postgres.url, file));
  const backFull = await quietly(movers.moveOut);
  await requireSame();
  await client.query(changeOrders(rows));
  const inChanged = await movers.moveIn();
  const backChanged = await movers.moveOut();
  await requireSame();
  // As long as a load takes, so that both have about as many requests.
  const idleP99 = await p99At(
    port,
    movers.onePath,
    perSecond,
    new Promise((over) => setTimeout(over, inFull.ms)),
  );
  const loading = movers.moveInAgain();
  const busyP99 = await p99At(port, movers.onePath, perSecond, loading);
  await loading;
  await movers.stop();
  const told = { floorOut, inFull, floorIn, backFull, inChanged, backChanged };
  const line = Object.entries(told).map(([what, { ms }]) => `${what} ${Math.round(ms)} ms`);
  console.error(`round ${round}: ${line.join(", ")}, p99 ${idleP99.toFixed(1)} → ${busyP99.toFixed(1)} ms`);
  return { ...told, idleP99, busyP99 };
}

/** Memory must not grow with the table. */
async function manyRows(): Promise<Large> {
  await makeOrders(largeRows);
  const movers = await startMovers(join(scratch, "data-large"), port, new URL(postgres.url));
  const moved = [await movers.moveIn(), await movers.moveOut()];
  await movers.stop();
  return { rows: largeRows, peakMb: Math.max(...moved.map(({ peakMb }) => peakMb)) };
}

async function makeOrders(count: number): Promise<void> {
  await client.query("DROP TABLE IF EXISTS orders, floor, back, _lakehelm_marks");
  await client.query(createOrders(count));
  await client.query("VACUUM ANALYZE orders");
}

/** PostgreSQL writes down what it has in memory first, so that it does not do so in the midst of a full load. */
async function quietly<Result>(measure: () => Promise<Result>): Promise<Result> {
  await client.query("CHECKPOINT");
  return measure();
}

/** What went there and back is what was there: the same rows, by their number and a hash over all columns. */
async function requireSame(): Promise<void> {
  const print = (table: string) =>
    `SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)::numeric) AS print FROM ${table} t`;
  const [there, back] = await Promise.all(["orders", "back"].map((table) => client.query(print(table))));
  if (there?.rows[0].print !== back?.rows[0].print) {
    throw new Error(`The rows are not the same: ${there?.rows[0].print} there, ${back?.rows[0].print} back.`);
  }
}
