import type { WireType } from "../../warehouse/ring-buffer/wire-type.ts";
import { isFiniteNumeric, scaledBigInt } from "./numeric-decoding.ts";
import { dayOf } from "./row-decoder.ts";

const millisTo2000 = 946_684_800_000n;

/** The fields of a rejected row as text that the warehouse could cast. */
export function readableRow(
  wires: readonly WireType[],
  skip: readonly number[],
  bytes: Buffer,
  start: number,
): (string | null)[] {
  let at = start + 2;
  return wires.map((wire, column) => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const field = bytes.subarray(at + (skip[column] ?? 0), at + length);
    at += length;
    return readableField(wire, field);
  });
}

function readableField({ kind, scale }: WireType, field: Buffer): string {
  const view = new DataView(field.buffer, field.byteOffset, field.length);
  switch (kind) {
    case "BOOLEAN":
      return String(field[0] === 1);
    case "SMALLINT":
      return String(view.getInt16(0));
    case "INTEGER":
      return String(view.getInt32(0));
    case "BIGINT":
      return String(view.getBigInt64(0));
    case "FLOAT":
      return String(view.getFloat32(0));
    case "DOUBLE":
      return String(view.getFloat64(0));
    case "DECIMAL":
      return decimalText(view, scale);
    case "DATE":
      return timestampText(BigInt(dayOf(view.getInt32(0))) * 86_400_000_000n).slice(0, -16);
    case "TIMESTAMP":
      return timestampText(view.getBigInt64(0) + millisTo2000 * 1000n);
    case "TIMESTAMP WITH TIME ZONE":
      return `${timestampText(view.getBigInt64(0) + millisTo2000 * 1000n)}+00`;
    case "TIME":
      return timestampText(view.getBigInt64(0)).slice(-15);
    case "INTERVAL":
      return `${view.getInt32(12)} months ${view.getInt32(8)} days ${view.getBigInt64(0)} microseconds`;
    case "UUID":
      return field.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    case "BLOB":
      return field.toString("base64");
    case "VARCHAR":
    case "JSON":
    case "HUGEINT":
      return field.toString("utf8");
  }
}

function decimalText(view: DataView, scale: number): string {
  if (!isFiniteNumeric(view, 0)) {
    const sign = view.getUint16(4);
    return sign === 0xc000 ? "NaN" : sign === 0xd000 ? "Infinity" : "-Infinity";
  }
  const value = scaledBigInt(view, 0, scale);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return value < 0n ? `-${text}` : text;
}

/** `2026-01-31 23:59:59.000000`, or microseconds since 1970 if a Date cannot represent it. */
function timestampText(micros: bigint): string {
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return `${micros} microseconds from 1970`;
  const fraction = String(micros - seconds * 1_000_000n).padStart(6, "0");
  const [day = "", time = ""] = date.toISOString().split("T");
  return `${day.replace(/^\+0*/, "")} ${time.slice(0, 8)}.${fraction}`;
}
