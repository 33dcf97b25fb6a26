/** Statements for Delta that rebuild a target or drop its columns. */
import type { FlowShape } from "@lakehelm/contract/changes";
import { quoteIdentifier, siblingTable, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";
import type { ConsumptionFlow } from "./flow.ts";
import { storageLines } from "./target-ddl.ts";

/** The table property with the shape of the flow that wrote the table. */
export const shapeProperty = "lakehelm.flow.shape";

/** The table that is filled before it replaces the target, so that no reader sees a target without its rows. */
export const rebuiltTable = (target: TableName): TableName => siblingTable(target, "_rebuilt");

/** The flow that fills the replacement table. */
export const rebuiltFlow = (flow: ConsumptionFlow): ConsumptionFlow => ({
  ...flow,
  target: rebuiltTable(flow.target),
});

export const dropRebuilt = ({ target }: Pick<ConsumptionFlow, "target">): string =>
  `DROP TABLE IF EXISTS ${sqlName(rebuiltTable(target))}`;

/** Replaces the target in one commit, which also records the shape of the flow. */
export const replaceTarget = (flow: ConsumptionFlow, shape: FlowShape): string =>
  [
    `CREATE OR REPLACE TABLE ${sqlName(flow.target)}`,
    "USING DELTA",
    ...storageLines(flow, { [shapeProperty]: JSON.stringify(shape) }),
    `AS SELECT * FROM ${sqlName(rebuiltTable(flow.target))}`,
  ].join("\n");

export const setShape = ({ target }: Pick<ConsumptionFlow, "target">, shape: FlowShape): string =>
  `ALTER TABLE ${sqlName(target)} SET TBLPROPERTIES (${sqlString(shapeProperty)} = ${sqlString(JSON.stringify(shape))})`;

/** Delta drops a column only if the table maps columns by name and is not clustered by the column. */
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
