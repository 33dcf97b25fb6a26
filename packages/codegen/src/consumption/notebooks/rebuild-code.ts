import type { FlowShape } from "@lakehelm/contract/changes";
import {
  type ConsumptionFlow,
  createTable,
  dropRebuilt,
  rebuiltFlow,
  rebuiltTable,
  replaceTarget,
} from "@lakehelm/flows";
import { quoteIdentifier } from "@lakehelm/sql/names";
import { pythonNames, tableMark } from "../../text/name-marks.ts";
import { pythonBlock, pythonString } from "../../text/python.ts";

/** The flow with a mark for its target: when it runs, the notebook publishes into the table or into its replacement. */
export const publishingFlow = (flow: ConsumptionFlow): ConsumptionFlow => ({
  ...flow,
  target: { ...flow.target, table: tableMark },
});

/** All statements of a rebuild, for the checks. */
export const rebuildStatements = (flow: ConsumptionFlow, shape: FlowShape): string[] => [
  dropRebuilt(flow),
  createTable(rebuiltFlow(flow)),
  replaceTarget(flow, shape),
];

/** Publishes into the table, or into a new table that replaces it in one commit. */
export function publishOrRebuild(flow: ConsumptionFlow, shape: FlowShape, publish: string): string {
  const table = (name: string) => pythonString(quoteIdentifier(name));
  return [
    "# A rebuild fills a new table first: no reader sees the table without its rows, and after a crash it is the old",
    "# or the new one.",
    `${pythonNames.table.sql} = ${table(rebuiltTable(flow.target).table)} if rebuild else ${table(flow.target.table)}`,
    `DROP_REBUILT = ${pythonString(dropRebuilt(flow))}`,
    `CREATE_REBUILT = ${pythonBlock(createTable(rebuiltFlow(flow)))}`,
    "if rebuild:",
    "    spark.sql(DROP_REBUILT)",
    "    spark.sql(CREATE_REBUILT)",
    "",
    publish,
    "",
    "# One commit, which also records the version of the flow.",
    `REPLACE_TARGET = ${pythonBlock(replaceTarget(flow, shape))}`,
    "if rebuild:",
    "    spark.sql(REPLACE_TARGET)",
    "    spark.sql(DROP_REBUILT)",
    ...(flow.publishing === "replace" ? ['    outcome = "the table was built again"'] : []),
  ].join("\n");
}
