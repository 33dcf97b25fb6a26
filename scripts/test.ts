/**
 * Runs every test: starts one real PostgreSQL for all of them, then Node's test runner on the files named on
 * the command line, or on all.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";

const wanted = process.argv.slice(3);
const files = wanted.length > 0 ? wanted : globSync("{packages,bench,scripts}/**/*.test.ts").sort();
const scratch = await mkdtemp(join(tmpdir(), "lakehelm-test-"));
const postgres = await startPostgres(join(scratch, "postgres"));
console.log(`PostgreSQL ${postgres.version} is up; ${files.length} test files.`);

const runner = spawn(
  process.execPath,
  ["--test", "--test-concurrency=2", "--test-reporter=spec", "--test-timeout=120000", ...files],
  { stdio: "inherit", env: { ...process.env, TEST_POSTGRES_URL: postgres.url, TMPDIR: scratch } },
);
const code = await new Promise<number>((done) => runner.on("exit", (status) => done(status ?? 1)));
await postgres.stop();
await rm(scratch, { recursive: true, force: true });
process.exit(code);
