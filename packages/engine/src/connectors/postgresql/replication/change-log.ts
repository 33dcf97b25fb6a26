import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { fullRefreshCommand } from "../../../protocol/commands.ts";
import { logName } from "../../../protocol/log-name.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import type { ConnectionFinding } from "../../../protocol/transfer.ts";
import { type ConnectionCheck, checkThat, runChecks } from "../../checks.ts";
import type {
  ChangeLog,
  LogDefinition,
  LogGap,
  LogLag,
  LogRecord,
  LogState,
  LogTable,
  LogTableId,
  LogValues,
} from "../../source/change-log.ts";
import { firstPosition, formatPosition, parsePosition } from "../../source/log-position.ts";
import type { RowSink } from "../../source/row-sink.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import { cancelSession, isOwnSession, type PostgresSession, sessionName } from "../session.ts";
import type { ChangeThreadInput } from "./change-thread.ts";
import type { LoggedTable } from "./change-writer.ts";
import { qualifiedName, requireCompleteLog } from "./complete-log.ts";
import { compareDefinitions, lostFor } from "./definition-changes.ts";
import { rewriteOf, rewriteText } from "./log-text.ts";
import { identityColumns, replicaIdentities, requireIdentity } from "./replica-identity.ts";
import { readServer, requireServer } from "./server-setup.ts";
import { type PostgresSlot, readSlot } from "./slot.ts";
import { type DefinedTable, defineTable, type TableDefinition } from "./table-definition.ts";

const thread = new URL("./change-thread.ts", import.meta.url);

/** How long to wait until the server has noticed that a connection to the slot is gone. */
const msUntilFree = 15_000;
/** Their values are large. */
const rowsOfRequest = 20;

export interface PostgresLogOptions {
  readonly session: PostgresSession;
  /** The names of the slot and of the publication derive from it. */
  readonly connector: string;
  readonly describe: (dataset: string) => Promise<PostgresSourceTable>;
  readonly warnBytes: number;
}

/** Logical replication: a slot, which keeps the log from a position on, and a publication, which names the tables. */
export class PostgresChangeLog implements ChangeLog {
  readonly warnBytes: number;
  readonly #session: PostgresSession;
  readonly #name: string;
  readonly #connector: string;
  readonly #describe: PostgresLogOptions["describe"];

  constructor({ session, connector, describe, warnBytes }: PostgresLogOptions) {
    this.#session = session;
    this.#name = logName(connector);
    this.#connector = connector;
    this.#describe = describe;
    this.warnBytes = warnBytes;
  }

  async check(datasets: readonly string[]): Promise<ConnectionFinding[]> {
    const { serverName, settings } = this.#session;
    const server = () => readServer(this.#session);
    const tables: ConnectionCheck[] = datasets.map((dataset) => async () => {
      const identity = await this.#requireIdentity(dataset);
      return `may read ${dataset}, and the log identifies its rows by ${identity}`;
    });
    return runChecks(
      checkThat(`can connect to ${serverName} as ${settings.user}`, () => this.#session.client()),
      [
        ...requireServer(this.#session, server, () => this.#slot()),
        ...tables,
        async () => {
          const missing = await this.#missingTables(datasets);
          if (missing.length === 0) return `the publication ${this.#name} has all tables`;
          await this.#requireMayPublish(missing);
          return `may add the tables to the publication ${this.#name}`;
        },
      ],
    );
  }

  async requireReadable(datasets: readonly string[]): Promise<void> {
    const server = await readServer(this.#session);
    for (const check of requireServer(
      this.#session,
      async () => server,
      () => this.#slot(),
    ))
      await check();
    for (const dataset of datasets) await this.#requireIdentity(dataset);
  }

  async state(record: LogRecord | undefined): Promise<LogState> {
    const server = await readServer(this.#session);
    const slot = await this.#slot();
    const { system, timeline } = server;
    const current = parsePosition(server.position);
    const state = (value: LogState["slot"], reason = ""): LogState => ({
      slot: value,
      reason,
      confirmed: slot?.confirmed === null || !slot ? undefined : parsePosition(slot.confirmed),
      current,
      server: system,
      timeline,
    });
    if (!record) {
      if (!slot) return state("absent");
      throw new DataProblem(
        `${this.#session.serverName} has a replication slot ${this.#name} that this connector did not create. If no other program uses it, remove it: SELECT pg_drop_replication_slot('${this.#name}');`,
      );
    }
    const isOther = record.server !== system;
    if (isOther && !slot)
      return state(
        "lost",
        `${this.#session.serverName} is another server than before (system identifier ${system}, before ${record.server})`,
      );
    if (!slot) return state("lost", `the replication slot ${this.#name} no longer exists`);
    if (isOther || slot.plugin !== "pgoutput" || slot.database !== this.#session.settings.database) {
      throw new DataProblem(
        `The replication slot ${this.#name} of ${this.#session.serverName} belongs to another program (${slot.plugin ?? "physical replication"}, database ${slot.database ?? "none"}). Remove it there, or rename it.`,
      );
    }
    if (slot.walStatus === "lost" || slot.confirmed === null)
      return state(
        "lost",
        `the server has removed the log that the replication slot ${this.#name} needs (max_slot_wal_keep_size)`,
      );
    if (record.timeline !== timeline && !slot.failover)
      return state(
        "lost",
        `a standby has become the server (timeline ${timeline}, before ${record.timeline}), and the replication slot ${this.#name} was not copied to it`,
      );
    return state("ready");
  }

  async checkReader(): Promise<string> {
    const slot = await this.#slot();
    if (!slot) return `the first run creates the replication slot ${this.#name}`;
    if (slot.pid === null) return `the replication slot ${this.#name} keeps the log for the next run`;
    if (slot.program !== null && isOwnSession(this.#session.settings, slot.program))
      return `a run reads the replication slot ${this.#name} now`;
    throw this.#occupied(slot);
  }

  #occupied({ pid, program }: PostgresSlot): DataProblem {
    return new DataProblem(
      `The replication slot ${this.#name} of ${this.#session.serverName} is in use by another program${program ? ` (${JSON.stringify(program)})` : ""}, which takes away the changes that this connector waits for. Stop that program, or end its connection: SELECT pg_terminate_backend(${pid}); then run the connector. If it fails because changes are lost: ${fullRefreshCommand(this.#connector)}`,
      { retryable: true },
    );
  }

  async identity(dataset: string): Promise<readonly string[] | undefined> {
    const { oid } = await this.#describe(dataset);
    return identityColumns(await replicaIdentities(this.#session, oid));
  }

  async define(dataset: string, columns: readonly string[]): Promise<LogDefinition | undefined> {
    const defined = await this.#define(dataset, columns);
    return defined && { ...defined.definition };
  }

  async compare(
    dataset: string,
    columns: readonly string[],
    before: LogDefinition | undefined,
  ): Promise<LogGap | undefined> {
    const now = await this.#define(dataset, columns);
    if (!now) return lostFor("it is no longer published");
    if (before === undefined) return this.#unrecorded(now);
    const { gap, newPartitions } = compareDefinitions(before as unknown as TableDefinition, now);
    if (gap) return gap;
    for (const [oid, transaction] of Object.entries(newPartitions)) {
      if (await this.#hasRowsOf(dataset, oid, transaction))
        return lostFor("a partition was attached with rows");
    }
    return undefined;
  }

  async #define(dataset: string, columns: readonly string[]): Promise<DefinedTable | undefined> {
    const table = await this.#describe(dataset);
    const defined = await defineTable(this.#session, this.#name, table, columns);
    if (!defined?.published.isMember) return undefined;
    requireCompleteLog(this.#session, this.#name, { dataset, table, columns }, defined);
    return defined;
  }

  /**
   * A run of an earlier version has recorded nothing. The definition was the same for all changes that are not read yet if it is
   * older than the catalog that the slot keeps for them.
   */
  async #unrecorded({ definition }: DefinedTable): Promise<LogGap | undefined> {
    const versions = [definition.publication, ...definition.membership].map((row) => row.split(":")[1] ?? "");
    const { rows } = await this.#session.query<{ older: boolean }>(
      `Reading the publication ${this.#name} of ${this.#session.serverName}`,
      `SELECT bool_and(age(version::xid) > age(s.catalog_xmin)) AS older
       FROM unnest($2::text[]) AS version CROSS JOIN pg_replication_slots s WHERE s.slot_name = $1`,
      [this.#name, versions],
    );
    return rows[0]?.older ? undefined : lostFor("the publication may have been changed");
  }

  /** Whether a new partition has rows of the transaction that created it: they came before it was attached. */
  async #hasRowsOf(dataset: string, partition: string, transaction: string): Promise<boolean> {
    const action = `Reading the partitions of ${dataset}`;
    const { rows } = await this.#session.query<{ name: string; direct: boolean; has_rows: boolean }>(
      action,
      `SELECT c.oid::regclass::text AS name, has_table_privilege(c.oid, 'SELECT') AS direct, c.relkind = 'r' AS has_rows
       FROM pg_class c WHERE c.oid = $1::oid`,
      [partition],
    );
    const [found] = rows;
    if (!found) return true;
    if (!found.has_rows) return false;
    const from = found.direct
      ? `ONLY ${found.name} WHERE true`
      : `${qualifiedName(await this.#describe(dataset))} WHERE tableoid = ${Number(partition)}`;
    const { rowCount } = await this.#session.query(action, `SELECT FROM ${from} AND xmin = $1::xid LIMIT 1`, [
      transaction,
    ]);
    return rowCount !== 0;
  }

  async addTables(datasets: readonly string[]): Promise<{ tables: LogTableId[]; created: boolean }> {
    const missing = await this.#missingTables(datasets);
    const exists = await this.#hasPublication();
    if (missing.length > 0 || !exists) {
      await this.#requireMayPublish(missing);
      await this.#session.query(
        `Publishing ${datasets.join(", ")}`,
        exists ? this.#addition(missing) : this.#creation(missing),
      );
    }
    const tables: LogTableId[] = [];
    for (const dataset of datasets) {
      const { oid } = await this.#describe(dataset);
      tables.push({ dataset, id: String(oid), isNew: missing.some((table) => table.oid === oid) });
    }
    return { tables, created: !exists };
  }

  async begin(): Promise<void> {
    await this.#session.query(
      `Creating the replication slot ${this.#name} in ${this.#session.serverName}`,
      "SELECT pg_create_logical_replication_slot($1, 'pgoutput')",
      [this.#name],
    );
  }

  async end({ ownsPublication, server }: LogRecord): Promise<void> {
    // What another server has under these names is not ours.
    if ((await readServer(this.#session)).system !== server) return;
    const action = `Removing the replication slot ${this.#name} of ${this.#session.serverName}`;
    const slot = await this.#slot();
    if (slot?.plugin === "pgoutput") {
      if (slot.pid !== null) await this.#session.query(action, "SELECT pg_terminate_backend($1)", [slot.pid]);
      await this.#whenFree(() =>
        this.#session.query(action, "SELECT pg_drop_replication_slot($1)", [this.#name]),
      );
    }
    if (ownsPublication)
      await this.#session.query(
        `Removing the publication ${this.#name} of ${this.#session.serverName}`,
        `DROP PUBLICATION IF EXISTS ${pg.escapeIdentifier(this.#name)}`,
      );
  }

  async read(tables: readonly LogTable[], upTo: bigint, into: RowSink, signal: AbortSignal): Promise<bigint> {
    const { settings } = this.#session;
    const name = sessionName(settings);
    const from = firstPosition(tables.map((table) => table.from)) ?? upTo;
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = cancelSession(settings, name);
    };
    signal.addEventListener("abort", cancel);
    try {
      const logged = await Promise.all(tables.map((table) => this.#loggedTable(table)));
      await this.#whenFree(() =>
        into.fromThread(thread, {
          settings,
          sessionName: name,
          slot: this.#name,
          command: `START_REPLICATION SLOT ${this.#name} LOGICAL ${formatPosition(from)} (proto_version '1', publication_names '"${this.#name}"')`,
          upTo,
          tables: logged,
        } satisfies ChangeThreadInput),
      );
    } finally {
      signal.removeEventListener("abort", cancel);
      await cancelled;
    }
    if (into.position === undefined) throw new Error("The thread has not reported how far it has read.");
    return into.position;
  }

  async valuesOf(
    dataset: string,
    keys: readonly string[],
    columns: readonly string[],
    rows: readonly (readonly string[])[],
  ): Promise<readonly LogValues[] | undefined> {
    const table = await this.#describe(dataset);
    const described = (name: string) => {
      const column = table.columns.find((one) => one.name === name);
      if (!column) throw new DataProblem(`${dataset} has no column "${name}".`, { retryable: true });
      return column;
    };
    // The text of an array in the log was rewritten, and cannot be compared.
    if (keys.some((name) => rewriteOf(described(name).base) === "array")) return undefined;
    const quoted = keys.map((name) => pg.escapeIdentifier(name));
    const lists = keys.map((name, at) => `$${at + 1}::text[]::${described(name).origin}[]`);
    // The text of a value as the log writes it.
    const texts = [...keys, ...columns].map((name) => {
      const one = pg.escapeIdentifier(name);
      return `CASE WHEN ${one} IS NOT NULL THEN format('%s', ${one}) END`;
    });
    const found: LogValues[] = [];
    for (let at = 0; at < rows.length; at += rowsOfRequest) {
      const batch = rows.slice(at, at + rowsOfRequest);
      const read = await this.#session.query<{ row: (string | null)[] }>(
        `Reading ${dataset} from ${this.#session.serverName}`,
        `SELECT ARRAY[${texts.join(", ")}]::text[] AS row FROM ${qualifiedName(table)} WHERE (${quoted.join(", ")}) IN (SELECT * FROM unnest(${lists.join(", ")}))`,
        keys.map((_, key) => batch.map((row) => row[key])),
      );
      for (const { row } of read.rows) {
        const written = [...keys, ...columns].map((name, place) => {
          const { base, dimensions } = described(name);
          const [text, rewrite] = [row[place] ?? null, rewriteOf(base)];
          return text === null || rewrite === undefined ? text : rewriteText(rewrite, text, base, dimensions);
        });
        found.push({ key: written.slice(0, keys.length).map(String), values: written.slice(keys.length) });
      }
    }
    return found;
  }

  async confirm(position: bigint): Promise<void> {
    const slot = await this.#slot();
    if (!slot?.confirmed || parsePosition(slot.confirmed) >= position) return;
    await this.#whenFree(() =>
      this.#session.query(
        `Confirming the position of the replication slot ${this.#name} in ${this.#session.serverName}`,
        "SELECT pg_replication_slot_advance($1, $2::pg_lsn)",
        [this.#name, formatPosition(position)],
      ),
    );
  }

  async lag(): Promise<LogLag | undefined> {
    const slot = await this.#slot();
    return slot && { slot: this.#name, lagBytes: slot.lag, retainedBytes: slot.retained };
  }

  #slot(): Promise<PostgresSlot | undefined> {
    return readSlot(this.#session, this.#name);
  }

  /** The server notices a little later that a connection is gone which was killed. */
  async #whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = performance.now() + msUntilFree;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DataProblem) || !/is active for PID/.test(error.message)) throw error;
        if (performance.now() > end) throw (await this.#foreignReader()) ?? error;
        await pause(200);
      }
    }
  }

  async #foreignReader(): Promise<DataProblem | undefined> {
    const slot = await this.#slot();
    if (!slot || slot.pid === null) return undefined;
    const isOwn = slot.program !== null && isOwnSession(this.#session.settings, slot.program);
    return isOwn ? undefined : this.#occupied(slot);
  }

  async #loggedTable({ dataset, from, columns, keys, before }: LogTable): Promise<LoggedTable> {
    const table = await this.#describe(dataset);
    const known = before && (before as unknown as TableDefinition).columns;
    return {
      oid: table.oid,
      isPartitioned: table.isPartitioned,
      from,
      columns: columns.map((name) => {
        const { base = "text", dimensions = 0 } = table.columns.find((column) => column.name === name) ?? {};
        const wasThere = known !== undefined && Object.hasOwn(known, name);
        return { name, base, dimensions, rewrite: rewriteOf(base), wasThere };
      }),
      keys: keys.map((key) => columns.indexOf(key)),
    };
  }

  /** Returns what identifies the rows, for a message. */
  async #requireIdentity(dataset: string): Promise<string> {
    const table = await this.#describe(dataset);
    return requireIdentity(dataset, table, await replicaIdentities(this.#session, table.oid));
  }

  async #hasPublication(): Promise<boolean> {
    const { rowCount } = await this.#session.query(
      `Reading the publications of ${this.#session.serverName}`,
      "SELECT 1 FROM pg_publication WHERE pubname = $1",
      [this.#name],
    );
    return rowCount === 1;
  }

  /** A partitioned table is published also if its changes have the names of the partitions, which is refused later. */
  async #missingTables(datasets: readonly string[]): Promise<PostgresSourceTable[]> {
    const { rows } = await this.#session.query<{ oid: number }>(
      `Reading the publications of ${this.#session.serverName}`,
      `SELECT c.oid::int8::float8 AS oid FROM pg_publication_tables t
       JOIN pg_namespace n ON n.nspname = t.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
       WHERE t.pubname = $1
       UNION SELECT r.prrelid::int8::float8 FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid WHERE p.pubname = $1
       UNION SELECT c.oid::int8::float8 FROM pg_class c JOIN pg_publication p ON p.puballtables WHERE p.pubname = $1 AND c.relkind = 'p'`,
      [this.#name],
    );
    const tables = await Promise.all(datasets.map((dataset) => this.#describe(dataset)));
    const distinct = new Map(tables.map((table) => [table.oid, table]));
    return [...distinct.values()].filter(({ oid }) => !rows.some((row) => row.oid === oid));
  }

  /** A role may publish tables that it owns, in a database in which it may create. */
  async #requireMayPublish(tables: readonly PostgresSourceTable[]): Promise<void> {
    const { rows } = await this.#session.query<{ may: boolean }>(
      `Reading the permissions in ${this.#session.serverName}`,
      `SELECT has_database_privilege(current_database(), 'CREATE')
         AND NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = ANY ($1::oid[]) AND NOT pg_has_role(relowner, 'USAGE'))
         AND NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = $2 AND NOT pg_has_role(pubowner, 'USAGE')) AS may`,
      [tables.map(({ oid }) => oid), this.#name],
    );
    if (rows[0]?.may) return;
    const command = (await this.#hasPublication()) ? this.#addition(tables) : this.#creation(tables);
    throw new DataProblem(
      `${this.#session.settings.user} may not publish ${tables.map(({ table }) => table).join(", ")} in ${this.#session.serverName}, because that needs the owner of the tables. Let the owner run: ${command};`,
    );
  }

  #creation(tables: readonly PostgresSourceTable[]): string {
    return `CREATE PUBLICATION ${pg.escapeIdentifier(this.#name)} FOR TABLE ${tableList(tables)} WITH (publish_via_partition_root = true)`;
  }

  #addition(tables: readonly PostgresSourceTable[]): string {
    return `ALTER PUBLICATION ${pg.escapeIdentifier(this.#name)} ADD TABLE ${tableList(tables)}`;
  }
}

const tableList = (tables: readonly PostgresSourceTable[]): string => tables.map(qualifiedName).join(", ");
