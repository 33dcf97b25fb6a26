import { DataProblem, type ScriptPlan, type ScriptRequest, type ScriptResult } from "@lakehelm/engine";
import { isNoTable } from "@lakehelm/spark-connect";
import { loadSqlParser } from "@lakehelm/sql";
import {
  plainName,
  quoteIdentifier,
  schemaName,
  sqlName,
  sqlString,
  type TableName,
} from "@lakehelm/sql/names";
import { readScript, type ScriptStatement } from "@lakehelm/sql/pipelines";
import { countsOf, historyOf, noRows, type RowCounts } from "./history.ts";
import { authorError, requireSafe, textOf } from "./script-statement.ts";
import type { WorkSession } from "./work-session.ts";

/** Changes descriptions and tags, which are not Spark's alone. */
export type ApplyMetadata = (sql: string) => Promise<{ changed: boolean }>;

const defaultRows = 100;

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

/** Reads the statements with our own parser. Spark knows the columns of tables. */
async function statementsOf({ scope, sql, parameters }: Omit<ScriptRequest, "idempotencyKey">) {
  const { catalog, schema } = scope;
  return readScript(await loadSqlParser(), sql, {
    catalog,
    schema,
    tables: new Map(),
    othersExist: true,
    configuration: {},
    path: "",
    parameters: Object.keys(parameters),
  });
}

/** The problems that the text itself has. What only the cluster knows is found when it runs. */
export async function planScript(script: Omit<ScriptRequest, "idempotencyKey">): Promise<ScriptPlan> {
  const { problems, statements = [] } = await statementsOf(script);
  return {
    problems: (problems ?? []).map(({ line, column, message }) => ({ line, column, message })),
    reads: [...new Set(statements.flatMap(({ reads }) => reads))],
    writes: [...new Set(statements.flatMap((one) => (one.kind === "plain" ? one.writes : [])))],
  };
}

/**
 * Runs the statements one by one: each is a transaction of its own. A statement whose commit is in the history of its table is
 * not executed again.
 */
export async function runScript(
  session: WorkSession,
  script: ScriptRequest,
  applyMetadata: ApplyMetadata,
  line: (text: string) => void,
): Promise<ScriptResult> {
  const { problems, statements } = await statementsOf(script);
  if (problems) {
    throw new DataProblem(
      problems.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`).join("\n"),
    );
  }
  const writes = statements.find((one) => one.kind === "plain");
  if (writes && script.idempotencyKey === null)
    throw new DataProblem("The script may only read here, but it has statements that write.");
  let result = emptyResult;
  for (const [at, statement] of statements.entries()) {
    const text = textOf(statement, script.parameters, script.types);
    session.use(statement.defaults);
    try {
      if (statement.kind === "query") {
        result = { ...result, ...(await runQuery(session, text, script.maxRows ?? defaultRows)) };
        continue;
      }
      const counts = await runPlain(session, statement, text, String(at + 1), applyMetadata, line);
      if (!counts) continue;
      const table = "table" in statement.meaning ? [plainName(statement.meaning.table)] : [];
      result = {
        ...result,
        inserted: result.inserted + counts.inserted,
        updated: result.updated + counts.updated,
        deleted: result.deleted + counts.deleted,
        changed: [...new Set([...result.changed, ...table])],
      };
    } catch (error) {
      throw authorError(error, statement, text);
    }
  }
  return result;
}

async function runQuery(
  session: WorkSession,
  sql: string,
  maxRows: number,
): Promise<Pick<ScriptResult, "columns" | "rows" | "count" | "value">> {
  requireSafe(sql);
  // As a subquery: Spark would execute a DROP that is sent as a query.
  const inner = `(\n${sql}\n)`;
  const columns = (await session.columns(`SELECT * FROM ${inner}`)).map(({ name, type }) => ({ name, type }));
  const found = await session.rows(`SELECT * FROM ${inner} LIMIT ${maxRows + 1}`);
  const rows = found.slice(0, maxRows);
  const count = found.length > maxRows ? await session.number(`SELECT count(*) FROM ${inner}`) : found.length;
  const value = count === 1 && columns.length === 1 ? rows[0]?.[0] : null;
  return { columns, rows, count, value: value ?? null };
}

type PlainScriptStatement = Extract<ScriptStatement, { kind: "plain" }>;

/** Undefined: the statement changed no rows and no table. */
export async function runPlain(
  session: WorkSession,
  { meaning, sql, defaults }: Pick<PlainScriptStatement, "meaning" | "sql" | "defaults">,
  text: string,
  step: string,
  applyMetadata: ApplyMetadata,
  line: (text: string) => void,
): Promise<RowCounts | undefined> {
  session.use(defaults);
  switch (meaning.verb) {
    case "describe":
      return (await applyMetadata(sql)).changed ? noRows : undefined;
    case "keep":
      line(
        `Left out, because it only describes how Databricks stores ${plainName(meaning.table)}: ${firstWords(sql)}`,
      );
      return undefined;
    case "create_schema":
      return void (await session.rows(text));
    case "drop_table":
    case "drop_view":
      if (meaning.ifExists && !(await hasSchema(session, meaning.table))) return undefined;
      await requireSchema(session, meaning.table);
      return void (await session.once(step, text, {}, async () => false));
    case "insert":
      requireSafe(meaning.select);
      await requireSchema(session, meaning.table);
      return writeOnce(session, meaning.table, text, step);
    case "create_table":
      if (meaning.select !== null) requireSafe(meaning.select);
      // The schema is created as on the embedded platform.
      await session.rows(`CREATE SCHEMA IF NOT EXISTS ${schemaName(meaning.table)}`);
      return writeOnce(session, meaning.table, text, step);
    case "add_columns":
    case "truncate":
      await requireSchema(session, meaning.table);
      return writeOnce(session, meaning.table, text, step);
    default:
      requireSafe(sql);
      await requireSchema(session, meaning.table);
      return writeOnce(session, meaning.table, text, step);
  }
}

async function hasSchema(session: WorkSession, { catalog, schema }: TableName): Promise<boolean> {
  const like = `SHOW SCHEMAS IN ${quoteIdentifier(catalog)} LIKE ${sqlString(schema)}`;
  return (await session.rows(like)).length > 0;
}

/** Without the schema, Spark would look for a short name in the schema `default`, and change another table. */
async function requireSchema(session: WorkSession, table: TableName): Promise<void> {
  if (!(await hasSchema(session, table)))
    throw new DataProblem(`There is no schema ${table.catalog}.${table.schema}.`);
}

const firstWords = (sql: string): string => sql.replace(/\s+/g, " ").slice(0, 80);

/** One commit for one step of the work, however often it is sent. */
async function writeOnce(
  session: WorkSession,
  table: TableName,
  sql: string,
  step: string,
): Promise<RowCounts> {
  const mark = `lakehelm:${session.key}#${step}`;
  const name = sqlName(table);
  const commit = async () => (await historyOf(session, name)).find((one) => one.mark === mark);
  const settings = {
    "spark.databricks.delta.write.txnAppId": session.key,
    "spark.databricks.delta.write.txnVersion": step,
    "spark.databricks.delta.commitInfo.userMetadata": mark,
  };
  await session.once(step, sql, settings, async () => (await commit()) !== undefined);
  const done = await commit().catch((error: unknown) => {
    if (isNoTable(error)) return undefined;
    throw error;
  });
  return done ? countsOf(done) : noRows;
}
