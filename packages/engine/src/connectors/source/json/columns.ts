import type { WarehouseColumn } from "../../../protocol/column.ts";
import { instant } from "../instant.ts";
import type { JsonRecord } from "./exact-json.ts";

/** The values of a field so far. */
interface FieldValues {
  readonly kinds: Set<JsonValueKind>;
  /** Digits of the longest integer. */
  digits: number;
}

type JsonValueKind =
  | "boolean"
  | "integer"
  | "big integer"
  | "number"
  | "text"
  | "day"
  | "time"
  | "time with offset"
  | "nested";

/**
 * Infers the columns of records, each with the narrowest type for all of its values. Strings are times only if all of them
 * are. A field without values is not a column yet.
 */
export class JsonColumns {
  readonly #fields = new Map<string, FieldValues>();

  add(record: JsonRecord): void {
    for (const [name, value] of Object.entries(record)) {
      if (value === null) continue;
      const values = this.#fields.get(name) ?? { kinds: new Set(), digits: 0 };
      this.#fields.set(name, values);
      values.kinds.add(kindOf(value));
      if (JSON.isRawJSON(value))
        values.digits = Math.max(values.digits, value.rawJSON.replace("-", "").length);
    }
  }

  columns(): (WarehouseColumn & { readonly nullable: boolean })[] {
    return [...this.#fields].map(([name, values]) => ({
      ...columnOf(name, typeOf(values)),
      inferred: true,
      nullable: true,
    }));
  }
}

const columnOf = (name: string, type: string): WarehouseColumn =>
  /^(DECIMAL|DATE|TIMESTAMP)/.test(type)
    ? { name, type, wire: "VARCHAR", origin: "JSON" }
    : { name, type, origin: "JSON" };

function typeOf({ kinds, digits }: FieldValues): string {
  const only = (...allowed: JsonValueKind[]) =>
    allowed.some((kind) => kinds.has(kind)) && kinds.difference(new Set(allowed)).size === 0;
  if (kinds.has("nested")) return "JSON";
  if (only("boolean")) return "BOOLEAN";
  if (only("integer")) return "BIGINT";
  if (only("integer", "big integer")) return digits <= 38 ? "DECIMAL(38,0)" : "VARCHAR";
  if (only("integer", "number")) return "DOUBLE";
  if (only("day")) return "DATE";
  if (only("time with offset")) return "TIMESTAMP WITH TIME ZONE";
  return only("time", "day") ? "TIMESTAMP" : "VARCHAR";
}

function kindOf(value: unknown): JsonValueKind {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    case "string":
      return kindOfText(value);
    default:
      return JSON.isRawJSON(value) ? kindOfDigits(value.rawJSON) : "nested";
  }
}

function kindOfDigits(digits: string): JsonValueKind {
  if (!/^-?\d+$/.test(digits)) return "text";
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value ? "integer" : "big integer";
}

function kindOfText(text: string): JsonValueKind {
  // Most strings are not dates, and their first characters show it.
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return "text";
  const time = instant(text);
  if (!time) return "text";
  if (time.isDay) return "day";
  return /(Z|[+-]\d\d:?(\d\d)?)$/i.test(text.slice(10)) ? "time with offset" : "time";
}
