import { setTimeout as pause } from "node:timers/promises";
import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import pg from "pg";
import { logName } from "../../../protocol/log-name.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import type { ConnectionFinding } from "../../../protocol/transfer.ts";
import { type ConnectionCheck, checkThat, runChecks } from "../../checks.ts";
import type {
  ChangeLog,
  LogDefinition,
  LogLag,
  LogNames,
  LogRecord,
  LogState,
  LogTable,
  LogValues,
} from "../../source/change-log.ts";
import { firstPosition, formatPosition, parsePosition } from "../../source/log-position.ts";
import type { RowSink } from "../../source/row-sink.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import { cancelSession, isOwnSession, type PostgresSession, sessionName } from "../session.ts";
import type { ChangeThreadInput } from "./change-thread.ts";
import type { LoggedTable } from "./change-writer.ts";
import { qualifiedName } from "./complete-log.ts";
import { withFormerColumns } from "./definition-changes.ts";
import { rewriteOf, rewriteText } from "./log-text.ts";
import { PostgresPublication } from "./publication.ts";
import { identityColumns, replicaIdentities, requireIdentity } from "./replica-identity.ts";
import { readServer, requireServer } from "./server-setup.ts";
import { type PostgresSlot, readSlot } from "./slot.ts";
import type { TableDefinition } from "./table-definition.ts";

const thread = new URL("./change-thread.ts", import.meta.url);

/** How long to wait until the server has noticed that a connection to the slot is gone. */
const msUntilFree = 15_000;
/** Rows per request: few, because their values are large. */
const rowsOfRequest = 20;

export interface PostgresLogOptions {
  readonly session: PostgresSession;
  /** The names of the slot and of the publication derive from it, unless they are given. */
  readonly connector: string;
  readonly slot: string | undefined;
  readonly publication: string | undefined;
  readonly describe: (dataset: string) => Promise<PostgresSourceTable>;
  readonly warnBytes: number;
}

/** Logical replication: a slot, which keeps the log from a position on, and a publication, which names the tables. */
export class PostgresChangeLog implements ChangeLog {
  readonly warnBytes: number;
  readonly #session: PostgresSession;
  readonly names: LogNames;
  readonly #name: string;
  /** Whether the connection names the slot. Then it may exist before the first run. */
  readonly #isGiven: boolean;
  readonly #connector: string;
  readonly #describe: PostgresLogOptions["describe"];
  readonly #publication: PostgresPublication;

  constructor({ session, connector, describe, warnBytes, slot, publication }: PostgresLogOptions) {
    const name = logName(connector);
    this.names = { slot: slot ?? name, publication: publication ?? name };
    this.#session = session;
    this.#name = this.names.slot;
    this.#isGiven = slot !== undefined;
    this.#connector = connector;
    this.#describe = describe;
    this.#publication = new PostgresPublication(session, this.names, describe);
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
      [...requireServer(this.#session, server, () => this.#slot()), ...tables],
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
    const former = record?.slot ?? logName(this.#connector);
    if (!record || former !== this.#name) {
      if (!slot)
        return record
          ? state("lost", `the connection names another replication slot (${this.#name}, before ${former})`)
          : state("absent");
      if (!this.#isGiven)
        throw new DataProblem(
          `${this.#session.serverName} has a replication slot ${this.#name} that this connector did not create. If no other program uses it, remove it: SELECT pg_drop_replication_slot('${this.#name}');`,
        );
      this.#requireUsable(slot);
    }
    const isOther = record !== undefined && record.server !== system;
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
    if (record && record.timeline !== timeline && !slot.failover)
      return state(
        "lost",
        `a standby has become the server (timeline ${timeline}, before ${record.timeline}), and the replication slot ${this.#name} was not copied to it`,
      );
    return state("ready");
  }

  /** Throws a DataProblem if a slot that was prepared for the connector cannot be used. */
  #requireUsable(slot: PostgresSlot): void {
    const { database } = this.#session.settings;
    const isOwn = slot.program !== null && isOwnSession(this.#session.settings, slot.program);
    if (slot.pid !== null && !isOwn) throw this.#occupied(slot);
    if (slot.plugin === "pgoutput" && slot.database === database && !slot.temporary && !slot.twoPhase) return;
    const found = `plugin ${slot.plugin ?? "none"}, database ${slot.database ?? "none"}${slot.temporary ? ", temporary" : ""}${slot.twoPhase ? ", two-phase" : ""}`;
    throw new DataProblem(
      `The replication slot ${this.#name} of ${this.#session.serverName} cannot be used (${found}). In the database ${database}, run SELECT pg_drop_replication_slot('${this.#name}'); SELECT pg_create_logical_replication_slot('${this.#name}', 'pgoutput');`,
    );
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
      `The replication slot ${this.#name} of ${this.#session.serverName} is in use by another program${program ? ` (${JSON.stringify(program)})` : ""}, which takes away the changes that this connector waits for. Stop that program, or end its connection: SELECT pg_terminate_backend(${pid}); then run the connector. If it fails because changes are lost: ${connectorRefreshCommand(this.#connector)}`,
      { retryable: true },
    );
  }

  async identity(dataset: string): Promise<readonly string[] | undefined> {
    const { oid } = await this.#describe(dataset);
    return identityColumns(await replicaIdentities(this.#session, oid));
  }

  async begin(): Promise<void> {
    await this.#session.query(
      `Creating the replication slot ${this.#name} in ${this.#session.serverName}`,
      "SELECT pg_create_logical_replication_slot($1, 'pgoutput')",
      [this.#name],
    );
  }

  addTables(datasets: readonly string[], isOwn: boolean) {
    return this.#publication.addTables(datasets, isOwn);
  }

  checkTables(datasets: readonly string[], isOwn: boolean): Promise<string> {
    return this.#publication.check(datasets, isOwn);
  }

  publicationId(): Promise<string | undefined> {
    return this.#publication.id();
  }

  async define(
    dataset: string,
    columns: readonly string[],
    before?: LogDefinition,
  ): Promise<LogDefinition | undefined> {
    const defined = await this.#publication.define(dataset, columns);
    return defined && withFormerColumns(defined.definition, before as TableDefinition | undefined);
  }

  compare(dataset: string, columns: readonly string[], before: LogDefinition | undefined) {
    return this.#publication.compare(dataset, columns, before);
  }

  async end(record: LogRecord, kept: Partial<LogNames> = {}): Promise<string | undefined> {
    // On another server, these names belong to other objects.
    if ((await readServer(this.#session)).system !== record.server) return undefined;
    const { slot = logName(this.#connector), publication = logName(this.#connector) } = record;
    const left = slot === kept.slot ? undefined : await this.#endSlot(slot, record.ownsSlot ?? true);
    if (record.ownsPublication && publication !== kept.publication)
      await new PostgresPublication(this.#session, { slot, publication }, this.#describe).drop(
        record.publicationId,
      );
    return left;
  }

  /** Returns what is left if the slot is not the connector's own. */
  async #endSlot(name: string, isOwn: boolean): Promise<string | undefined> {
    const slot = await readSlot(this.#session, name);
    if (slot?.plugin !== "pgoutput") return undefined;
    if (!isOwn)
      return `The replication slot ${name} was not created by the connector, so it was not removed. ${this.#session.serverName} keeps its log for it. If nobody needs it: SELECT pg_drop_replication_slot('${name}');`;
    const action = `Removing the replication slot ${name} of ${this.#session.serverName}`;
    if (slot.pid !== null) await this.#session.query(action, "SELECT pg_terminate_backend($1)", [slot.pid]);
    await this.#whenFree(() => this.#session.query(action, "SELECT pg_drop_replication_slot($1)", [name]));
    return undefined;
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
          command: `START_REPLICATION SLOT ${this.#name} LOGICAL ${formatPosition(from)} (proto_version '1', publication_names ${pg.escapeLiteral(pg.escapeIdentifier(this.names.publication))})`,
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

  /** Retries while the slot is in use: the server notices only after a while that a killed connection is gone. */
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
}
