import { quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { typeOnCluster } from "./cluster-types.ts";

/**
 * SQL: creates an empty table in place of the table in the cluster. Columns and types of a source are compared with it.
 */
export function standInOf(
  table: TableName,
  columns: readonly { readonly name: string; readonly type: string }[],
): string {
  const declared = columns.map(({ name, type }) => `${quote(name)} ${typeOnCluster(type) ?? "VARCHAR"}`);
  return `CREATE TABLE ${sqlName(table)} (${declared.join(", ")})`;
}
