/** A type in which rows are staged. Values have the memory layout of DuckDB's vectors. */
export interface WireType {
  readonly kind: WireKind;
  /** Bytes per value. For text and blobs, the bytes of the entry with length and pointer. */
  readonly width: 1 | 2 | 4 | 8 | 16;
  /** Of a DECIMAL: all digits, and the digits after the decimal point. */
  readonly precision: number;
  readonly scale: number;
}

export type WireKind = keyof typeof widths | "DECIMAL";

const widths = {
  BOOLEAN: 1,
  SMALLINT: 2,
  INTEGER: 4,
  BIGINT: 8,
  HUGEINT: 16,
  FLOAT: 4,
  DOUBLE: 8,
  DATE: 4,
  TIME: 8,
  TIMESTAMP: 8,
  "TIMESTAMP WITH TIME ZONE": 8,
  INTERVAL: 16,
  UUID: 16,
  VARCHAR: 16,
  JSON: 16,
  BLOB: 16,
} as const;

const isKind = (type: string): type is keyof typeof widths => Object.hasOwn(widths, type);

/** Undefined if rows cannot be staged in this type. They are then staged as VARCHAR or JSON, and the warehouse casts them. */
export function parseWireType(type: string): WireType | undefined {
  if (isKind(type)) return { kind: type, width: widths[type], precision: 0, scale: 0 };
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type);
  if (!decimal) return undefined;
  const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
  if (precision > 38) return undefined;
  return { kind: "DECIMAL", width: decimalWidth(precision), precision, scale };
}

const decimalWidth = (precision: number) =>
  precision <= 4 ? 2 : precision <= 9 ? 4 : precision <= 18 ? 8 : 16;

/** Whether values have variable length: an entry of 16 bytes, and a heap for what does not fit into it. */
export const hasHeap = ({ kind }: WireType): boolean =>
  kind === "VARCHAR" || kind === "JSON" || kind === "BLOB";
