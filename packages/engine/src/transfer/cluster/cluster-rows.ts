import { counted } from "@lakehelm/contract/text";
import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import { rejectsTable } from "../../warehouse/internal-tables.ts";
import { fullName, literal, sqlName as localName, quote, type TableName } from "../../warehouse/names.ts";
import { countRows, keyText, rowsChanged } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { candidatesFrom } from "../delivery-rows.ts";
import { type DeliveryRun, type DeliverySource, wholeTable } from "../delivery-run.ts";
import type { DeliveredTable } from "../stream-settings.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { findReplacement } from "./commits.ts";
import { type CopiedColumn, withCopiedRows } from "./copied-rows.ts";
import { selectedByWatermark } from "./selected-rows.ts";
import type { StagedFiles } from "./staged-files.ts";
import { joinedKeys, keysView, viewOf } from "./statements.ts";

const [allKeys, retriedKeys, movedRows] = ["cluster_keys", "retried_keys", "moved_rows"];

/** The rows of a table of the cluster. Those that a delivery needs are copied to an empty table of the same name here. */
export class ClusterRows implements DeliverySource {
  readonly #session: ClusterSession;
  readonly #files: StagedFiles;
  readonly #table: TableName;
  readonly #columns: readonly CopiedColumn[];
  readonly #context: RequestContext;
  /** The version of the table that all statements read; undefined: one statement is enough. */
  #version: number | undefined;
  #isWhole = true;
  #hasKeys = false;

  constructor(
    session: ClusterSession,
    files: StagedFiles,
    table: TableName,
    columns: readonly CopiedColumn[],
    context: RequestContext,
  ) {
    this.#session = session;
    this.#files = files;
    this.#table = table;
    this.#columns = columns;
    this.#context = context;
  }

  async prepare(run: DeliveryRun): Promise<void> {
    const { warehouse, connection } = run;
    const selected = await this.#selected(run);
    this.#isWhole = selected === undefined;
    const name = fullName(this.#table);
    this.#context.log(
      "info",
      `copying ${this.#isWhole ? "all rows" : "the rows that may have changed"} of ${name} from the cluster.`,
    );
    // No transaction is open while the cluster works.
    await warehouse.commit(connection);
    const copied = await this.#copy(
      this.#columns,
      async (relation) => {
        await connection.run("BEGIN");
        const rows = await rowsChanged(
          connection,
          `INSERT INTO ${localName(this.#table)} SELECT * FROM ${relation}`,
        );
        await warehouse.commit(connection);
        await connection.run("BEGIN");
        return rows;
      },
      selected === undefined ? undefined : `WHERE ${selected}`,
    );
    this.#context.log("info", `${counted(copied, "row")} copied from the cluster.`);
    this.#context.crashPoint("copied");
  }

  async findReplaced(_: unknown, __: unknown, { delta: last }: DeliveredTable) {
    const name = sqlName(this.#table);
    const [format, id] = (await ifTable(() => this.#session.rows(`DESCRIBE DETAIL ${name}`)))?.[0] ?? [];
    if (format !== "delta") return { delivered: {}, isReplaced: false };
    // A table that was dropped and created again has another id, and its own versions.
    const isSame = last?.id === String(id);
    const { version, isReplaced } = await findReplacement(
      this.#session,
      name,
      isSame ? last.version : undefined,
    );
    return {
      delivered: { delta: { id: String(id), version } },
      isReplaced: last !== undefined && (!isSame || isReplaced),
    };
  }

  async isEmpty(): Promise<boolean> {
    const rows = await this.#session.rows(`SELECT 1 FROM ${sqlName(this.#table)} LIMIT 1`);
    return rows.length === 0;
  }

  async keys(run: DeliveryRun): Promise<string> {
    if (this.#isWhole) return wholeTable.keys(run);
    if (!this.#hasKeys) await this.#copy(this.#keyColumns(run), intoTemporary(run, allKeys));
    this.#hasKeys = true;
    return allKeys;
  }

  async rowsWithKeys(run: DeliveryRun, keys: string): Promise<string> {
    if (this.#isWhole) return wholeTable.rowsWithKeys(run, keys);
    await this.#stageKeys(run, keys);
    await this.#copy(this.#columns, intoTemporary(run, movedRows), joinedKeys(run.keys));
    return movedRows;
  }

  /** SQL: which rows are copied; undefined: all. */
  async #selected(run: DeliveryRun): Promise<string | undefined> {
    const { keys, request } = run;
    const selected = await selectedByWatermark(run, this.#columns);
    if (selected === undefined) return undefined;
    const retries = request.retryRejects && keys.length > 0 && candidatesFrom(run) !== null && !run.backfill;
    if (!request.dataset.deletes && !retries) return selected;
    if (!this.#keyColumns(run).every(({ onCluster }) => isPlainKey.test(onCluster))) return undefined;
    if (request.dataset.deletes) {
      this.#version = await versionOf(this.#session, this.#table);
      if (this.#version === undefined) return undefined;
    }
    if (!retries) return selected;
    const found = await this.#findRetriedKeys(run);
    if (found === undefined) return undefined;
    if (found === 0) return selected;
    await this.#stageKeys(run, retriedKeys);
    const isSame = keys.map((key) => `k.${quoteIdentifier(key)} <=> t.${quoteIdentifier(key)}`).join(" AND ");
    return `${selected} OR EXISTS (SELECT 1 FROM ${keysView} k WHERE ${isSame})`;
  }

  /**
   * Stages the keys of stored rejects, which are texts. Returns their number; undefined if one of them is not a key of
   * the table.
   */
  async #findRetriedKeys({
    connection,
    table,
    keys,
    columns,
    request,
  }: DeliveryRun): Promise<number | undefined> {
    const values = keys.map((key, at) => {
      const type = columns.find(({ name }) => name === key)?.type ?? "VARCHAR";
      return `TRY_CAST(json_extract_string(key, '$[${at}]') AS ${type}) AS ${quote(key)}`;
    });
    const stored = `SELECT DISTINCT key FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(request.dataset.id)} AND key IS NOT NULL`;
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${retriedKeys} AS SELECT key AS _lakehelm_key, ${values.join(", ")} FROM (${stored})`,
    );
    const others = `${retriedKeys} WHERE ${keyText(keys)} IS DISTINCT FROM _lakehelm_key`;
    if ((await countRows(connection, others)) > 0) return undefined;
    return countRows(connection, retriedKeys);
  }

  /** Makes keys visible to the cluster, as its view of keys. */
  async #stageKeys({ connection, keys, columns }: DeliveryRun, relation: string): Promise<void> {
    const select = `SELECT ${keys.map(quote).join(", ")} FROM ${relation}`;
    const address = await this.#files.write(connection, relation, select);
    const ofKey = keys.flatMap((key) => columns.find(({ name }) => name === key) ?? []);
    await this.#session.rows(viewOf(keysView, ofKey, address));
  }

  #keyColumns = ({ keys }: DeliveryRun): CopiedColumn[] =>
    this.#columns.filter(({ name }) => keys.includes(name));

  #copy<Result>(
    columns: readonly CopiedColumn[],
    work: (relation: string) => Promise<Result>,
    which?: string,
  ): Promise<Result> {
    return withCopiedRows(this.#session, this.#files, this.#table, columns, work, which, this.#version);
  }
}

const intoTemporary =
  ({ connection }: DeliveryRun, name: string) =>
  (relation: string) =>
    connection.run(`CREATE OR REPLACE TEMP TABLE ${name} AS SELECT * FROM ${relation}`);

/** Types whose values are equal in the cluster if they are here. */
const isPlainKey = /^(?:TINYINT|SMALLINT|INT|BIGINT|DECIMAL\(\d+,\d+\)|STRING|DATE|TIMESTAMP|TIMESTAMP_NTZ)$/;

/** The version of a Delta table; undefined for other tables, which have no versions. */
async function versionOf(session: ClusterSession, table: TableName): Promise<number | undefined> {
  const found = await ifTable(() => session.rows(`DESCRIBE HISTORY ${sqlName(table)} LIMIT 1`));
  return found?.[0] && Number(found[0][0]);
}

/** Undefined if the statement fails because it is only for Delta tables. */
async function ifTable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DataProblem && !error.retryable) return undefined;
    throw error;
  }
}
