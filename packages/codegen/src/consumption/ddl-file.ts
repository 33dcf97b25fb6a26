import type { ConsumptionFlow } from "@lakehelm/flows";
import { constraints, createSchema, createTable, tagStatements } from "@lakehelm/flows";
import { plainName } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";

/** The statements for the table with keys and tags, to run in a SQL warehouse of Databricks. */
export function ddlFile(flow: ConsumptionFlow, path: string): Artifact {
  const statements = [createSchema(flow), createTable(flow, constraints(flow)), ...tagStatements(flow)];
  const header = [
    `-- The table ${plainName(flow.target)}, with its keys and tags. You can run it repeatedly.`,
    "-- Each run of the flow also creates the table if it is missing.",
  ].join("\n");
  return {
    path,
    content: `${header}\n\n${statements.map((statement) => `${statement};\n`).join("\n")}`,
    fileType: "sql",
    about: `The definition of ${plainName(flow.target)} for Databricks: columns, keys, clustering and tags.`,
    statements,
  };
}
