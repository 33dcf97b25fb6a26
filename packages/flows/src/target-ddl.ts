/** The statements that create the target table: portable statements, and statements for Databricks only. */

import { quoteIdentifier, sqlName, sqlString, tableSlug } from "@lakehelm/sql/names";
import { quotedNames } from "./expressions.ts";
import { type ConsumptionFlow, type FlowColumn, keyOf } from "./flow.ts";
import { identityColumns, targetColumns } from "./target-columns.ts";

export const createSchema = ({ target }: ConsumptionFlow): string =>
  `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(target.catalog)}.${quoteIdentifier(target.schema)}`;

/** The statement that creates the table. Keys are included only if the engine supports them. */
export function createTable(flow: ConsumptionFlow, keys: readonly TableConstraint[] = []): string {
  const entries = [
    ...targetColumns(flow).map(columnLine),
    ...keys.map(({ name, rule }) => `  CONSTRAINT ${quoteIdentifier(name)} ${rule}`),
  ];
  return [
    `CREATE TABLE IF NOT EXISTS ${sqlName(flow.target)} (`,
    entries.join(",\n"),
    ")",
    "USING DELTA",
    ...storageLines(flow),
  ].join("\n");
}

/** Clustering, description and properties of the table. */
export const storageLines = (
  flow: ConsumptionFlow,
  more: Readonly<Record<string, string>> = {},
): string[] => [
  ...(flow.clusterBy.length > 0 ? [`CLUSTER BY (${flow.clusterBy.map(quoteIdentifier).join(", ")})`] : []),
  ...(flow.description ? [`COMMENT ${sqlString(flow.description)}`] : []),
  ...propertyLines(flow, more),
];

const columnLine = ({ name, type, notNull, description }: FlowColumn): string =>
  `  ${quoteIdentifier(name)} ${type.sql}${notNull ? " NOT NULL" : ""}${description ? ` COMMENT ${sqlString(description)}` : ""}`;

/**
 * Adds a column to the table of an earlier version of the flow. Existing rows have no value, so the column cannot be
 * NOT NULL.
 */
export const addColumn = (flow: ConsumptionFlow, column: FlowColumn): string =>
  `ALTER TABLE ${sqlName(flow.target)} ADD COLUMNS (${columnLine({ ...column, notNull: false }).trim()})`;

const mapping = "delta.columnMapping.mode";
const indexed = "delta.dataSkippingNumIndexedCols";

function propertyLines(flow: ConsumptionFlow, more: Readonly<Record<string, string>>): string[] {
  const ours = {
    ...mappingProperty(targetColumns(flow).map(({ name }) => name)),
    ...statisticsProperty(flow),
  };
  return propertyLine({ ...ours, ...flow.properties, ...more });
}

function propertyLine(properties: Readonly<Record<string, string>>): string[] {
  const written = Object.entries(properties).map(([key, value]) => `${sqlString(key)} = ${sqlString(value)}`);
  return written.length > 0 ? [`TBLPROPERTIES (${written.join(", ")})`] : [];
}

/** Parquet column names can have these characters only with Delta's column mapping. */
const mappingProperty = (columns: readonly string[]): Record<string, string> =>
  columns.some((name) => /[ ,;{}()\n\t=]/.test(name)) ? { [mapping]: "name" } : {};

export const storageProperties = (
  columns: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string[] => propertyLine({ ...mappingProperty(columns), ...more });

/** Delta clusters only by columns with statistics, which by default are the first 32. */
function statisticsProperty(flow: ConsumptionFlow): Record<string, string> {
  let leaves = 0;
  let needed = 0;
  for (const { name, type } of targetColumns(flow)) {
    leaves += type.leaves;
    if (flow.clusterBy.some((clustered) => clustered.toLowerCase() === name.toLowerCase())) needed = leaves;
  }
  return needed > 32 ? { [indexed]: String(needed) } : {};
}

export interface TableConstraint {
  readonly name: string;
  readonly rule: string;
}

/** Constraint names must be unique in a schema, so they begin with the name of the table. */
export function constraints(flow: ConsumptionFlow): TableConstraint[] {
  const { table } = flow.target;
  const short = [...table].length > 150 ? tableSlug(table) : table;
  const primary = {
    name: `${short}_pk`,
    rule: `PRIMARY KEY (${identityColumns(flow).map(quoteIdentifier).join(", ")})`,
  };
  const counts = new Map<string, number>();
  const foreign = flow.foreignKeys.map(({ column, parent, parentColumn }) => {
    const slug = tableSlug(column.name);
    const count = (counts.get(slug) ?? 0) + 1;
    counts.set(slug, count);
    return {
      name: `${short}_fk_${slug}${count > 1 ? `_${count}` : ""}`,
      rule: `FOREIGN KEY (${quotedNames([column]).join("")}) REFERENCES ${sqlName(parent)} (${quoteIdentifier(parentColumn)})`,
    };
  });
  return [...(keyOf(flow).length > 0 ? [primary] : []), ...foreign];
}

export const addConstraint = (flow: ConsumptionFlow, { name, rule }: TableConstraint): string =>
  `ALTER TABLE ${sqlName(flow.target)} ADD CONSTRAINT ${quoteIdentifier(name)} ${rule}`;

/** The constraints that the table already has. `schema` is the table's schema as an SQL literal. */
export const existingConstraints = (
  { target }: ConsumptionFlow,
  schema = sqlString(target.schema.toLowerCase()),
): string =>
  [
    "SELECT lower(constraint_name) AS name",
    `FROM ${quoteIdentifier(target.catalog)}.information_schema.table_constraints`,
    `WHERE table_schema = ${schema} AND table_name = ${sqlString(target.table.toLowerCase())}`,
  ].join("\n");

/** Tags for personal data and glossary terms. */
export const tagStatements = (flow: ConsumptionFlow): string[] =>
  flow.columns.flatMap(({ name, isPersonal, terms }) => {
    const tags = {
      ...(isPersonal && { pii: "true" }),
      ...(terms.length > 0 && { glossary_terms: terms.join(", ") }),
    };
    const written = Object.entries(tags).map(([key, value]) => `${sqlString(key)} = ${sqlString(value)}`);
    return written.length > 0
      ? [
          `ALTER TABLE ${sqlName(flow.target)} ALTER COLUMN ${quoteIdentifier(name)} SET TAGS (${written.join(", ")})`,
        ]
      : [];
  });
