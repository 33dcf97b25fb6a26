/**
 * Moves one large table through every kind of connector, out of the warehouse and back in: a first load, and a second
 * load with one row in a hundred changed, with and without a watermark. The server runs as with `npm start`, with 1 GB
 * for the engine. Counts and sums are compared after each load. The systems are tried in the order of `--only`. With
 * `--write`, the lines of a system replace its earlier lines in bench/sizes.json as soon as all its rows have arrived,
 * and bench/sizes.md is printed from that file. `--second=parquet` leaves out the second load of all other systems.
 *
 *     npm run bench:sizes -- --rows=10000000 --only=postgresql,parquet --watermark=no --write
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startPostgres } from "@lakehelm/testing";
import pg from "pg";
import { createOrders } from "./movement/orders.ts";
import { startServer } from "./processes.ts";
import { keepLines, type SizeLine } from "./sizes/report.ts";
import type { SizedSystem } from "./sizes/system.ts";
import { openSystems } from "./sizes/systems.ts";
import { createTransfers } from "./sizes/transfers.ts";

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const rows = Number(option("rows") ?? 10_000_000);
/** The memory limit of the whole engine process. */
const memoryMb = Number(option("memory") ?? 1024);
const only = option("only")?.split(",");
const watermarks = option("watermark") === undefined ? [true, false] : [option("watermark") === "yes"];
const second = option("second")?.split(",");
const port = await freePort();

const scratch = await mkdtemp(join(tmpdir(), "lakehelm-sizes-"));
const files = join(scratch, "files");
await mkdir(files);
const postgres = await startPostgres(join(scratch, "postgres"), { settings: ["wal_level=logical"] });
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
const server = await startServer(join(scratch, "data"), port, {
  PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
  PLATFORM_ENGINE_MEMORY_MB: String(memoryMb),
  PLATFORM_CONNECTOR_FOLDERS: files,
  PLATFORM_QUERY_TIMEOUT_SECONDS: "600",
});
const transfers = createTransfers(server);
const lines: SizeLine[] = [];
const failures: string[] = [];
const closing: (() => Promise<void>)[] = [];
try {
  await client.query(createOrders(rows));
  const systems = await openSystems({ files, postgres: new URL(postgres.url), rows, closing });
  const source = systems.find(({ name }) => name === "postgresql");
  if (!source) throw new Error("The rows come from PostgreSQL.");
  const arrival = await measure(source, "in", true, "orders");
  await arrival.load("first load");
  const chosen = only ? only.flatMap((one) => systems.filter(({ name }) => name === one)) : systems;
  for (const [round, system] of chosen.entries()) {
    await moveThrough(system, round + 1, arrival)
      .then(() => (process.argv.includes("--write") ? keepLines(lines) : undefined))
      .catch((error: Error) => {
        console.error(error);
        failures.push(`${system.name}: ${error.message}`);
      });
    lines.length = 0;
    await system.clear?.();
  }
} finally {
  console.log(failures.length === 0 ? "Everything arrived." : failures.join("\n"));
  for (const close of closing) await close();
  await server.stop();
  await client.end();
  await postgres.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = failures.length > 0 ? 1 : 0;

type Direction = SizeLine["direction"];

/** Creates a connector of a system, whose loads become lines of the report. */
async function measure(
  system: SizedSystem,
  direction: Direction,
  hasWatermark: boolean,
  table: string,
): Promise<{ load(what: SizeLine["load"]): Promise<void> }> {
  const run = await transfers.connector(system, direction, hasWatermark, table);
  return {
    async load(what) {
      const result = await run();
      const line = {
        rows,
        memoryMb,
        system: system.name,
        direction,
        hasWatermark,
        load: what,
        isCompared: true,
        ...result,
      };
      lines.push(line);
      console.error(JSON.stringify(line));
    },
  };
}

/**
 * Moves rows out of the warehouse and back in, twice, with changes in between. The tables are compared after each load.
 */
async function moveThrough(
  system: SizedSystem,
  round: number,
  arrival: Awaited<ReturnType<typeof measure>>,
): Promise<void> {
  const variants = await Promise.all(
    (system.watermarks ?? watermarks).map(async (hasWatermark) => {
      const table = `by_${system.name}_${hasWatermark ? "watermark" : "comparison"}`;
      return {
        table,
        out: system.target && (await measure(system, "out", hasWatermark, table)),
        in: system.source && (await measure(system, "in", hasWatermark, table)),
      };
    }),
  );
  const loadAll = async (what: SizeLine["load"]) => {
    for (const variant of variants) {
      await variant.out?.load(what);
      await variant.in?.load(what);
    }
  };
  const compareAll = async () => {
    await requireArrived();
    for (const { table } of variants) await requireSame(system, table);
  };
  await loadAll("first load");
  await compareAll();
  if (second && !second.includes(system.name)) return;
  if (system.change) await system.change(round);
  else {
    await client.query(changed(round));
    await arrival.load("1 % changed");
  }
  await loadAll("1 % changed");
  await compareAll();
}

/** Requires that the rows which all systems use have arrived. */
async function requireArrived(): Promise<void> {
  const { rows: found } = await client.query<[string]>({ text: allSums("orders"), rowMode: "array" });
  const arrived = await transfers.query(allSums("orders"));
  if (arrived !== found[0]?.[0])
    throw new Error(`orders: ${arrived} arrived, PostgreSQL has ${found[0]?.[0]}.`);
}

async function requireSame(system: SizedSystem, table: string): Promise<void> {
  const sumsOf = (name: string) => transfers.query(system.columns ? fewSums(name) : allSums(name));
  const expected = (await system.expectedSums?.()) ?? (await sumsOf("orders"));
  const found = (await system.arrivedSums?.(table)) ?? (await sumsOf(table));
  if (found !== expected)
    throw new Error(`${system.name}, ${table}: ${found} arrived, ${expected} were expected.`);
}

/** Sums that are the same in every system, whatever types it has. */
function allSums(table: string): string {
  const integers = ["id", "quantity", "round(price * 100)", "length(email)", "length(note)"];
  const sums = integers.map((value) => `sum(CAST(${value} AS BIGINT))`);
  return `SELECT concat_ws(' ', count(*), count(note), ${sums.join(", ")}) FROM ${table}`;
}

function fewSums(table: string): string {
  return `SELECT concat_ws(' ', count(*), sum(id), sum(quantity)) FROM ${table}`;
}

/** Changes another hundredth of the rows each time, with later times than all rows before. */
function changed(round: number): string {
  const later = `timestamptz '2040-01-01 00:00:00+00' + interval '${round} years' + id * interval '1 second'`;
  return `UPDATE orders SET quantity = quantity + 1, note = 'changed ' || id, updated_at = ${later} WHERE id % 100 = ${round}`;
}
