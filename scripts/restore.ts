/**
 * Restores a backup into an empty data folder, while no server uses the folder:
 *
 *     npm run restore -- <folder of the backup> [--data-dir <folder>] [--secret-key-file <file>]
 *         [--private-key-file <file>] [--active] [--accept-unsigned]
 *
 * The secret key verifies the signature of the backup. It is read from the given file, or else from
 * `PLATFORM_SECRET_KEY` or `PLATFORM_SECRET_KEY_FILE`. The data folder is `PLATFORM_DATA_DIR` unless it is given. The
 * restored server is paused until an admin resumes it, unless `--active` is given.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { counted } from "../packages/contract/src/text/index.ts";
import { restoreBackup } from "../packages/server/src/resources/backups/restore.ts";

const usage =
  "usage: npm run restore -- <folder of the backup> [--data-dir <folder>] [--secret-key-file <file>] [--private-key-file <file>] [--active] [--accept-unsigned]";

function fail(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

function readArguments() {
  try {
    return parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options: {
        "data-dir": { type: "string" },
        "secret-key-file": { type: "string" },
        "private-key-file": { type: "string" },
        "accept-unsigned": { type: "boolean", default: false },
        active: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n${usage}`, 2);
  }
}

const { values, positionals } = readArguments();
const [backup, ...more] = positionals;
if (backup === undefined || more.length > 0) fail(usage, 2);
const dataDir = resolve(values["data-dir"] ?? process.env.PLATFORM_DATA_DIR ?? "data");
const keyFile = values["secret-key-file"];
const privateKeyFile = values["private-key-file"];

function secretKey(): string | undefined {
  const { PLATFORM_SECRET_KEY: key, PLATFORM_SECRET_KEY_FILE: file } = process.env;
  const path = keyFile ?? (key === undefined ? file : undefined);
  return path === undefined ? key : readFileSync(path, "utf8").trim();
}

try {
  const { manifest, isVerified } = await restoreBackup({
    backup: resolve(backup),
    dataDir,
    secretKey: secretKey(),
    keepsKey: keyFile !== undefined,
    privateKey: privateKeyFile === undefined ? undefined : readFileSync(privateKeyFile, "utf8"),
    acceptsUnsigned: values["accept-unsigned"],
    startsActive: values.active,
  });
  if (!isVerified)
    console.error(
      "Warning: nobody can tell who made this backup. Whoever could write to its folder may have changed users, roles and data. Compare them before you resume the server.",
    );
  console.log(`Restored ${counted(manifest.files, "file")} as of ${manifest.state_at} into ${dataDir}.`);
  if (!manifest.includes_state)
    console.log(
      `The control state is in PostgreSQL: restore its dump before you start the server. This backup belongs to event ${manifest.event_sequence}.`,
    );
  if (keyFile === undefined)
    console.log(
      "Keys are not part of a backup: put the file secret-key into the folder, or set PLATFORM_SECRET_KEY, before you start the server.",
    );
  console.log(
    values.active
      ? "The server will be active as soon as it starts."
      : "The server will be paused. When you have checked it, resume it: POST /api/v1/server/resume",
  );
} catch (error) {
  fail((error as Error).message, 1);
}
