/**
 * Measures the server next to floors and a peer.
 *
 *     npm run bench                      measures everything and writes results.md and results.json
 *     npm run bench -- --quick           a short run that writes nothing
 *     npm run bench -- --workspace       only the requests to a workspace; writes nothing
 *     npm run bench -- --check           fails if a ratio fell by more than a quarter since results.json was written
 *     npm run bench -- --check --quick   the same with shorter rounds and without the peer; the gate runs it
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@lakehelm/testing";
import { fallen, readRecorded, writeRecorded } from "./check.ts";
import { measureCodegen } from "./codegen.ts";
import type { Row } from "./comparison.ts";
import { measureDurable } from "./durable.ts";
import { measureGrowth } from "./growth.ts";
import { installPeer } from "./peer.ts";
import { measurePlans } from "./plans.ts";
import { measurePostgres } from "./postgres.ts";
import { cpuSeconds, residentMb, startFloor, startServer } from "./processes.ts";
import { measureReads } from "./reads.ts";
import { report, workspaceReport } from "./report.ts";
import { measureWorkspace } from "./workspace.ts";

const quick = process.argv.includes("--quick");
const check = process.argv.includes("--check");
const rounds = quick ? 5 : 9;
const seconds = quick ? 0.6 : 2;
const sizes = [10, 100_000];
const port = 18_900;

const recorded = check ? readRecorded() : {};
/** A row with a regression is measured again, because another program may have slowed it down. */
const enough = (row: Row) => fallen(recorded[row.name], row).length === 0;

const folder = await mkdtemp(join(tmpdir(), "lakehelm-bench-"));
const began = performance.now();
try {
  if (process.argv.includes("--workspace"))
    console.log(workspaceReport(await measureWorkspace(join(folder, "workspace"), port)));
  else await measureAll();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`);
// The embedded PostgreSQL ends the process with status 0 unless the process exits by itself.
process.exit(process.exitCode);

async function measureAll(): Promise<void> {
  const first = quick || check ? undefined : await firstStart();
  const rows = await measureRows();
  if (check) requireNoFall(rows);
  if (first) await measureRest(rows, first);
}

async function measureRows(): Promise<Row[]> {
  const hasPeer = !quick && (await installPeer());
  const floor = await startFloor();
  const rows = [
    ...(await measureReads({ folder: join(folder, "reads"), port, floor, rounds, seconds, enough })),
  ];
  await floor.stop();
  for (const size of sizes) {
    rows.push(...(await measureDurable({ folder, port, size, rounds, seconds, hasPeer, enough })));
  }
  rows.push(...(await measurePostgres({ folder, port, rounds, seconds, enough })));
  return rows;
}

function requireNoFall(rows: readonly Row[]): void {
  const problems = rows.flatMap((row) =>
    fallen(recorded[row.name], row).map((sentence) => `${row.name}: ${sentence}`),
  );
  const missing = Object.keys(recorded).filter((name) => !rows.some((row) => row.name === name));
  problems.push(...missing.map((name) => `${name}: recorded, but no longer measured`));
  if (problems.length === 0) return void console.log("No ratio fell by more than a quarter.");
  console.error(`Slower than bench/results.json by more than a quarter:\n${problems.join("\n")}`);
  process.exitCode = 1;
}

interface FirstStart {
  readonly firstMemoryMb: number;
  readonly firstStartMs: number;
}

/** The first start fills the compile cache, which all later starts of this benchmark use. */
async function firstStart(): Promise<FirstStart> {
  const first = await startServer(join(folder, "first"), port);
  await sleep(1000);
  const firstMemoryMb = residentMb(first);
  await first.stop();
  return { firstMemoryMb, firstStartMs: first.startMs };
}

/** Measures values without a ratio to check: growth, code generation, start and idle costs. Writes the results. */
async function measureRest(rows: readonly Row[], first: FirstStart): Promise<void> {
  const onPostgres = (await idleOnPostgres()).cpuPercent;
  const idle = { ...(await idleCost("idle")), ...first, onPostgres };
  const growth = await measureGrowth(join(folder, "growth"), port, seconds);
  const fresh = await startServer(join(folder, "codegen"), port);
  const codegen = await measureCodegen(port, seconds);
  await fresh.stop();
  const plans = await measurePlans(join(folder, "plans"), port);
  const workspace = await measureWorkspace(join(folder, "workspace"), port);
  const starts: number[] = [];
  for (let n = 0; n < 5; n++) {
    const again = await startServer(join(folder, `start-${n}`), port);
    starts.push(again.startMs);
    await again.stop();
  }
  const startMs = starts.sort((a, b) => a - b)[2] as number;
  const page = report({ rows, growth, plans, workspace, codegen, startMs, idle });
  await writeFile(join(import.meta.dirname, "results.md"), page);
  writeRecorded(rows);
  console.log(page);
}

/** Memory and processor use of an idle server. */
async function idleCost(
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ memoryMb: number; cpuPercent: number }> {
  const server = await startServer(join(folder, name), port, settings);
  await sleep(5_000);
  // The median of several windows, because the garbage collector and late loading would dominate a single window.
  const shares: number[] = [];
  for (let n = 0; n < 5; n++) {
    const before = cpuSeconds(server);
    await sleep(10_000);
    shares.push(((cpuSeconds(server) - before) / 10) * 100);
  }
  const cost = { memoryMb: residentMb(server), cpuPercent: shares.sort((a, b) => a - b)[2] as number };
  await server.stop();
  return cost;
}

async function idleOnPostgres(): Promise<{ cpuPercent: number }> {
  const postgres = await startPostgres(join(folder, "idle-postgres"));
  try {
    return await idleCost("idle-on-postgres", { DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}
