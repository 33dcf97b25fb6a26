import { quoteIdentifier, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";
import {
  castTo,
  conjunction,
  exactJson,
  freeName,
  lines,
  qualified,
  quotedNames,
  valueType,
} from "./expressions.ts";
import {
  type ConsumptionFlow,
  type FlowQuery,
  keyOf,
  ownPrefix,
  recheckedTable,
  unmatchedTable,
  views,
} from "./flow.ts";
import { insertClause, merge } from "./merge.ts";
import { rankColumn, rankedQuery, withCtes } from "./publish/ranking.ts";
import type { FlowStep } from "./step.ts";
import { storageProperties } from "./target-ddl.ts";

export const firstSeen = "first_seen_at";

/** Only the engine knows the types of the other columns, so they are added from the result of the SELECT. */
export const createUnmatched = (flow: ConsumptionFlow, { columns }: FlowQuery): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${sqlName(unmatchedTable(flow.target))} (`,
    `  ${firstSeen} TIMESTAMP COMMENT 'When a run first found the row without a match'`,
    ")",
    "USING DELTA",
    `COMMENT ${sqlString(`Rows without a match for ${flow.target.table}`)}`,
    // Delta can add a TIMESTAMP_NTZ column to an existing table only with this feature.
    ...storageProperties(columns, { "delta.feature.timestampNtz": "supported" }),
  ].join("\n");

export const createRechecked = (flow: ConsumptionFlow): string =>
  [
    `CREATE OR REPLACE TABLE ${sqlName(recheckedTable(flow.target))} (`,
    lines(flow.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${valueType(type)}`)),
    ")",
    "USING DELTA",
    `COMMENT ${sqlString(`Rows that the last run rechecked and published to ${flow.target.table}`)}`,
    ...storageProperties(flow.columns.map(({ name }) => name)),
  ].join("\n");

export const stageRechecked = (flow: ConsumptionFlow): string =>
  append(
    recheckedTable(flow.target),
    views.rechecked,
    flow.columns.map(({ name }) => name),
  );

/** Deletes rechecked rows by key. Rows that are still unmatched are added again by the next step. */
export function leaveStep(flow: ConsumptionFlow): FlowStep {
  const key = keyOf(flow);
  const [target, source] = [freeName("target", flow.columns), freeName("source", flow.columns)];
  const table = unmatchedTable(flow.target);
  const rows = `(\n  SELECT DISTINCT ${quotedNames(key).join(", ")}\n  FROM ${sqlName(recheckedTable(flow.target))}\n)`;
  // The unmatched table has the types of the caller's SELECT. Rows whose values cannot be cast to the key are not
  // deleted.
  const on = key.map(
    ({ name, type }) => `${castTo(qualified(target, name), type, "try_cast")} <=> ${qualified(source, name)}`,
  );
  return {
    kind: "merge",
    name: "leave",
    about: "Removes rows that were rechecked and published, by key.",
    matching: {
      on: conjunction(on),
      rows: `${sqlName(table)} AS ${target} CROSS JOIN ${rows} AS ${source}`,
    },
    sql: merge({ table, rows, target, source, on, clauses: ["WHEN MATCHED THEN DELETE"] }),
  };
}

/** Adds each row once. Rows are compared as JSON, because a MAP cannot be compared. */
export function keepSteps(flow: ConsumptionFlow, { columns }: FlowQuery): FlowStep[] {
  const json = exactJson(
    `named_struct(${columns.map((name) => `${sqlString(name)}, ${quoteIdentifier(name)}`).join(", ")})`,
  );
  const row = `${ownPrefix}row`;
  return [
    {
      kind: "view",
      name: "new_unmatched",
      about: "Each unmatched row once, if it is not kept yet.",
      view: views.newUnmatched,
      sql: withCtes(
        {
          incoming: `SELECT\n  *,\n  ${json} AS ${row}\nFROM ${views.unmatched}`,
          kept: `SELECT\n  ${json} AS ${row}\nFROM ${sqlName(unmatchedTable(flow.target))}`,
          ranked: rankedQuery("incoming", [row], [row]),
        },
        [
          `SELECT\n${lines(columns.map(quoteIdentifier))}`,
          "FROM ranked",
          `WHERE ${rankColumn} = 1`,
          `  AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.${row} = ranked.${row})`,
        ].join("\n"),
      ),
    },
    {
      kind: "merge",
      name: "keep",
      about: "Inserts them with the time of this run.",
      sql: append(unmatchedTable(flow.target), views.newUnmatched, columns, new Map([[firstSeen, "now()"]])),
    },
  ];
}

/** Unlike an INSERT, a MERGE returns the number of rows, and commits nothing if there are none. */
function append(
  table: TableName,
  rows: string,
  columns: readonly string[],
  values: ReadonlyMap<string, string> = new Map(),
): string {
  const all = columns.map((name) => ({ name }));
  const [target, source] = [freeName("target", all), freeName("source", all)];
  const clauses = [insertClause(source, [...columns, ...values.keys()], { values })];
  return merge({ table, rows, target, source, on: ["false"], clauses });
}
