/**
 * Runs every test: starts one real PostgreSQL for all of them, then Node's test runner on the files named on
 * the command line, or on all. With `--engines`: the long ones, `*.engine.ts`, in their place.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTemplate, startPostgres } from "../packages/server/src/testing/postgres.ts";

const engines = process.argv[3] === "--engines";
const wanted = process.argv.slice(engines ? 4 : 3);
const kind = engines ? "engine" : "test";
const files =
  wanted.length > 0 ? wanted : globSync(`{packages,bench,examples,scripts,soak}/**/*.${kind}.ts`).sort();
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-test-"));
const postgres = await startPostgres(join(scratch, "postgres"));
await makeTemplate(postgres.url);
console.log(`PostgreSQL ${postgres.version} is up; ${files.length} test files.`);

// Contract and code generation are pure, and the engine's parts bring their own folders: the tests of each share one process,
// which loads the SQL parser or DuckDB once. It saves a minute of processor time.
const shared = ["packages/contract/src/", "packages/codegen/src/", "packages/engine/src/"];
const isShared = (file: string) => !engines && shared.some((folder) => file.startsWith(folder));
/** The soak mostly waits for its slots: it goes on beside the others. */
const isSoak = (file: string) => file.startsWith("soak/");
const runs = await Promise.all([
  run(
    ["--test-concurrency=2"],
    files.filter((file) => !isShared(file) && !isSoak(file)),
    "inherit",
  ),
  run([], files.filter(isSoak), "pipe"),
  ...shared.map((folder) =>
    run(
      ["--test-isolation=none"],
      files.filter((file) => isShared(file) && file.startsWith(folder)),
      "pipe",
    ),
  ),
]);
for (const { output } of runs) process.stdout.write(output);
await postgres.stop();
await rm(scratch, { recursive: true, force: true });
process.exit(Math.max(...runs.map(({ code }) => code)));

interface Run {
  readonly code: number;
  /** What it said, where that was kept. */
  readonly output: Buffer;
}

function run(options: readonly string[], some: readonly string[], output: "inherit" | "pipe"): Promise<Run> {
  const kept: Buffer[] = [];
  if (some.length === 0) return Promise.resolve({ code: 0, output: Buffer.concat(kept) });
  const told = [
    "--test",
    "--test-reporter=spec",
    `--test-timeout=${engines ? 600_000 : 120_000}`,
    ...options,
    ...some,
  ];
  const env = {
    ...process.env,
    TEST_POSTGRES_URL: postgres.url,
    TMPDIR: scratch,
    // Where Node keeps it anyway, but for the folder above: a test file then starts with half the processor time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "node-compile-cache"),
  };
  const runner = spawn(process.execPath, told, { stdio: ["inherit", output, "inherit"], env });
  runner.stdout?.on("data", (chunk: Buffer) => kept.push(chunk));
  return new Promise((done) =>
    runner.on("close", (status) => done({ code: status ?? 1, output: Buffer.concat(kept) })),
  );
}
