import type { DuckDBConnection } from "@duckdb/node-api";
import { type FlowStep, views } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { literal, quote } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { portable, portableExpression, strict, withoutComment } from "./portable-sql.ts";

export interface RowCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

export const noRows: RowCounts = { inserted: 0, updated: 0, deleted: 0 };

/** What a step is run with. */
export interface StepContext {
  readonly connection: DuckDBConnection;
  readonly businessDate: string | null;
  /** Makes a view of a SELECT that the flow's author wrote. */
  createAuthorView(field: string, sql: string, create: (select: string) => string): Promise<void>;
}

const callers: ReadonlySet<string> = new Set([views.matched, views.unmatched, views.recheck]);

/** Whether the step belongs to a run with, or without, a business date. */
export const isForRun = ({ only }: FlowStep, businessDate: string | null): boolean =>
  only === undefined || (only === "with a date") === (businessDate !== null);

/** Runs one step of a plan; a MERGE answers what it has changed. */
export async function runStep(running: StepContext, step: FlowStep): Promise<RowCounts | undefined> {
  const { connection } = running;
  switch (step.kind) {
    case "view":
      return void (await makeView(running, step));
    case "guard": {
      const found = Number(await scalar(connection, portable(step.sql)));
      if (found !== 0) throw new DataProblem(`${found} ${step.failure}`);
      return undefined;
    }
    case "merge":
      return runMerge(connection, portable(step.sql));
    case "statement":
      return void (await connection.run(portable(step.sql)));
    case "table":
      await connection.run(portable(withoutComment(step.sql)));
      return void (await addNewColumns(connection, portableExpression(step.table), step.view));
  }
}

async function makeView(
  { connection, businessDate, createAuthorView: viewOfCaller }: StepContext,
  { name, view, sql, date }: Extract<FlowStep, { kind: "view" }>,
): Promise<void> {
  const create = (select: string) =>
    `CREATE OR REPLACE TEMP VIEW ${view} AS ${
      date !== undefined && businessDate !== null
        ? `SELECT * FROM (${select}) WHERE ${portableExpression(date)} = DATE ${literal(businessDate)}`
        : select
    }`;
  if (callers.has(view)) await viewOfCaller(name, sql, create);
  else await connection.run(create(strict(sql)));
}

/** Runs a MERGE of DuckDB's. The actions come as rows, and are counted as they come: there may be millions. */
export async function runMerge(connection: DuckDBConnection, sql: string): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  const result = await connection.stream(`${sql} RETURNING merge_action`);
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    for (const action of chunk.getColumnValues(0)) counts[String(action)] = (counts[String(action)] ?? 0) + 1;
  }
  const { INSERT: inserted = 0, UPDATE: updated = 0, DELETE: deleted = 0 } = counts;
  return { inserted, updated, deleted };
}

async function addNewColumns(connection: DuckDBConnection, table: string, view: string): Promise<void> {
  const columnsOf = async (relation: string) =>
    (await connection.runAndReadAll(`DESCRIBE ${relation}`)).getRowsJson().map(([name, type]) => ({
      name: String(name),
      type: String(type),
    }));
  const there = new Set((await columnsOf(table)).map(({ name }) => name.toLowerCase()));
  for (const { name, type } of await columnsOf(view)) {
    if (there.has(name.toLowerCase())) continue;
    await connection.run(`ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${type}`);
  }
}
