/** The types that rows arrive in, each with the memory of one value: they lie as DuckDB lays them in a vector. */
export interface WireType {
  readonly kind: WireKind;
  /** Bytes of a value; of text and blobs, those of the entry that tells length and place. */
  readonly width: 1 | 2 | 4 | 8 | 16;
  /** Digits in all and after the point, of a DECIMAL. */
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

/** Undefined: rows cannot arrive in this type. They come as VARCHAR or JSON then, and the warehouse casts. */
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

/** Values of any length: an entry of 16 bytes, and a heap for what does not fit into it. */
export const hasHeap = ({ kind }: WireType): boolean =>
  kind === "VARCHAR" || kind === "JSON" || kind === "BLOB";
