import { type WarehouseColumn, wireType } from "../../protocol/column.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";

/** Parses a value from the text that the server sends; undefined if the column cannot hold it. */
export type MysqlValueReader = (bytes: Buffer) => CellValue | undefined;

export function valueReader(column: WarehouseColumn): MysqlValueReader {
  switch (wireType(column)) {
    case "BOOLEAN":
      return (bytes) =>
        bytes.length === 1 && bytes[0] === 48
          ? false
          : bytes.length === 1 && bytes[0] === 49
            ? true
            : undefined;
    case "BIGINT":
      return (bytes) =>
        bytes.length < 16 ? Number(bytes.toString("latin1")) : BigInt(bytes.toString("latin1"));
    case "DOUBLE":
      return (bytes) => Number(bytes.toString("latin1"));
    case "BLOB":
      return (bytes) => bytes;
    default:
      return timeReader(column.type) ?? ((bytes) => bytes.toString());
  }
}

/** MySQL stores dates that do not exist: `0000-00-00` and, depending on its mode, `2026-02-00`. */
const isValidDate = (day: string) => !day.startsWith("0000-") && !day.includes("-00");

function timeReader(type: string): MysqlValueReader | undefined {
  if (!/^(DATE|TIMESTAMP)/.test(type)) return undefined;
  const offset = type === "TIMESTAMP WITH TIME ZONE" ? "+00" : "";
  return (bytes) => {
    const text = bytes.toString("latin1");
    return isValidDate(text) ? text + offset : undefined;
  };
}
