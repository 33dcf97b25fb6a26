/** The statements that build a target again, or take columns from it, on Delta. */
import type { FlowShape } from "@lakehelm/contract/changes";
import { quoteIdentifier, siblingTable, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";
import type { ConsumptionFlow } from "./flow.ts";
import { storageLines } from "./target-ddl.ts";

/** The property of a table with the version of the flow that wrote it. */
export const shapeProperty = "lakehelm.flow.shape";

/** The table that is filled before it replaces the target: no reader sees a target without its rows. */
export const rebuiltTable = (target: TableName): TableName => siblingTable(target, "_rebuilt");

/** The flow that fills it. */
export const rebuiltFlow = (flow: ConsumptionFlow): ConsumptionFlow => ({
  ...flow,
  target: rebuiltTable(flow.target),
});

export const dropRebuilt = ({ target }: Pick<ConsumptionFlow, "target">): string =>
  `DROP TABLE IF EXISTS ${sqlName(rebuiltTable(target))}`;

/** One commit, which also records the version of the flow. */
export const replaceTarget = (flow: ConsumptionFlow, shape: FlowShape): string =>
  [
    `CREATE OR REPLACE TABLE ${sqlName(flow.target)}`,
    "USING DELTA",
    ...storageLines(flow, { [shapeProperty]: JSON.stringify(shape) }),
    `AS SELECT * FROM ${sqlName(rebuiltTable(flow.target))}`,
  ].join("\n");

export const setShape = ({ target }: Pick<ConsumptionFlow, "target">, shape: FlowShape): string =>
  `ALTER TABLE ${sqlName(target)} SET TBLPROPERTIES (${sqlString(shapeProperty)} = ${sqlString(JSON.stringify(shape))})`;

/** Delta drops a column only from a table that maps its columns by name, and that is not clustered by it. */
export const dropColumns = (
  { target, clusterBy }: Pick<ConsumptionFlow, "target" | "clusterBy">,
  columns: readonly string[],
): string[] => [
  `ALTER TABLE ${sqlName(target)} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')`,
  clusterBy.length > 0
    ? `ALTER TABLE ${sqlName(target)} CLUSTER BY (${clusterBy.map(quoteIdentifier).join(", ")})`
    : `ALTER TABLE ${sqlName(target)} CLUSTER BY NONE`,
  `ALTER TABLE ${sqlName(target)} DROP COLUMNS (${columns.map(quoteIdentifier).join(", ")})`,
];
