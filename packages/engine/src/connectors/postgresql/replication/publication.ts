import pg from "pg";
import { DataProblem } from "../../../protocol/problem.ts";
import type { LogDefinition, LogGap, LogNames, LogTableId } from "../../source/change-log.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import type { PostgresSession } from "../session.ts";
import { qualifiedName, requireCompleteLog } from "./complete-log.ts";
import { compareDefinitions, lostFor } from "./definition-changes.ts";
import { type DefinedTable, defineTable, type TableDefinition } from "./table-definition.ts";

/** The publication that names the tables of a connector. Another program may have created it, and may change it. */
export class PostgresPublication {
  readonly #session: PostgresSession;
  readonly #names: LogNames;
  readonly #describe: (dataset: string) => Promise<PostgresSourceTable>;

  constructor(
    session: PostgresSession,
    names: LogNames,
    describe: (dataset: string) => Promise<PostgresSourceTable>,
  ) {
    this.#session = session;
    this.#names = names;
    this.#describe = describe;
  }

  async addTables(
    datasets: readonly string[],
    isOwn: boolean,
  ): Promise<{ tables: LogTableId[]; created: string | undefined }> {
    const missing = await this.#missingTables(datasets);
    const exists = (await this.id()) !== undefined;
    if (missing.length > 0 || !exists) {
      await this.#requireMayAdd(missing, isOwn);
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
    return { tables, created: exists ? undefined : await this.id() };
  }

  /** A sentence that says whether the tables are published, or the next run may publish them. */
  async check(datasets: readonly string[], isOwn: boolean): Promise<string> {
    const missing = await this.#missingTables(datasets);
    if (missing.length === 0) return `the publication ${this.#names.publication} has all tables`;
    await this.#requireMayAdd(missing, isOwn);
    return `may add the tables to the publication ${this.#names.publication}`;
  }

  async compare(
    dataset: string,
    columns: readonly string[],
    before: LogDefinition | undefined,
  ): Promise<LogGap | undefined> {
    const now = await this.define(dataset, columns);
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

  async define(dataset: string, columns: readonly string[]): Promise<DefinedTable | undefined> {
    const table = await this.#describe(dataset);
    const defined = await defineTable(this.#session, this.#names.publication, table, columns);
    if (!defined?.published.isMember) return undefined;
    requireCompleteLog(this.#session, this.#names.publication, { dataset, table, columns }, defined);
    return defined;
  }

  /**
   * A run of an earlier version of Lakehelm has recorded no definition. If the definition is older than the catalog
   * that the slot keeps, it applied to all changes that are still to be read.
   */
  async #unrecorded({ definition }: DefinedTable): Promise<LogGap | undefined> {
    const versions = [definition.publication, ...definition.membership].map((row) => row.split(":")[1] ?? "");
    const { rows } = await this.#session.query<{ older: boolean }>(
      `Reading the publication ${this.#names.publication} of ${this.#session.serverName}`,
      `SELECT bool_and(age(version::xid) > age(s.catalog_xmin)) AS older
       FROM unnest($2::text[]) AS version CROSS JOIN pg_replication_slots s WHERE s.slot_name = $1`,
      [this.#names.slot, versions],
    );
    return rows[0]?.older ? undefined : lostFor("the publication may have been changed");
  }

  /**
   * Whether a new partition has rows of the transaction that created it: such rows were inserted before it was
   * attached.
   */
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

  async id(): Promise<string | undefined> {
    const { rows } = await this.#session.query<{ id: string }>(
      `Reading the publications of ${this.#session.serverName}`,
      "SELECT oid::text AS id FROM pg_publication WHERE pubname = $1",
      [this.#names.publication],
    );
    return rows[0]?.id;
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
      [this.#names.publication],
    );
    const tables = await Promise.all(datasets.map((dataset) => this.#describe(dataset)));
    const distinct = new Map(tables.map((table) => [table.oid, table]));
    return [...distinct.values()].filter(({ oid }) => !rows.some((row) => row.oid === oid));
  }

  /** A role may publish tables that it owns, in a database in which it may create. A publication of others is not changed. */
  async #requireMayAdd(tables: readonly PostgresSourceTable[], isOwn: boolean): Promise<void> {
    const exists = (await this.id()) !== undefined;
    const command = exists ? this.#addition(tables) : this.#creation(tables);
    const names = tables.map(({ table }) => table).join(", ");
    if (exists && !isOwn)
      throw new DataProblem(
        `The publication ${this.#names.publication} of ${this.#session.serverName} does not have ${names}, and this connector did not create it, so it does not change it. Let its owner run: ${command};`,
      );
    const { rows } = await this.#session.query<{ may: boolean }>(
      `Reading the permissions in ${this.#session.serverName}`,
      `SELECT has_database_privilege(current_database(), 'CREATE')
         AND NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = ANY ($1::oid[]) AND NOT pg_has_role(relowner, 'USAGE'))
         AND NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = $2 AND NOT pg_has_role(pubowner, 'USAGE')) AS may`,
      [tables.map(({ oid }) => oid), this.#names.publication],
    );
    if (rows[0]?.may) return;
    throw new DataProblem(
      `${this.#session.settings.user} may not publish ${names} in ${this.#session.serverName}, because that needs the owner of the tables. Let the owner run: ${command};`,
    );
  }

  #creation(tables: readonly PostgresSourceTable[]): string {
    return `CREATE PUBLICATION ${pg.escapeIdentifier(this.#names.publication)} FOR TABLE ${tableList(tables)} WITH (publish_via_partition_root = true)`;
  }

  #addition(tables: readonly PostgresSourceTable[]): string {
    return `ALTER PUBLICATION ${pg.escapeIdentifier(this.#names.publication)} ADD TABLE ${tableList(tables)}`;
  }

  /** Drops only the publication that was created, not another one that now has its name. */
  async drop(id: string | undefined): Promise<void> {
    const name = pg.escapeIdentifier(this.#names.publication);
    if (id !== undefined && (await this.id()) !== id) return;
    await this.#session.query(
      `Removing the publication ${this.#names.publication} of ${this.#session.serverName}`,
      `DROP PUBLICATION IF EXISTS ${name}`,
    );
  }
}

const tableList = (tables: readonly PostgresSourceTable[]): string => tables.map(qualifiedName).join(", ");
