import { DataProblem } from "../../../protocol/problem.ts";
import type { ConnectionCheck } from "../../checks.ts";
import type { PostgresSession } from "../session.ts";
import type { PostgresSlot } from "./slot.ts";

/** The settings of a server that matter for logical replication. */
export interface PostgresServer {
  readonly version: number;
  readonly encoding: string;
  readonly wal_level: string;
  readonly is_standby: boolean;
  readonly may_replicate: boolean;
  readonly slots: number;
  readonly used_slots: number;
  readonly system: string;
  readonly timeline: number;
  /** The end of the server's log, as far as it is on disk. */
  readonly position: string;
}

/** Amazon RDS has a role instead of the attribute. */
const serverQuery = `
SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
       current_setting('wal_level') AS wal_level, pg_is_in_recovery() AS is_standby,
       (SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user)
         OR EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'rds_replication' AND pg_has_role(oid, 'MEMBER')) AS may_replicate,
       current_setting('max_replication_slots')::int AS slots, (SELECT count(*)::int FROM pg_replication_slots) AS used_slots,
       (SELECT system_identifier::text FROM pg_control_system()) AS system,
       CASE WHEN pg_is_in_recovery() THEN 0
         ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
       CASE WHEN pg_is_in_recovery() THEN '0/0' ELSE pg_current_wal_flush_lsn()::text END AS position`;

export async function readServer(session: PostgresSession): Promise<PostgresServer> {
  const { rows } = await session.query<PostgresServer & Record<string, unknown>>(
    `Reading the settings of ${session.serverName}`,
    serverQuery,
  );
  const [server] = rows;
  if (!server) throw new Error("The server has not answered.");
  return server;
}

/** The checks of a server, in order. Each throws a DataProblem with what to do. */
export function requireServer(
  { serverName, settings }: PostgresSession,
  server: () => Promise<PostgresServer>,
  slot: () => Promise<PostgresSlot | undefined>,
): readonly ConnectionCheck[] {
  return [
    async () => {
      const { wal_level, version, is_standby, encoding } = await server();
      if (version < 130_000)
        throw new DataProblem(
          `${serverName} is PostgreSQL ${Math.floor(version / 10_000)}. "capture": "log" needs PostgreSQL 13 or newer.`,
        );
      if (is_standby)
        throw new DataProblem(`${serverName} is a standby. "capture": "log" needs the primary server.`);
      if (encoding === "SQL_ASCII")
        throw new DataProblem(
          `${serverName} has the encoding SQL_ASCII, so texts in its log may not be UTF-8. Use "capture": "query".`,
        );
      if (wal_level !== "logical")
        throw new DataProblem(
          `wal_level of ${serverName} is ${wal_level}. Run ALTER SYSTEM SET wal_level = logical; and restart the server.`,
        );
      return "wal_level is logical";
    },
    async () => {
      const { may_replicate } = await server();
      if (!may_replicate)
        throw new DataProblem(
          `${settings.user} may not read the log of ${serverName}. Run ALTER ROLE "${settings.user.replaceAll('"', '""')}" REPLICATION; as an administrator.`,
        );
      return `${settings.user} may read the log`;
    },
    async () => {
      const { slots, used_slots } = await server();
      // The connector keeps one slot, and a snapshot needs another one while it runs.
      const needed = (await slot()) ? 1 : 2;
      if (slots - used_slots < needed)
        throw new DataProblem(
          `${serverName} has ${slots} replication slots, and ${used_slots} are used. The connector needs ${needed} more. Raise max_replication_slots and restart the server, or remove slots that nobody uses (pg_replication_slots).`,
        );
      return `${slots - used_slots} of ${slots} replication slots are free`;
    },
  ];
}
