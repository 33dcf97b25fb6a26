/**
 * Runs the suites that need Spark with Delta and PostgreSQL. Installs missing software, then starts Node's test runner
 * on the files named on the command line, or on all of them. With `--nightly`, tests crash at every point; without it,
 * slow tests of parts that rarely break are left out.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@lakehelm/testing";
import { makeTemplate } from "../packages/server/src/testing/postgres.ts";
import { prepareS3Jars } from "./spark/jars.ts";
import { prepareClient, prepareMysqlDriver } from "./spark/python.ts";
import { prepareSpark } from "./spark/setup.ts";

const {
  values: { nightly },
  positionals: requested,
} = parseArgs({
  args: process.argv.slice(3),
  options: { nightly: { type: "boolean", default: false } },
  allowPositionals: true,
});
/**
 * Suites for the nightly run only: the test engine itself, generated code whose text other tests compare, kills of
 * whole servers, other jars, recorded answers of Spark itself, and an example of features that other suites test.
 */
const rarelyBreaks = [
  ...["spark-engine", "auto-loader", "ingestion-files", "ingestion-remote", "reverse-etl-http"].map(
    (name) => `packages/codegen/spark/${name}.spark.ts`,
  ),
  ...[
    "alterations",
    "bucket",
    "capture",
    "conformance",
    "faults",
    "keyword-names",
    "python-pipelines",
    "written-table",
  ].map((name) => `packages/server/spark/${name}.spark.ts`),
  ...["conformance", "dml", "store-assignment"].map((name) => `packages/engine/spark/${name}.spark.ts`),
  "examples/shop/demo.spark.ts",
];
const files =
  requested.length > 0
    ? requested
    : globSync(["packages/*/spark/*.spark.ts", "examples/shop/*.spark.ts"])
        .filter((file) => nightly || !rarelyBreaks.includes(file))
        .sort();
const spark = await prepareSpark(".venv").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const python = spark.TEST_SPARK_PYTHON ?? "";
const client = files.some((file) => file.includes("python-pipelines"))
  ? { TEST_SPARK_CLIENT: await prepareClient(resolve(".venv", "spark-client")) }
  : {};
const driver =
  nightly && files.some((file) => file.endsWith("/reverse-etl.spark.ts"))
    ? { PYTHONPATH: await prepareMysqlDriver(resolve(".venv", "spark-mysql"), python) }
    : {};
const s3 = files.some((file) => file.includes("bucket"))
  ? { TEST_SPARK_S3_JARS: await prepareS3Jars(resolve(".venv", "spark-s3-jars"), python) }
  : {};
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-spark-"));
const postgres = await startPostgres(join(scratch, "postgres"));
await makeTemplate(postgres.url);
console.log(`PostgreSQL ${postgres.version} is running. ${files.length} Spark suites.`);

/**
 * The largest suites start first, so that none runs alone at the end. Node's own runner would sort the files by name.
 */
const largestFirst = ["consumption", "ingestion", "reverse-etl-http", "ingestion-files", "reverse-etl"].map(
  (name) => `packages/codegen/spark/${name}.spark.ts`,
);
/** The suites of the server run in one process, with one Spark Connect server. */
const ofServer = files.filter((file) => /packages\/server\/|examples\//.test(file));
const others = files.filter((file) => !ofServer.includes(file));
const waiting = [
  ...(ofServer.length > 0 ? [ofServer] : []),
  ...largestFirst.filter((file) => others.includes(file)).map((file) => [file]),
  ...others.filter((file) => !largestFirst.includes(file)).map((file) => [file]),
];
const failed: string[] = [];
// Two processes at a time: each starts its own Spark, which uses about one core.
await Promise.all(Array.from({ length: 2 }, runNext));
if (failed.length > 0) console.log(`Failed:\n${failed.join("\n")}`);
await postgres.stop();
await rm(scratch, { recursive: true, force: true });
process.exit(failed.length > 0 ? 1 : 0);

async function runNext(): Promise<void> {
  for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
    const start = performance.now();
    if (!(await passes(some))) failed.push(...some);
    console.log(`${((performance.now() - start) / 1000).toFixed(1)} s: ${some.join(", ")}\n`);
  }
}

/** Runs suites in a process, and prints the output of the process when it has ended. */
function passes(some: readonly string[]): Promise<boolean> {
  const options = ["--test", "--test-reporter=spec", "--test-timeout=1200000"];
  const shares = some === ofServer ? ["--test-isolation=none"] : [];
  const runner = spawn(process.execPath, [...options, ...shares, ...some], {
    stdio: ["inherit", "pipe", "inherit"],
    env: {
      ...process.env,
      ...spark,
      ...client,
      ...driver,
      ...s3,
      TEST_POSTGRES_URL: postgres.url,
      TMPDIR: scratch,
      ...(nightly && { TEST_NIGHTLY: "1" }),
    },
  });
  const chunks: Buffer[] = [];
  runner.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((done) =>
    runner.on("close", (status) => {
      process.stdout.write(Buffer.concat(chunks));
      done(status === 0);
    }),
  );
}
