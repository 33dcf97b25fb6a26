import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { kindOf, textOf, valueFrom } from "../../target/type-kinds.ts";
import type { TargetFileFormat } from "./target-format.ts";

/** Types that Parquet would round: DuckDB writes HUGEINT as a double, and INTERVAL without microseconds. */
const rounded = /HUGEINT|INTERVAL|TIME WITH TIME ZONE\b|BIT\b|BIGNUM|VARIANT|UNION/;
const isRounded = (type: string) => rounded.test(type.replaceAll("TIMESTAMP WITH TIME ZONE", ""));

/** Parquet keeps the types of the warehouse. The few that it would round are text. */
export const parquet: TargetFileFormat = {
  extension: "parquet",
  storedFields: (columns) =>
    columns.map((column) => ({
      name: column.name,
      sql: isRounded(column.type) ? textOf(column) : quote(column.name),
    })),
  copyOptions: "(FORMAT parquet, COMPRESSION zstd)",
  // The empty SELECT provides names and types of columns that a file does not have.
  selectStored: async (files, columns) =>
    `SELECT * FROM (SELECT ${columns.map(typed).join(", ")} WHERE false UNION ALL BY NAME FROM read_parquet([${files.map(literal).join(", ")}], union_by_name = true))`,
  value: ({ name, type }: WarehouseColumn) =>
    isRounded(type) ? valueFrom(type, quote(name)) : `CAST(${quote(name)} AS ${type})`,
};

const typed = ({ name, type }: WarehouseColumn) =>
  `CAST(NULL AS ${isRounded(type) || kindOf(type) === "text" ? "VARCHAR" : type}) AS ${quote(name)}`;
