import {
  addConstraint,
  type ConsumptionFlow,
  constraints,
  createTable,
  existingConstraints,
  tagStatements,
} from "@lakehelm/flows";
import { schemaName, sqlName } from "@lakehelm/sql/names";
import { schemasCode } from "../../notebook.ts";
import { isMarked } from "../../text/name-marks.ts";
import { pythonBlock, pythonString } from "../../text/python.ts";

/** The constraints that the table already has. Inside a string literal, the mark for a schema is not escaped. */
const knownKeys = (flow: ConsumptionFlow): string =>
  isMarked(flow.target.schema)
    ? existingConstraints(flow, `'${flow.target.schema}'`)
    : existingConstraints(flow);

/** All statements of these cells, for the checks. */
export const tableStatements = (flow: ConsumptionFlow): string[] => [
  createTable(flow),
  ...(constraints(flow).length > 0 ? [knownKeys(flow)] : []),
  ...constraints(flow).map((constraint) => addConstraint(flow, constraint)),
  ...tagStatements(flow),
];

export const tableCode = (flow: ConsumptionFlow): string =>
  [
    `TARGET = ${pythonString(sqlName(flow.target))}`,
    "",
    `CREATE_TARGET = ${pythonBlock(createTable(flow))}`,
    schemasCode([schemaName(flow.target)]),
    "is_new = not spark.catalog.tableExists(TARGET)",
    "spark.sql(CREATE_TARGET)",
  ].join("\n");

export function keysAndTags(flow: ConsumptionFlow): string | undefined {
  const keys = constraints(flow);
  const tags = tagStatements(flow);
  if (keys.length + tags.length === 0) return undefined;
  const keyCode = [
    `KNOWN_KEYS = ${pythonBlock(knownKeys(flow))}`,
    "KEYS = {",
    ...keys.map(
      (key) => `    ${pythonString(key.name.toLowerCase())}: ${pythonString(addConstraint(flow, key))},`,
    ),
    "}",
  ];
  return [
    ...(keys.length > 0 ? keyCode : []),
    ...(tags.length > 0 ? ["TAGS = [", ...tags.map((tag) => `    ${pythonString(tag)},`), "]"] : []),
    "",
    "# Keys and tags exist only on Databricks.",
    'if "DATABRICKS_RUNTIME_VERSION" in os.environ:',
    ...(keys.length > 0
      ? [
          "    known = {row.name for row in spark.sql(KNOWN_KEYS).collect()}",
          "    for name, statement in KEYS.items():",
          "        if name not in known:",
          "            spark.sql(statement)",
        ]
      : []),
    ...(tags.length > 0 ? ["    for statement in TAGS:", "        spark.sql(statement)"] : []),
  ].join("\n");
}
