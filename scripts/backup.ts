/**
 * Backs up a running server, and waits until the backup is complete:
 *
 *     PLATFORM_SERVICE_AUTH_TOKEN_FILE=<file> npm run backup -- [--url http://127.0.0.1:8000]
 *
 * The token must belong to an admin. It is read from `PLATFORM_SERVICE_AUTH_TOKEN`, its file, or `service-token` in
 * `PLATFORM_DATA_DIR`. Prints the folder of the backup.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "@lakehelm/contract/client";
import { counted } from "../packages/contract/src/text/index.ts";
import { readCredentialFiles } from "../packages/server/src/credentials.ts";

const lookMs = 500;

function fail(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

function readUrl(): string {
  try {
    const { values } = parseArgs({ args: process.argv.slice(3), options: { url: { type: "string" } } });
    return values.url ?? `http://127.0.0.1:${process.env.PORT || 8000}`;
  } catch (error) {
    return fail(`${(error as Error).message}\nusage: npm run backup -- [--url http://127.0.0.1:8000]`, 2);
  }
}

function readToken(): string {
  const { PLATFORM_SERVICE_AUTH_TOKEN: set, PLATFORM_DATA_DIR: dataDir = "data" } = readCredentialFiles(
    process.env,
  );
  if (set) return set;
  try {
    return readFileSync(join(dataDir, "service-token"), "utf8").trim();
  } catch {
    return fail("No token: set PLATFORM_SERVICE_AUTH_TOKEN_FILE to the file with the token of an admin.", 2);
  }
}

try {
  const client = createClient({ baseUrl: readUrl(), token: readToken() });
  let backup = await client.createBackup();
  while (backup.status === "running") {
    await pause(lookMs);
    backup = await client.getBackup({ params: { backup_id: backup.id } });
  }
  if (backup.status === "failed") fail(`The backup failed. ${backup.error}`, 1);
  console.error(
    `${counted(backup.files, "file")}, ${Math.ceil(backup.bytes / 1_000_000)} MB, as of ${backup.state_at}. Commits waited ${backup.held_ms} ms.`,
  );
  if (!backup.includes_state)
    console.error(
      `It does not have the control state: back up PostgreSQL with pg_dump (event ${backup.event_sequence}).`,
    );
  console.log(backup.path);
} catch (error) {
  fail((error as Error).message, 1);
}
