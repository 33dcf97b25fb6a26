import {
  addColumn,
  addConstraint,
  addedNames,
  ageColumn,
  type ConsumptionFlow,
  constraints,
  createTable,
  existingConstraints,
  isHistory,
  tagStatements,
  views,
} from "@lakehelm/flows";
import { plainName, schemaName, sqlName } from "@lakehelm/sql/names";
import { schemasCode } from "../../notebook.ts";
import { isMarked } from "../../text/name-marks.ts";
import { pythonBlock, pythonString } from "../../text/python.ts";

/** The constraints that the table already has. A mark in a literal is not escaped. */
const knownKeys = (flow: ConsumptionFlow): string =>
  isMarked(flow.target.schema)
    ? existingConstraints(flow, `'${flow.target.schema}'`)
    : existingConstraints(flow);

const columnsToAdd = (flow: ConsumptionFlow) => flow.columns.filter(({ isKey }) => !isKey);

/** All statements of these cells, for the checks. */
export const tableStatements = (flow: ConsumptionFlow): string[] => [
  createTable(flow),
  ...columnsToAdd(flow).map((column) => addColumn(flow, column)),
  ...(constraints(flow).length > 0 ? [knownKeys(flow)] : []),
  ...constraints(flow).map((constraint) => addConstraint(flow, constraint)),
  ...tagStatements(flow),
];

export function tableCode(flow: ConsumptionFlow): string {
  const entries = columnsToAdd(flow).map(
    (column) => `    ${pythonString(column.name.toLowerCase())}: ${pythonString(addColumn(flow, column))},`,
  );
  const newColumns = [
    "",
    "# Adds new columns to the table of an earlier version of the flow.",
    "NEW_COLUMNS = {",
    ...entries,
    "}",
    "there = {field.name.lower() for field in spark.table(TARGET).schema}",
    "for name, statement in NEW_COLUMNS.items():",
    "    if name not in there:",
    "        spark.sql(statement)",
  ];
  return [
    `TARGET = ${pythonString(sqlName(flow.target))}`,
    "",
    `CREATE_TARGET = ${pythonBlock(createTable(flow))}`,
    schemasCode([schemaName(flow.target)]),
    "is_new = not spark.catalog.tableExists(TARGET)",
    "spark.sql(CREATE_TARGET)",
    ...(entries.length > 0 ? newColumns : []),
  ].join("\n");
}

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

/** An existing table can have other columns. The notebook fails before it writes to such a table. */
export function fitCode(flow: ConsumptionFlow): string {
  const added = addedNames(flow.target.table, isHistory(flow), flow.surrogateKey !== null);
  return [
    "# Nothing is written to a table without the columns of the flow.",
    "there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}",
    `made = {field.name: field.dataType.simpleString() for field in spark.table("${views.rows}").schema}`,
    ...(flow.recheck ? [`del made["${ageColumn}"]  # the order of the rows, not a column of the table`] : []),
    "wrong = [",
    "    f\"{name} is {there.get(name.lower(), 'missing')} and not {kind}\"",
    "    for name, kind in made.items()",
    "    if there.get(name.lower()) != kind",
    "]",
    ...(added.length > 0
      ? [
          `wrong += [f"{name} is missing" for name in [${added.map((name) => pythonString(name.toLowerCase())).join(", ")}] if name not in there]`,
        ]
      : []),
    "if wrong:",
    `    raise ValueError(${pythonString(`${plainName(flow.target)} does not have the columns of the flow: `)} + "; ".join(wrong))`,
  ].join("\n");
}
