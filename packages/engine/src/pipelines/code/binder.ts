import { sqlName as authorsName } from "@lakehelm/sql/names";
import type { FileLocation, PipelineDataset, PipelineProblem } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { databricksType, parseDatabricksType } from "../../protocol/types.ts";
import { fullName, parseTableName, sqlName, type TableName } from "../../warehouse/names.ts";
import {
  type AssignedColumn,
  type AssignmentRules,
  assignedValue,
  castValue,
} from "../../warehouse/store-assignment/assigned-value.ts";
import {
  columnDeclaration,
  declaredTextTypes,
  hasTextLength,
} from "../../warehouse/store-assignment/text-length.ts";
import { type AuthorText, type BindingContext, textProblem, translateText } from "./author-text.ts";
import { expressionsOf } from "./expressions.ts";
import { failingItem } from "./failing-item.ts";
import { insertValues, type ParameterTexts } from "./parameter-values.ts";
import { substituteTables } from "./table-substitution.ts";

/** Thrown after a problem was added: the step cannot be bound any further. */
export class BindingFailed extends Error {}

/**
 * Binds texts of a pipeline against empty tables with the columns that the pipeline will create. So types are known,
 * and DuckDB's errors are found before anything runs. The empty tables are temporary; nothing else is written.
 */
export class Binder {
  readonly pipeline: string;
  readonly context: BindingContext;
  readonly problems: PipelineProblem[] = [];
  readonly datasets = new Map<string, PipelineDataset>();
  readonly #visible: Set<string>;
  readonly #emptyTables = new Map<string, string>();
  /** The types that the author declared for the columns of an empty table. */
  readonly #declared = new Map<string, ReadonlyMap<string, string>>();
  #count = 0;
  readonly #values: ParameterTexts;

  constructor(
    pipeline: string,
    context: Omit<BindingContext, "visible" | "toBind">,
    values: ParameterTexts = new Map(),
  ) {
    this.pipeline = pipeline;
    this.#values = values;
    this.#visible = new Set(context.snapshot.relations.map(fullName));
    this.context = {
      ...context,
      visible: this.#visible,
      toBind: (sql) => substituteTables(context.connection, sql, this.#emptyTables),
    };
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

  /** Makes a table with these columns visible to the following texts. */
  async addTable(name: TableName, columns: readonly WarehouseColumn[]): Promise<void> {
    const { connection } = this.context;
    const emptyTable = `"temp"."main"."stand_in_${this.#count++}"`;
    const declared = columns.map(columnDeclaration);
    // Every table has at least one column. A table that could not be bound is never read.
    await connection.run(`CREATE TEMP TABLE ${emptyTable} (${declared.join(", ")})`);
    this.#visible.add(fullName(name));
    this.#emptyTables.set(sqlName(name), emptyTable);
    this.#declared.set(
      sqlName(name),
      new Map(columns.filter(({ origin }) => hasTextLength(origin)).map((one) => [one.name, one.origin])),
    );
  }

  /** The columns of a text, and the text in DuckDB's dialect. Throws BindingFailed after it has added a problem. */
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

  #failingItem({ sql: authorSql }: AuthorText, sql: string, error: unknown): Promise<number | undefined> {
    const { connection } = this.context;
    return failingItem(connection, { authors: authorSql, sql, error }, (single) => this.columnsOf(single));
  }

  /** The columns of a SELECT in DuckDB's dialect. */
  async columnsOf(sql: string): Promise<WarehouseColumn[]> {
    const described = await this.#read(sql, (bound) => `DESCRIBE ${bound}`);
    return described.map(([name, type]) => ({
      name: String(name),
      type: String(type),
      origin: String(type),
    }));
  }

  /** The types of a SELECT's columns. Unlike `columnsOf` it tells a NULL without a type from an INTEGER. */
  async typesOf(sql: string, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, at) => `c${at}`);
    const types = names.map((name) => `typeof(${name})`).join(", ");
    const [row = []] = await this.#read(
      sql,
      (bound) =>
        `SELECT ${types} FROM (SELECT 1) LEFT JOIN (SELECT * FROM (${bound}) LIMIT 0) AS q(${names.join(", ")}) ON true`,
    );
    return row.map(String);
  }

  /** The columns of a table that a statement writes. */
  async assignedColumns(table: TableName): Promise<AssignedColumn[]> {
    const columns = await this.columnsOf(`SELECT * FROM ${sqlName(table)}`);
    const lengths =
      this.#declared.get(sqlName(table)) ??
      (this.context.snapshot.kindOf(table) === undefined
        ? new Map<string, string>()
        : await declaredTextTypes(this.context.connection, table));
    return columns.map(({ name, type }) => {
      const declared = lengths.get(name);
      // The recorded type may be of an earlier column with this name.
      const isOf =
        declared !== undefined &&
        databricksType(parseDatabricksType(declared) ?? "") === databricksType(type);
      return { name, type, declared: isOf ? declared : undefined };
    });
  }

  /** The value as it is stored. Throws BindingFailed after it has added a problem. */
  assigned(
    value: string,
    from: string,
    column: AssignedColumn,
    rules: AssignmentRules,
    at: FileLocation,
  ): string {
    try {
      return assignedValue(value, from, column, rules);
    } catch (error) {
      this.#refuse(at, error);
    }
  }

  /** The value in the type that a dataset declares. Throws BindingFailed after it has added a problem. */
  async cast(value: string, from: string, column: AssignedColumn, at: AuthorText): Promise<string> {
    try {
      return await castValue(value, from, column, (source, target) => this.#castOf(source, target, at));
    } catch (error) {
      this.#refuse(at.location, error);
    }
  }

  /** CAST as the author would write it, translated, so that it has the same meaning. */
  async #castOf(
    from: string,
    to: string,
    { defaults, location }: AuthorText,
  ): Promise<(value: string) => string> {
    const name = "lakehelm_cast_value";
    const sql = `SELECT CAST(${name} AS ${databricksType(to)}) FROM (SELECT CAST(NULL AS ${databricksType(from)}) AS ${name})`;
    const translated = await translateText(this.context, { sql, defaults, location });
    const [text = ""] = await expressionsOf(this.context.connection, translated);
    return (value) => text.replaceAll(name, () => value);
  }

  #refuse(at: FileLocation, error: unknown): never {
    if (!(error instanceof DataProblem)) throw error;
    this.addProblem(at, error.message);
    throw new BindingFailed();
  }

  async #read(sql: string, write: (bound: string) => string): Promise<unknown[][]> {
    const { connection } = this.context;
    const bound = await substituteTables(connection, sql, this.#emptyTables);
    await connection.run("BEGIN TRANSACTION READ ONLY");
    try {
      return (await connection.runAndReadAll(write(bound))).getRowsJson();
    } finally {
      await connection.run("ROLLBACK").catch(() => {});
    }
  }
}
