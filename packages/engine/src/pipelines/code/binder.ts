import { sqlName as authorsName } from "@lakehelm/sql/names";
import type { FileLocation, PipelineDataset, PipelineProblem } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { parseTableName, quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { type AuthorText, type BindingContext, textProblem, translateText } from "./author-text.ts";
import { failingItem } from "./failing-item.ts";
import { insertValues, type ParameterTexts } from "./parameter-values.ts";
import { substituteTables } from "./table-substitution.ts";

/** Nothing more can be said of a step: why has been told. */
export class BindingFailed extends Error {}

/**
 * Reads texts of a pipeline against empty tables that stand in for what the pipeline makes, so that types are known and what
 * DuckDB would refuse is found before anything runs. The stand-ins are temporary tables: nothing else is written.
 */
export class Binder {
  readonly pipeline: string;
  readonly context: BindingContext;
  readonly problems: PipelineProblem[] = [];
  readonly datasets = new Map<string, PipelineDataset>();
  readonly #made: TableName[] = [];
  readonly #standIns = new Map<string, string>();
  readonly #values: ParameterTexts;

  constructor(pipeline: string, reading: Omit<BindingContext, "made">, values: ParameterTexts = new Map()) {
    this.pipeline = pipeline;
    this.#values = values;
    this.context = { ...reading, made: this.#made };
  }

  addProblem({ path, line, column }: FileLocation, message: string): void {
    this.problems.push({ path, line, column, message });
  }

  /** The warehouse allows fewer names than SQL does. */
  warehouseName({ catalog, schema, table }: TableName, at: FileLocation): TableName {
    try {
      return parseTableName(authorsName({ catalog, schema, table }), { environment: "", catalog, schema });
    } catch (error) {
      if (!(error instanceof DataProblem)) throw error;
      this.addProblem(at, error.message);
      throw new BindingFailed();
    }
  }

  /** From now on the table is there for what comes after, with these columns. */
  async addTable(name: TableName, columns: readonly WarehouseColumn[]): Promise<void> {
    const { connection } = this.context;
    const standIn = `"temp"."main"."stand_in_${this.#standIns.size}_${this.#made.length}"`;
    const declared = columns.map(({ name: column, type }) => `${quote(column)} ${type}`);
    // A table has a column at least; what failed has none, and is not read.
    await connection.run(`CREATE TEMP TABLE ${standIn} (${declared.join(", ")})`);
    this.#made.push(name);
    this.#standIns.set(sqlName(name), standIn);
  }

  /** The columns that a text gives, and the text in DuckDB's dialect. Throws Unbound when it has told what is wrong. */
  async bind(
    text: AuthorText,
  ): Promise<{ readonly sql: string; readonly columns: readonly WarehouseColumn[] }> {
    const { connection, signal, warehouse } = this.context;
    let sql: string | undefined;
    try {
      sql = await insertValues(connection, await translateText(this.context, text), this.#values);
      return { sql, columns: await this.columnsOf(sql) };
    } catch (error) {
      signal.throwIfAborted();
      const item =
        sql === undefined || !text.segments ? undefined : await this.#failingItem(text, sql, error);
      const problem = textProblem(text, error, item, warehouse.memoryMb);
      if (!problem) throw error;
      this.problems.push(problem);
      throw new BindingFailed();
    }
  }

  #failingItem({ sql: authors }: AuthorText, sql: string, error: unknown): Promise<number | undefined> {
    const { connection } = this.context;
    return failingItem(connection, { authors, sql, error }, (alone) => this.columnsOf(alone));
  }

  /** Of a SELECT in DuckDB's dialect. */
  async columnsOf(sql: string): Promise<WarehouseColumn[]> {
    const { connection } = this.context;
    const standing = await substituteTables(connection, sql, this.#standIns);
    await connection.run("BEGIN TRANSACTION READ ONLY");
    try {
      const described = await connection.runAndReadAll(`DESCRIBE ${standing}`);
      return described.getRowsJson().map(([name, type]) => ({
        name: String(name),
        type: String(type),
        origin: String(type),
      }));
    } finally {
      await connection.run("ROLLBACK").catch(() => {});
    }
  }
}
