/**
 * Runs the suites that need real Spark with Delta and a real PostgreSQL: sets up what is missing, then Node's test
 * runner on the files named on the command line, or on all.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { prepareSpark } from "./spark/setup.ts";

const wanted = process.argv.slice(3);
const files = wanted.length > 0 ? wanted : globSync("packages/*/spark/*.spark.ts").sort();
const spark = await prepareSpark(".venv").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-spark-"));
const postgres = await startPostgres(join(scratch, "postgres"));
console.log(`PostgreSQL ${postgres.version} is up; ${files.length} suites on Spark.`);

// Two suites at a time: each has a Spark of its own, which keeps about one core busy.
const runner = spawn(
  process.execPath,
  ["--test", "--test-concurrency=2", "--test-reporter=spec", "--test-timeout=600000", ...files],
  { stdio: "inherit", env: { ...process.env, ...spark, TEST_POSTGRES_URL: postgres.url, TMPDIR: scratch } },
);
const code = await new Promise<number>((done) => runner.on("exit", (status) => done(status ?? 1)));
await postgres.stop();
await rm(scratch, { recursive: true, force: true });
process.exit(code);
