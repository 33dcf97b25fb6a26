import type { Reject } from "../source/row-sink.ts";
import type { Cell } from "./target.ts";

/** A row that a target has refused, with values that JSON can hold. */
export const rejectOf = (reason: string, names: readonly string[], cells: readonly Cell[]): Reject => ({
  reason,
  row: Object.fromEntries(names.map((name, at) => [name, plain(cells[at] ?? null)])),
});

function plain(cell: Cell): unknown {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString("base64");
  if (typeof cell === "number" && !Number.isFinite(cell)) return String(cell);
  if (typeof cell !== "bigint") return cell;
  return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
}
