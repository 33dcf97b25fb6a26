import type { Refusal, Reject } from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";

/** A row that a target refused, with JSON values. */
export const rejectOf = (
  refusal: Refusal,
  names: readonly string[],
  cells: readonly CellValue[],
): Reject => ({
  ...refusal,
  row: Object.fromEntries(names.map((name, at) => [name, jsonValue(cells[at] ?? null)])),
});

function jsonValue(cell: CellValue): unknown {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString("base64");
  if (typeof cell === "number" && !Number.isFinite(cell)) return String(cell);
  if (typeof cell !== "bigint") return cell;
  return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
}
