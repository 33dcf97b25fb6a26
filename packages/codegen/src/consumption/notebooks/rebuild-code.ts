import type { FlowShape } from "@lakehelm/contract/changes";
import {
  type ConsumptionFlow,
  createTable,
  dropRebuilt,
  planFlow,
  rebuiltFlow,
  replaceTarget,
} from "@lakehelm/flows";
import { pythonString, pythonText } from "../../text/python.ts";
import { stepsCode } from "./step-code.ts";

/** All statements of a rebuild, for the checks. */
export const rebuildStatements = (flow: ConsumptionFlow, shape: FlowShape): string[] => [
  dropRebuilt(flow),
  createTable(rebuiltFlow(flow)),
  ...planFlow(rebuiltFlow(flow)).publish.map(({ sql }) => sql),
  replaceTarget(flow, shape),
];

/** Publishes: into the table, or into a new one that replaces it in one commit. */
export function publishOrRebuild(flow: ConsumptionFlow, shape: FlowShape, publish: string): string {
  const indented = (code: string) => code.replace(/^(?=.)/gm, "    ");
  const rebuild = [
    "# Filled first: no reader sees the table without its rows, and after a crash it is the old or the new one.",
    `DROP_REBUILT = ${pythonString(dropRebuilt(flow))}`,
    "spark.sql(DROP_REBUILT)",
    `CREATE_REBUILT = ${pythonText(createTable(rebuiltFlow(flow)))}`,
    "spark.sql(CREATE_REBUILT)",
    "",
    stepsCode(planFlow(rebuiltFlow(flow)).publish, { isNested: true }),
    "",
    "# One commit, which also records the version of the flow.",
    `REPLACE_TARGET = ${pythonText(replaceTarget(flow, shape))}`,
    "spark.sql(REPLACE_TARGET)",
    "spark.sql(DROP_REBUILT)",
    ...(flow.publishing === "replace" ? ['outcome = "the table was built again"'] : []),
  ].join("\n");
  return `if rebuild:\n${indented(rebuild)}\nelse:\n${indented(publish)}`;
}
