import type { WarehouseColumn } from "../../protocol/column.ts";
import { databricksType, parseDatabricksType } from "../../protocol/types.ts";

/** Types that Parquet or Delta lacks, or has in another sense. */
const texts = /\b(?:INTERVAL|VARIANT|TIME|TIME WITH TIME ZONE|BIT|UNION)\b/;

/** The DuckDB type of what a cluster stores for a DuckDB type: `UUID` is stored as text, `HUGEINT` as `DECIMAL(38,0)`. */
function storedType(type: string): string {
  const isText = texts.test(
    type.replaceAll(/TIMESTAMP(?: WITH TIME ZONE|_\w+)?/g, "").replaceAll(/"(?:[^"]|"")*"/g, ""),
  );
  return (isText ? undefined : parseDatabricksType(databricksType(type))) ?? "VARCHAR";
}

/** Types whose text has their order. */
const orderedTexts = /^(VARCHAR|UUID|TIME)$/;

/** A column of a source in a type that the cluster has. A value that does not fit it makes its row a reject. */
function storedColumn(column: WarehouseColumn): WarehouseColumn {
  const type = storedType(column.type);
  if (type === column.type) return column;
  const { wire = column.type, ...rest } = column;
  const order = type === "VARCHAR" && !orderedTexts.test(column.type) && { sourceOrder: "other" as const };
  return { ...rest, type, ...(wire !== type && { wire }), ...order };
}

/** The columns of a source in types that the cluster has. */
export const storedColumns = <Column extends WarehouseColumn>(columns: readonly Column[]): Column[] =>
  columns.map((column) => ({ ...column, ...storedColumn(column) }));

/** Spark's name of a column's type. */
export const sparkType = ({ type }: Pick<WarehouseColumn, "type">): string => databricksType(type);

/** The DuckDB type of a column of a cluster's table. Undefined: there is none. */
export const typeOnCluster = (type: string): string | undefined => parseDatabricksType(type);
