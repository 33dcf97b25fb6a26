import type { DuckDBConnection } from "@duckdb/node-api";
import { countedSentence } from "@lakehelm/contract/text";
import { type FlowStep, guardSentence, views } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { type MergeActionCounts, runMerge } from "../warehouse/merge.ts";
import { literal, quote, withCatalogNames } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { portable, portableExpression, strict, withoutComment } from "./portable-sql.ts";
import { withSparkCasts } from "./spark-casts.ts";

/** The rows that a step changed, or did not publish. */
export interface StepCounts extends MergeActionCounts {
  readonly duplicates: number;
}

export const noRows: StepCounts = { inserted: 0, updated: 0, deleted: 0, duplicates: 0 };

export interface StepContext {
  readonly connection: DuckDBConnection;
  readonly businessDate: string | null;
  /** Creates a view from a SELECT of the flow's author. Returns whether it reads a view. */
  createAuthorView(field: string, sql: string, create: (select: string) => string): Promise<boolean>;
  remark(level: "info" | "warn", text: string): void;
}

const authorViews: ReadonlySet<string> = new Set([views.matched, views.unmatched, views.recheck]);

/** Whether the step belongs to a run with, or without, a business date. */
export const isForRun = ({ only }: FlowStep, businessDate: string | null): boolean =>
  only === undefined || (only === "with a date") === (businessDate !== null);

/** Runs one step of a plan. A MERGE or a count returns its rows. */
export async function runStep(context: StepContext, step: FlowStep): Promise<StepCounts | undefined> {
  const { connection } = context;
  switch (step.kind) {
    case "view":
      return void (await createView(context, step));
    case "guard": {
      const found = Number(await scalar(connection, portable(step.sql)));
      if (found !== 0) throw new DataProblem(withCatalogNames(guardSentence(found, step)));
      return undefined;
    }
    case "count": {
      const duplicates = Number(await scalar(connection, portable(step.sql)));
      if (duplicates > 0) context.remark(step.level, countedSentence(duplicates, step.remark));
      return { ...noRows, duplicates };
    }
    case "merge":
      return { ...noRows, ...(await runMerge(connection, await mergeSql(connection, step))) };
    case "statement":
      return void (await connection.run(portable(step.sql)));
    case "table":
      await connection.run(portable(withoutComment(step.sql)));
      return void (await addNewColumns(connection, portableExpression(step.table), step.view));
  }
}

/**
 * The condition is translated separately, as a SELECT: only in a SELECT can DuckDB tell the types that casts depend on.
 */
async function mergeSql(
  connection: DuckDBConnection,
  { sql, matching }: Extract<FlowStep, { kind: "merge" }>,
): Promise<string> {
  if (!matching) return portable(sql);
  const { rows, on } = matching;
  const select = await withSparkCasts(connection, portable(`SELECT ${on} AS ${isMatch} FROM ${rows}`));
  const [condition] = /(?<=^SELECT ).*(?= AS is_match FROM )/s.exec(select) ?? [];
  if (condition === undefined) throw new Error(`The condition of a MERGE has an unexpected form: ${select}`);
  return portable(sql.replace(`ON ${on}`, () => `ON ${isMatch}`)).replace(
    ` ON ${isMatch}`,
    () => ` ON ${condition}`,
  );
}

const isMatch = "is_match";

async function createView(
  { connection, businessDate, createAuthorView }: StepContext,
  { name, view, sql, date }: Extract<FlowStep, { kind: "view" }>,
): Promise<void> {
  const create = (select: string) =>
    `CREATE OR REPLACE TEMP VIEW ${view} AS ${
      date !== undefined && businessDate !== null
        ? `SELECT * FROM (${select}) WHERE ${portableExpression(date)} = DATE ${literal(businessDate)}`
        : select
    }`;
  if (authorViews.has(view)) await createAuthorView(name, sql, create);
  else await connection.run(create(await withSparkCasts(connection, strict(sql))));
}

async function addNewColumns(connection: DuckDBConnection, table: string, view: string): Promise<void> {
  const columnsOf = async (relation: string) =>
    (await connection.runAndReadAll(`DESCRIBE ${relation}`)).getRowsJson().map(([name, type]) => ({
      name: String(name),
      type: String(type),
    }));
  const existing = new Set((await columnsOf(table)).map(({ name }) => name.toLowerCase()));
  for (const { name, type } of await columnsOf(view)) {
    if (existing.has(name.toLowerCase())) continue;
    await connection.run(`ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${type}`);
  }
}
