import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import type { ScriptPlan, ScriptPlanRequest, ScriptRequest, ScriptResult } from "../protocol/script.ts";
import { interruptible } from "../warehouse/interrupt.ts";
import { fullName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { authorProblem } from "./author-problem.ts";
import { type BoundScript, bindScript, type ScriptStep } from "./code/script-binding.ts";
import { readCompleted, type WorkKey, writeCompleted } from "./completed-work.ts";
import { runScriptQuery } from "./script-query.ts";
import { runStatement } from "./statements/statement-run.ts";

type ScriptContext = Pick<RequestContext, "signal" | "crashPoint" | "now">;

/**
 * A stored result keeps at most this many characters of rows. Beyond that, a repeated request gets the result without rows.
 */
const maxStoredCharacters = 100_000;
const emptyResult: ScriptResult = {
  columns: [],
  rows: [],
  count: 0,
  value: null,
  inserted: 0,
  updated: 0,
  deleted: 0,
  changed: [],
};

export async function planScript(
  warehouse: Warehouse,
  script: ScriptPlanRequest,
  signal: AbortSignal,
): Promise<ScriptPlan> {
  const { problems, reads, writes } = await bindScript(warehouse, script, signal);
  return {
    problems: problems.map(({ line, column, message }) => ({ line, column, message })),
    reads,
    writes,
  };
}

/** Runs all statements in one transaction. A script that writes runs once per idempotency key. */
export async function runScript(
  warehouse: Warehouse,
  script: ScriptRequest,
  context: ScriptContext,
): Promise<ScriptResult> {
  // Looked up before binding: a table that the script has already created would now be a conflict.
  const before =
    script.idempotencyKey === null ? undefined : await findCompleted(warehouse, script.idempotencyKey);
  if (before) return before;
  const bound = await bindScript(warehouse, script, context.signal);
  if (bound.problems.length > 0) {
    const messages = bound.problems.map(
      ({ line, column, message }) => `Line ${line}, column ${column}: ${message}`,
    );
    throw new DataProblem(messages.join("\n"));
  }
  if (bound.catalog !== null && script.idempotencyKey === null) {
    throw new DataProblem(`The script may only read here, but it writes ${bound.writes.join(", ")}.`);
  }
  try {
    return bound.catalog === null || script.idempotencyKey === null
      ? await runQueries(warehouse, bound.steps, script.maxRows, context.signal)
      : await runStatements(warehouse, bound, bound.catalog, script.idempotencyKey, script.maxRows, context);
  } catch (error) {
    context.signal.throwIfAborted();
    throw authorProblem(error, warehouse) ?? error;
  }
}

const workKey = (idempotencyKey: string): WorkKey => ({ owner: "", idempotencyKey, step: "" });

/** The stored result, which was written by `runStatements`. */
const completedIn = async (connection: DuckDBConnection, catalog: string, idempotencyKey: string) =>
  (await readCompleted(connection, catalog, workKey(idempotencyKey))) as ScriptResult | undefined;

async function findCompleted(
  warehouse: Warehouse,
  idempotencyKey: string,
): Promise<ScriptResult | undefined> {
  const connection = await warehouse.connect();
  try {
    for (const catalog of warehouse.catalogs) {
      const result = await completedIn(connection, catalog, idempotencyKey);
      if (result) return result;
    }
    return undefined;
  } finally {
    connection.closeSync();
  }
}

async function runQueries(
  warehouse: Warehouse,
  steps: readonly ScriptStep[],
  maxRows: number | undefined,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const connection = await warehouse.connect();
  try {
    return await interruptible(connection, signal, async () => {
      await connection.run("BEGIN TRANSACTION READ ONLY");
      let done = emptyResult;
      for (const { query } of steps)
        if (query !== undefined)
          done = { ...done, ...(await runScriptQuery(connection, query, warehouse.limits, maxRows)) };
      return done;
    });
  } finally {
    await connection.run("ROLLBACK").catch(() => {});
    connection.closeSync();
  }
}

async function runStatements(
  warehouse: Warehouse,
  { steps }: BoundScript,
  catalog: string,
  idempotencyKey: string,
  maxRows: number | undefined,
  { signal, crashPoint, now }: ScriptContext,
): Promise<ScriptResult> {
  await warehouse.attach(catalog);
  const done = await inTransaction(warehouse, signal, (connection) =>
    interruptible(connection, signal, async () => {
      const before = await completedIn(connection, catalog, idempotencyKey);
      if (before) return before;
      const time = now();
      let result = emptyResult;
      for (const { query, change } of steps) {
        if (query !== undefined)
          result = { ...result, ...(await runScriptQuery(connection, query, warehouse.limits, maxRows)) };
        else {
          const effect = await runStatement(connection, change, new Map(), "");
          const { table } = change;
          if (table && effect.change) await warehouse.recordChange(connection, table, time, effect.change);
          result = {
            ...result,
            inserted: result.inserted + effect.inserted,
            updated: result.updated + effect.updated,
            deleted: result.deleted + effect.deleted,
            changed:
              table && effect.change ? [...new Set([...result.changed, fullName(table)])] : result.changed,
          };
        }
      }
      const isLarge = JSON.stringify(result.rows).length > maxStoredCharacters;
      const stored = isLarge ? { ...result, rows: [] } : result;
      await writeCompleted(connection, catalog, workKey(idempotencyKey), stored, time);
      crashPoint("written");
      return result;
    }),
  );
  crashPoint("recorded");
  return done;
}
