import type { CheckSeverity, ConsumptionFlowInput } from "@lakehelm/contract";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { counted, shown, suggestion } from "@lakehelm/contract/text";
import { type NameDefaults, readTableName } from "@lakehelm/sql/names";
import { isNested } from "../column-type.ts";
import { type FlowColumn, type ForeignKey, sameName, type TargetColumn } from "../flow.ts";
import { dateTypes } from "../publish/business-date.ts";
import { textProblem } from "./text-limits.ts";

/** The columns of a request. `known` are the columns without an error. */
export interface ColumnLookup {
  readonly known: readonly TargetColumn[];
  /** All column names, so that a column with an error is not also reported as unknown. */
  readonly named: readonly string[];
}

function find<C extends FlowColumn>(
  name: string,
  field: string,
  columns: readonly C[],
  named: readonly string[],
  problems: string[],
): C | null {
  const found = columns.find((column) => sameName(column.name, name));
  if (!found && !named.some((other) => sameName(other, name))) {
    const names = columns.map((column) => column.name);
    problems.push(`${field}: ${shown(name)} is not a column of target_schema.${suggestion(name, names)}`);
  }
  return found ?? null;
}

export function readSequence(
  { sequence_by: name }: ConsumptionFlowInput,
  { known, named }: ColumnLookup,
  problems: string[],
): TargetColumn | null {
  if (name === undefined) return null;
  const column = find(name, "sequence_by", known, named, problems);
  if (column && isNested(column.type)) {
    problems.push(
      `sequence_by: ${shown(name)} is ${column.type.sql}, which has no order. Expected a number, a date, a time or a string.`,
    );
  }
  if (column?.isKey)
    problems.push(`sequence_by: ${shown(name)} is part of the key, so it cannot order the rows of a key.`);
  return column;
}

export function readBusinessDate(
  { business_date_column: name }: ConsumptionFlowInput,
  { known, named }: ColumnLookup,
  problems: string[],
): TargetColumn | null {
  if (name === undefined) return null;
  const column = find(name, "business_date_column", known, named, problems);
  if (column && !dateTypes.has(column.type.name)) {
    problems.push(
      `business_date_column: ${shown(name)} is ${column.type.sql}. Expected ${[...dateTypes].join(", ")}.`,
    );
  }
  return column;
}

const clusterable = (type: string) =>
  !["BOOLEAN", "BINARY", "ARRAY", "MAP", "STRUCT", "VARIANT"].includes(type);

/** A table can also be clustered by columns that the flow adds itself. */
export function readClustering(
  { cluster_by: names }: ConsumptionFlowInput,
  all: readonly FlowColumn[],
  named: readonly string[],
  problems: string[],
): string[] {
  const columns = names ?? [];
  if (columns.length > 4)
    problems.push(`cluster_by: it has ${counted(columns.length, "column")}. Expected four at most.`);
  return columns.flatMap((name, at) => {
    const field = `cluster_by[${at}]`;
    const column = find(name, field, all, named, problems);
    const first = columns.findIndex((other) => sameName(other, name));
    if (first < at) problems.push(`${field}: ${shown(name)} is already cluster_by[${first}].`);
    if (column && !clusterable(column.type.name)) {
      problems.push(`${field}: ${shown(name)} is ${column.type.sql}, by which a table cannot be clustered.`);
    }
    return column ? [column.name] : [];
  });
}

export function readForeignKeys(
  { target_schema: { foreign_keys: keys } }: ConsumptionFlowInput,
  defaults: NameDefaults,
  { known, named }: ColumnLookup,
  severity: CheckSeverity,
  problems: string[],
): ForeignKey[] {
  return keys.flatMap((key, at) => {
    const where = `target_schema.foreign_keys[${at}]`;
    const column = find(key.column, `${where}.column`, known, named, problems);
    const parent = readTableName(key.parent_table, defaults, `${where}.parent_table`);
    if ("problem" in parent) problems.push(parent.problem);
    const problem = columnNameProblem(key.parent_column);
    if (problem) problems.push(`${where}.parent_column: ${problem}`);
    if (column && isNested(column.type)) {
      problems.push(
        `${where}.column: ${shown(key.column)} is ${column.type.sql}, which cannot be a foreign key.`,
      );
    }
    if (!column || "problem" in parent || problem) return [];
    return [{ column, parent, parentColumn: key.parent_column, severity: key.check_severity ?? severity }];
  });
}

/** Properties that Spark reserves. */
const reserved = new Set(["provider", "location", "owner", "comment", "external", "is_managed_location"]);

export function propertyProblems({ table_properties: properties }: ConsumptionFlowInput): string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const field = `table_properties, key ${shown(key)}`;
    if (key.trim() === "" || key.trim() !== key)
      return [`${field}: a key is empty, or begins or ends with a space.`];
    if (reserved.has(key.toLowerCase())) return [`${field}: the engine reserves this property.`];
    const problem = textProblem(key) ?? textProblem(value);
    return problem ? [`${field}: ${problem}`] : [];
  });
}
