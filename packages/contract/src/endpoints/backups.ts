import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import { createdBy, Done, dateTime, exampleTime, nullableText, total } from "./shared.ts";

export const Backup = s.model("Backup", {
  id: s
    .string()
    .describe(
      "Time of the request and a random part, such as `20260301T120000000Z-9f3a1c02`. Names the folder.",
    ),
  status: s
    .literal("running", "complete", "failed")
    .describe("`complete`: it can be restored. `failed`: nothing of it is left."),
  path: s.string().describe("Its folder on the machine of the server, for `npm run restore`."),
  created_at: dateTime().describe("When it was requested."),
  created_by: createdBy(),
  ended_at: dateTime().nullable().describe("When it was complete or failed; null: it is running."),
  state_at: dateTime()
    .nullable()
    .describe("The moment that it shows. Null until then: later changes are not in it."),
  event_sequence: s
    .integer()
    .nullable()
    .describe("Sequence of the last event at that moment; null: not known yet."),
  includes_state: s
    .boolean()
    .describe("Whether it has the control state. False with PostgreSQL: back that up with `pg_dump`."),
  held_ms: s
    .integer()
    .describe("For how long runs could not commit to the warehouse that waited longest, in milliseconds."),
  files: s.integer().describe("Number of files in it."),
  bytes: s.integer().describe("Size of these files."),
  server_version: s.string().describe("Version of Lakehelm that made it."),
  schema_version: s.integer().describe("Version of the database schema."),
  error: nullableText().describe("Why it failed; null: it did not fail."),
});
export type Backup = s.Infer<typeof Backup>;

const backup = {
  id: "20260301T120000000Z-9f3a1c02",
  status: "complete",
  path: "/var/lib/lakehelm/backups/20260301T120000000Z-9f3a1c02",
  created_at: exampleTime,
  created_by: "internal-service",
  ended_at: "2026-03-01T12:00:09.000Z",
  state_at: "2026-03-01T12:00:00.100Z",
  event_sequence: 128,
  includes_state: true,
  held_ms: 950,
  files: 214,
  bytes: 1_073_741_824,
  server_version: "0.1.0",
  schema_version: 1,
  error: null,
} as const;

const shared = { tag: "System", scope: "server", access: "admin", needsData: true } as const;

export const createBackup = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/backups",
  summary: "Back up the server while it runs",
  description:
    "Copies the control state (SQLite), the warehouses, workspace files and the archive, as of one moment, into a new folder below `PLATFORM_BACKUP_DIR`. The answer comes at once with the status `running`: read the backup until it is `complete` or `failed`. Runs continue; only their commits wait while a warehouse is copied. The secret key is not part of it.",
  effect: "copies files",
  response: Backup,
  errors: [409],
  example: {
    response: {
      ...backup,
      status: "running",
      ended_at: null,
      state_at: null,
      event_sequence: null,
      held_ms: 0,
      files: 0,
      bytes: 0,
    },
  },
});

export const listBackups = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/backups",
  summary: "List the backups, newest first",
  description: "Those in the folder of backups, and those that failed since the server started.",
  query: listQuery(memoryListFields.backups),
  response: s.model("BackupListResponse", {
    backups: s.list(Backup).describe("The backups on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  example: { response: { backups: [backup], total: 1 } },
});

export const getBackup = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/backups/{backup_id}",
  summary: "Read a backup",
  response: Backup,
  errors: [404],
  example: { response: backup },
});

export const deleteBackup = endpoint({
  ...shared,
  method: "DELETE",
  changes: "nothing",
  path: "/api/v1/backups/{backup_id}",
  summary: "Delete a backup and its files",
  effect: "deletes files",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "The backup was deleted." } },
});
