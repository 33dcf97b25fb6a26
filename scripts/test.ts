/**
 * Runs the tests: starts one PostgreSQL for all of them, then Node's test runner on the files named on the command line, or on
 * all `*.test.ts`. With `--engines` it runs the slow suites, `*.engine.ts`, instead. With `--nightly` property tests try
 * all their random cases.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@lakehelm/testing";
import { makeTemplate } from "../packages/server/src/testing/postgres.ts";

const { values, positionals: requested } = parseArgs({
  args: process.argv.slice(3),
  options: { engines: { type: "boolean", default: false }, nightly: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { engines, nightly } = values;
const kind = engines ? "engine" : "test";
const files =
  requested.length > 0
    ? requested
    : globSync(`{packages,bench,examples,scripts,soak}/**/*.${kind}.ts`).sort();
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-test-"));
const postgres = await startPostgres(join(scratch, "postgres"));
await makeTemplate(postgres.url);
console.log(`PostgreSQL ${postgres.version} is running. ${files.length} test files.`);

// The tests of these packages do not affect each other, so all tests of a package share one process. It loads the SQL parser or
// DuckDB once, which saves a minute of CPU time.
const shared = ["contract", "sql", "schedule", "flows", "codegen", "engine"].map(
  (name) => `packages/${name}/src/`,
);
const isShared = (file: string) => !engines && shared.some((folder) => file.startsWith(folder));
/** The soak mostly waits for its schedules, so it runs in parallel with the others. */
const isSoak = (file: string) => file.startsWith("soak/");
const runs = await Promise.all([
  run(
    ["--test-concurrency=3"],
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

interface TestProcessResult {
  readonly code: number;
  /** What the process printed; empty if it printed to our own output. */
  readonly output: Buffer;
}

function run(
  options: readonly string[],
  files: readonly string[],
  output: "inherit" | "pipe",
): Promise<TestProcessResult> {
  const chunks: Buffer[] = [];
  if (files.length === 0) return Promise.resolve({ code: 0, output: Buffer.concat(chunks) });
  const args = [
    "--test",
    "--test-reporter=spec",
    `--test-timeout=${engines ? 600_000 : 120_000}`,
    ...options,
    ...files,
  ];
  const env = {
    ...process.env,
    TEST_POSTGRES_URL: postgres.url,
    TMPDIR: scratch,
    ...(nightly && { TEST_NIGHTLY: "1" }),
    // Node's default is below TMPDIR, which is new each time. With a warm cache a test file starts in half the CPU time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "node-compile-cache"),
  };
  const runner = spawn(process.execPath, args, { stdio: ["inherit", output, "inherit"], env });
  runner.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((done) =>
    runner.on("close", (status) => done({ code: status ?? 1, output: Buffer.concat(chunks) })),
  );
}
