/**
 * Runs the tests: starts one PostgreSQL for all of them, then Node's test runner on the files named on the command
 * line, or on all `*.test.ts`. With `--engines` it runs the slow suites instead, `*.engine.ts`; with `--security` the
 * attacks on a running server, `*.security.ts`; with `--console` the console in a browser, `*.console.ts`; with
 * `--databricks` the suites in an existing workspace, `*.databricks.ts`. With `--nightly`, tests also try cases that
 * take long and rarely break.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { startPostgres } from "@lakehelm/testing";
import { makeTemplate } from "../packages/server/src/testing/postgres.ts";

const { values, positionals: requested } = parseArgs({
  args: process.argv.slice(3),
  options: {
    engines: { type: "boolean", default: false },
    security: { type: "boolean", default: false },
    console: { type: "boolean", default: false },
    databricks: { type: "boolean", default: false },
    nightly: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { engines, nightly } = values;
const kind = engines
  ? "engine"
  : ((["security", "console", "databricks"] as const).find((one) => values[one]) ?? "test");
/** The time limit of a test and of its suite. Compute of a real workspace takes minutes to start. */
const timeoutMs =
  ({ test: 120_000, databricks: 3 * 3_600_000 }[kind as string] ?? 600_000) * (nightly ? 10 : 1);
/** Slow suites that rarely break, or whose subject others test with fewer cases. Only `--nightly` runs them. */
const rarelyBreaks = [
  "examples/deploy/deploy.engine.ts",
  "packages/cli/src/dev/tutorials.engine.ts",
  ...["keyword-names", "memory", "watermark"].map((name) => `packages/engine/src/transfer/${name}.engine.ts`),
  "packages/engine/src/pipelines/keyword-names.engine.ts",
  ...["full-disk", "largest-state", "prometheus", "untrusted-certificates"].map(
    (name) => `packages/server/src/${name}.engine.ts`,
  ),
  "packages/server/src/resources/automations/validation-kills.engine.ts",
  "packages/server/src/resources/chat/kills.engine.ts",
  "packages/server/src/runtime/lineage/openlineage.engine.ts",
];
const files =
  requested.length > 0
    ? requested
    : globSync(`{packages,bench,examples,scripts,security}/**/*.${kind}.ts`)
        .filter((file) => nightly || !rarelyBreaks.includes(file))
        .sort();
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-test-"));
const memory = await folderInMemory();
const postgres = await startPostgres(join(memory ?? scratch, "postgres"));
await makeTemplate(postgres.url);
console.log(`PostgreSQL ${postgres.version} is running. ${files.length} test files.`);

/** The slowest suites start first. Node's own runner would start files in the order of their names. */
const longestFirst = [
  ...(nightly
    ? ["every-type", "changed-types", "every-key-export", "source-definitions", "memory"].map(
        (name) => `packages/engine/src/transfer/${name}.engine.ts`,
      )
    : []),
  "packages/engine/src/transfer/crash-recovery.engine.ts",
  "packages/engine/src/pipelines/crash-recovery.engine.ts",
  "packages/server/src/upgrade.engine.ts",
  "examples/shop/demo.engine.ts",
  "security/queries.security.ts",
  "security/files.security.ts",
];
/** A process that loads the server, the SQL parser or DuckDB takes a second of CPU time before its first test. */
const filesPerProcess = 20;
/**
 * More than the number of cores, because tests also wait for databases, disks and processes. A browser is several
 * processes.
 */
const atOnce = availableParallelism() + (kind === "console" ? 1 : 2);
const processes = kind === "test" ? sharedProcesses(files) : ownProcesses(files);
const failures = await runAll(processes, atOnce);
if (processes.length > 1) for (const { output } of failures) process.stdout.write(output);
if (failures.length > 0) console.log(`Failed:\n${failures.map(({ files }) => files.join("\n")).join("\n")}`);
await postgres.stop();
for (const folder of [scratch, memory]) if (folder) await rm(folder, { recursive: true, force: true });
process.exit(failures.length > 0 ? 1 : 0);

/**
 * Every test creates and drops a database, which consists of about 500 files: in memory this takes half the time. In
 * tests PostgreSQL does not wait for the disk anyway. Undefined if Linux has no such folder, or too little space in it.
 */
async function folderInMemory(): Promise<string | undefined> {
  const shared = "/dev/shm";
  const space = await statfs(shared).catch(() => undefined);
  if (!space || space.bavail * space.bsize < 4 * 1024 ** 3) return undefined;
  return mkdtemp(join(shared, "lakehelm-test-"));
}

type TestFiles = readonly string[];

/**
 * Fast tests do not affect each other, so a process runs many files of a package. Files are distributed in turn,
 * because neighboring files are similar, and a process with all slow files would run alone at the end. For the same
 * reason the server's files come first.
 */
function sharedProcesses(files: TestFiles): TestFiles[] {
  const byPackage = Object.groupBy(files, (file) => /^packages\/\w+\//.exec(file)?.[0] ?? "");
  const { "packages/server/": server = [], ...others } = byPackage;
  return [server, ...Object.values(others)].flatMap((some = []) => {
    const count = Math.ceil(some.length / filesPerProcess);
    return Array.from({ length: count }, (_, n) => some.filter((_, at) => at % count === n));
  });
}

/** Slow suites start and kill servers, so each file runs in its own process. */
function ownProcesses(files: TestFiles): TestFiles[] {
  const first = longestFirst.filter((file) => files.includes(file));
  return [...first, ...files.filter((file) => !first.includes(file))].map((file) => [file]);
}

interface FailedProcess {
  readonly files: TestFiles;
  readonly output: Buffer;
}

/** Runs several processes at once and prints their output. Returns the failed ones. */
async function runAll(processes: readonly TestFiles[], atOnce: number): Promise<FailedProcess[]> {
  const waiting = [...processes];
  const failed: FailedProcess[] = [];
  const runNext = async () => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const start = performance.now();
      const { passed, output } = await run(files, processes.length === 1);
      if (processes.length > 1) process.stdout.write(output);
      if (!passed) failed.push({ files, output });
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${seconds} s: ${files[0]}${files.length > 1 ? ` and ${files.length - 1} more` : ""}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  return failed;
}

interface TestProcessResult {
  readonly passed: boolean;
  /** The output of the process. */
  readonly output: Buffer;
}

function run(files: TestFiles, printsAtOnce: boolean): Promise<TestProcessResult> {
  const chunks: Buffer[] = [];
  const args = [
    "--test",
    "--test-reporter=spec",
    "--test-isolation=none",
    `--test-timeout=${timeoutMs}`,
    ...files,
  ];
  const env = {
    ...process.env,
    TEST_POSTGRES_URL: postgres.url,
    TMPDIR: scratch,
    ...(nightly && { TEST_NIGHTLY: "1" }),
    // Node's default folder is below TMPDIR, which is new each time. With a warm cache a test file starts in half the
    // CPU time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "node-compile-cache"),
  };
  const runner = spawn(process.execPath, args, { stdio: ["inherit", "pipe", "inherit"], env });
  runner.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (printsAtOnce) process.stdout.write(chunk);
  });
  return new Promise((done) =>
    runner.on("close", (status) => {
      const output = Buffer.concat(chunks);
      done({ passed: status === 0 && hasPassed(output.toString()), output });
    }),
  );
}

/** The exit status is not enough: an imported package may end the process with status 0 although a test has failed. */
function hasPassed(output: string): boolean {
  const lines = new Set(stripVTControlCharacters(output).split("\n"));
  return lines.has("ℹ fail 0") && lines.has("ℹ cancelled 0");
}
