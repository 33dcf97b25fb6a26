import type { DatasetTypes } from "@lakehelm/contract/column-types";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../../../protocol/problem.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";

const types: Readonly<Record<string, string>> = {
  string: "VARCHAR",
  boolean: "BOOLEAN",
  tinyint: "TINYINT",
  smallint: "SMALLINT",
  int: "INTEGER",
  bigint: "BIGINT",
  float: "FLOAT",
  double: "DOUBLE",
  date: "DATE",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  timestamp_ntz: "TIMESTAMP",
};

/** DuckDB's name of a type in Spark's spelling; undefined for `binary`. */
const warehouseType = (type: string): string | undefined =>
  type.startsWith("decimal") ? type.toUpperCase() : types[type];

/**
 * The columns with the types that the connection declares. Values are staged as text. If all names are known (`complete`), a
 * declared column that no file has is an error, otherwise it has no values yet.
 */
export function withDeclaredTypes(
  columns: DatasetDescription["columns"],
  { types: declared, required }: DatasetTypes,
  { dataset, origin, complete }: { dataset: string; origin: string; complete: boolean },
): DatasetDescription["columns"] {
  const unsupported = Object.keys(declared).find((name) => warehouseType(declared[name] ?? "") === undefined);
  if (unsupported !== undefined) {
    throw new DataProblem(
      `connection.config.columns: the type ${declared[unsupported]} of ${JSON.stringify(unsupported)} is not supported here. Declare string instead.`,
    );
  }
  const names = columns.map(({ name }) => name);
  const found = new Set(names.map((name) => name.toLowerCase()));
  const isMissing = (name: string) => !found.has(name.toLowerCase());
  const missing = required.find(isMissing);
  if (complete && missing !== undefined && names.length > 0) {
    throw new DataProblem(
      `connection.config.columns: ${dataset} has no column ${JSON.stringify(missing)}.${suggestion(missing, names)}`,
    );
  }
  const byName = new Map(Object.entries(declared).map(([name, type]) => [name.toLowerCase(), type]));
  const typed = columns.map((column) => {
    const type = byName.get(column.name.toLowerCase());
    return type === undefined ? column : declaredColumn(column.name, type, column.origin);
  });
  if (complete) return typed;
  const others = Object.entries(declared).filter(([name]) => isMissing(name));
  return [...typed, ...others.map(([name, type]) => declaredColumn(name, type, origin))];
}

function declaredColumn(
  name: string,
  declared: string,
  origin: string,
): DatasetDescription["columns"][number] {
  const type = warehouseType(declared) ?? "VARCHAR";
  return { name, type, ...(type !== "VARCHAR" && { wire: "VARCHAR" }), origin, nullable: true };
}
