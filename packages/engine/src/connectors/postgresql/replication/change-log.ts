import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { fullRefreshCommand } from "../../../protocol/commands.ts";
import { logName } from "../../../protocol/log-name.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import type { ConnectionFinding } from "../../../protocol/transfer.ts";
import { type ConnectionCheck, checkThat, runChecks } from "../../checks.ts";
import type {
  ChangeLog,
  LogLag,
  LogRecord,
  LogState,
  LogTable,
  LogTableId,
} from "../../source/change-log.ts";
import { firstPosition, formatPosition, parsePosition } from "../../source/log-position.ts";
import type { RowSink } from "../../source/row-sink.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import { cancelSession, isOwnSession, type PostgresSession, sessionName } from "../session.ts";
import type { ChangeThreadInput } from "./change-thread.ts";
import type { LoggedTable } from "./change-writer.ts";
import { rewriteOf } from "./log-text.ts";
import { identityColumns, replicaIdentities, requireIdentity } from "./replica-identity.ts";
import { readServer, requireServer } from "./server-setup.ts";
import { type PostgresSlot, readSlot } from "./slot.ts";

const thread = new URL("./change-thread.ts", import.meta.url);

/** How long to wait until the server has noticed that a connection to the slot is gone. */
const msUntilFree = 15_000;

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

  async #loggedTable({ dataset, from, columns, keys }: LogTable): Promise<LoggedTable> {
    const table = await this.#describe(dataset);
    return {
      schema: table.schema,
      table: table.table,
      from,
      columns: columns.map((name) => {
        const { base = "text", dimensions = 0 } = table.columns.find((column) => column.name === name) ?? {};
        return { name, base, dimensions, rewrite: rewriteOf(base) };
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

  async #missingTables(datasets: readonly string[]): Promise<PostgresSourceTable[]> {
    const { rows } = await this.#session.query<{ oid: number }>(
      `Reading the publications of ${this.#session.serverName}`,
      `SELECT c.oid::int8::float8 AS oid FROM pg_publication_tables t
       JOIN pg_namespace n ON n.nspname = t.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
       WHERE t.pubname = $1`,
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

const tableList = (tables: readonly PostgresSourceTable[]): string =>
  tables
    .map(({ schema, table }) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`)
    .join(", ");
