/**
 * Rewrites the SQLite database of a data folder without its unused pages, while no server uses the folder:
 *
 *     npm run compact -- [--data-dir <folder>]
 *
 * Needed once, for a database of more than 64 MB from an earlier version: since then the server itself returns unused
 * pages to the disk. The free disk space must be at least the size of the database. A kill leaves the database
 * unchanged.
 */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { lockFolder } from "../packages/server/src/core/concurrency/file-lock.ts";

const usage = "usage: npm run compact -- [--data-dir <folder>]";

function fail(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

function readArguments() {
  try {
    return parseArgs({ args: process.argv.slice(3), options: { "data-dir": { type: "string" } } });
  } catch (error) {
    return fail(`${(error as Error).message}\n${usage}`, 2);
  }
}

const dataDir = resolve(readArguments().values["data-dir"] ?? process.env.PLATFORM_DATA_DIR ?? "data");
const path = join(dataDir, "lakehelm.db");
if (!existsSync(path)) fail(`${dataDir} has no database: with PostgreSQL, its autovacuum does this.`, 1);
const megabytes = () => Math.ceil(statSync(path).size / 1024 / 1024);

try {
  const lock = lockFolder(dataDir);
  const before = megabytes();
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec("pragma auto_vacuum = incremental; vacuum; pragma wal_checkpoint(truncate)");
  database.close();
  lock.release();
  console.log(`${path}: ${before} MB before, ${megabytes()} MB now.`);
} catch (error) {
  fail((error as Error).message, 1);
}
