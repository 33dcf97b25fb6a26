import type { CheckSeverity } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import { plainName, quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import { freeName, lines, qualified } from "./expressions.ts";
import { type ConsumptionFlow, type ForeignKey, isHistory, keyOf, qualityTable } from "./flow.ts";
import { withCtes } from "./publish/ranking.ts";
import { identityColumns, isCurrent, targetColumns } from "./target-columns.ts";

/** A check of the published table: a SELECT of its violations. */
export interface QualityCheck {
  readonly name: string;
  readonly sql: string;
  /** The end of a sentence that begins with the number of violations. */
  readonly failure: string;
  readonly severity: CheckSeverity;
}

/** A check that did not pass. */
export interface FailedCheck {
  readonly text: string;
  /** A SELECT of the violations, for users who may read the tables. */
  readonly query?: string;
  readonly severity: CheckSeverity;
}

export function qualityChecks(flow: ConsumptionFlow): QualityCheck[] {
  const key = keyOf(flow).map(({ name }) => name);
  return [
    ...(key.length > 0
      ? [
          {
            name: "keys are unique",
            sql: repeated(flow, identityColumns(flow)),
            failure: "keys occur more than once",
            severity: flow.checkSeverity,
          },
        ]
      : []),
    ...(isHistory(flow)
      ? [
          {
            name: "one current row a key",
            sql: repeated(flow, key, isCurrent),
            failure: "keys have more than one current row",
            severity: flow.checkSeverity,
          },
        ]
      : []),
    ...missingValues(flow),
    ...flow.foreignKeys.map((foreignKey) => orphans(flow, foreignKey)),
  ];
}

function repeated(flow: ConsumptionFlow, columns: readonly string[], where?: string): string {
  const listed = columns.map(quoteIdentifier).join(", ");
  const times = freeName("times", targetColumns(flow));
  return [
    `SELECT ${listed}, count(*) AS ${times}`,
    `FROM ${sqlName(flow.target)}`,
    ...(where ? [`WHERE ${where}`] : []),
    `GROUP BY ${listed}`,
    "HAVING count(*) > 1",
  ].join("\n");
}

function missingValues(flow: ConsumptionFlow): QualityCheck[] {
  const needed = targetColumns(flow).filter(({ notNull }) => notNull);
  if (needed.length === 0) return [];
  const missing = freeName("missing", targetColumns(flow));
  const cases = needed.map(
    ({ name }) => `CASE WHEN ${quoteIdentifier(name)} IS NULL THEN ${sqlString(name)} END`,
  );
  return [
    {
      name: "no value is missing",
      failure: "rows have no value where one is needed",
      severity: flow.checkSeverity,
      sql: withCtes(
        {
          looked_at: [
            "SELECT",
            lines([
              ...identityColumns(flow).map(quoteIdentifier),
              `concat_ws(', ',\n${lines(cases, "    ")}\n  ) AS ${missing}`,
            ]),
            `FROM ${sqlName(flow.target)}`,
          ].join("\n"),
        },
        `SELECT *\nFROM looked_at\nWHERE ${missing} <> ''`,
      ),
    },
  ];
}

/**
 * A NULL has no parent. In a history only current rows are checked, because an ended version can outlive its parent.
 */
function orphans(
  flow: ConsumptionFlow,
  { column, parent, parentColumn, severity }: ForeignKey,
): QualityCheck {
  const all = [...targetColumns(flow), { name: parentColumn }];
  const [child, above, times] = [freeName("child", all), freeName("parent", all), freeName("times", all)];
  const value = qualified(child, column.name);
  return {
    name: `${column.name} is in ${plainName(parent)}`,
    failure: `values of ${column.name} are not in ${plainName(parent)} (${parentColumn})`,
    severity,
    sql: [
      `SELECT ${value}, count(*) AS ${times}`,
      `FROM ${sqlName(flow.target)} AS ${child}`,
      `WHERE ${value} IS NOT NULL`,
      ...(isHistory(flow) ? [`  AND ${qualified(child, isCurrent)}`] : []),
      "  AND NOT EXISTS (",
      `    SELECT 1 FROM ${sqlName(parent)} AS ${above}`,
      `    WHERE ${qualified(above, parentColumn)} = ${value}`,
      "  )",
      `GROUP BY ${value}`,
    ].join("\n"),
  };
}

/** The table with the results of the checks. The next run compares its row count with the last count that passed. */
export const createQuality = ({ target }: ConsumptionFlow): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${sqlName(qualityTable(target))} (`,
    "  run_at TIMESTAMP NOT NULL COMMENT 'When the checks ran',",
    "  row_count BIGINT NOT NULL COMMENT 'Rows in the table at that time',",
    "  passed BOOLEAN NOT NULL COMMENT 'Whether every check passed',",
    "  failures STRING COMMENT 'The checks that failed, one per line'",
    ")",
    "USING DELTA",
    `COMMENT ${sqlString(`Data quality of ${target.table}`)}`,
  ].join("\n");

export const lastPassed = ({ target }: ConsumptionFlow): string =>
  [
    "SELECT row_count",
    `FROM ${sqlName(qualityTable(target))}`,
    "WHERE passed",
    "ORDER BY run_at DESC",
    "LIMIT 1",
  ].join("\n");

export const countRows = ({ target }: ConsumptionFlow): string =>
  `SELECT count(*) AS row_count\nFROM ${sqlName(target)}`;

/** Fewer than half or more than twice the rows of the last run fail the check. */
export const defaultDrift = "0.5";

/**
 * Compares the row count with the last run whose checks passed. Small tables may change by 100 rows; null allows any
 * change.
 */
export function driftFailures(
  { checkSeverity: severity }: ConsumptionFlow,
  rows: number,
  last: number,
  allowed: number | null,
): FailedCheck[] {
  if (allowed === null || Math.abs(rows - last) <= 100) return [];
  const [fewest, most] = [
    last * (1 - allowed),
    allowed < 1 ? last / (1 - allowed) : Number.POSITIVE_INFINITY,
  ];
  if (rows >= fewest && rows <= most) return [];
  const expected = `Expected ${Math.round(fewest)} to ${Math.round(most)}.`;
  return [
    {
      text: `row count: ${counted(rows, "row")}, but the last successful run had ${last}. ${expected} If this is right, run the flow once with a greater max_row_count_drift.`,
      severity,
    },
  ];
}
