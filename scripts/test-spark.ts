/**
 * Runs the suites that need Spark with Delta and PostgreSQL. Installs what is missing, then starts Node's test runner on the
 * files named on the command line, or on all of them. With `--nightly` tests crash at every point; without it, what takes long and
 * rarely breaks is left out.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@lakehelm/testing";
import { prepareSpark } from "./spark/setup.ts";

const {
  values: { nightly },
  positionals: requested,
} = parseArgs({
  args: process.argv.slice(3),
  options: { nightly: { type: "boolean", default: false } },
  allowPositionals: true,
});
/** It tests the engine of the tests itself. */
const rarelyBreaks = "packages/codegen/spark/spark-engine.spark.ts";
const files =
  requested.length > 0
    ? requested
    : globSync("packages/*/spark/*.spark.ts")
        .filter((file) => nightly || file !== rarelyBreaks)
        .sort();
const spark = await prepareSpark(".venv").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-spark-"));
const postgres = await startPostgres(join(scratch, "postgres"));
console.log(`PostgreSQL ${postgres.version} is running. ${files.length} Spark suites.`);

// Two suites at a time: each starts its own Spark, which uses about one core.
const runner = spawn(
  process.execPath,
  ["--test", "--test-concurrency=2", "--test-reporter=spec", "--test-timeout=600000", ...files],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      ...spark,
      TEST_POSTGRES_URL: postgres.url,
      TMPDIR: scratch,
      ...(nightly && { TEST_NIGHTLY: "1" }),
    },
  },
);
const code = await new Promise<number>((done) => runner.on("exit", (status) => done(status ?? 1)));
await postgres.stop();
await rm(scratch, { recursive: true, force: true });
process.exit(code);
