import type { PostgresSession } from "../session.ts";

/** A replication slot of the server, regardless of who created it. */
export interface PostgresSlot {
  readonly plugin: string | null;
  readonly database: string | null;
  readonly confirmed: string | null;
  readonly walStatus: string | null;
  /** The process that reads the slot now. */
  readonly pid: number | null;
  /** The name of the program that reads the slot; null if there is none, or this role may not see it. */
  readonly program: string | null;
  /** Whether the slot is copied to standbys (PostgreSQL 17). */
  readonly failover: boolean;
  readonly temporary: boolean;
  /** Whether the slot was made for prepared transactions (PostgreSQL 14). */
  readonly twoPhase: boolean;
  /** Bytes since the confirmed position, and bytes that the server keeps because of the slot. */
  readonly lag: number;
  readonly retained: number;
}

/** Reads catalog columns by way of JSON, because older servers lack some of them. */
const slotQuery = `
SELECT plugin, database, confirmed_flush_lsn::text AS confirmed, to_jsonb(s) ->> 'wal_status' AS "walStatus",
       active_pid AS pid, (SELECT application_name FROM pg_stat_activity a WHERE a.pid = s.active_pid) AS program, coalesce((to_jsonb(s) ->> 'failover')::boolean, false) AS failover,
       temporary, coalesce((to_jsonb(s) ->> 'two_phase')::boolean, false) AS "twoPhase",
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::float8 AS lag,
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 AS retained
FROM pg_replication_slots s WHERE slot_name = $1`;

export async function readSlot(session: PostgresSession, name: string): Promise<PostgresSlot | undefined> {
  const { rows } = await session.query<PostgresSlot & Record<string, unknown>>(
    `Reading the replication slots of ${session.serverName}`,
    slotQuery,
    [name],
  );
  return rows[0];
}
