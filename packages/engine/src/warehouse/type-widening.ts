import { splitTypes } from "../protocol/types.ts";

/** The bits of the greatest value, and the digits that a DECIMAL needs for every value. */
const signed: Readonly<Record<string, { readonly bits: number; readonly digits: number }>> = {
  TINYINT: { bits: 7, digits: 3 },
  SMALLINT: { bits: 15, digits: 5 },
  INTEGER: { bits: 31, digits: 10 },
  BIGINT: { bits: 63, digits: 19 },
  HUGEINT: { bits: 127, digits: 39 },
};
const unsigned: typeof signed = {
  UTINYINT: { bits: 8, digits: 3 },
  USMALLINT: { bits: 16, digits: 5 },
  UINTEGER: { bits: 32, digits: 10 },
  UBIGINT: { bits: 64, digits: 20 },
  UHUGEINT: { bits: 128, digits: 39 },
};
const integers = { ...signed, ...unsigned };

/**
 * In each list, a type holds the values of the types before it. A DATE after the year 294246 fits no TIMESTAMP: the
 * change of the table fails then.
 */
const orders = [
  ["DATE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP"],
  ["TIME", "TIME_NS"],
];

/** Every integer of this many bits is exact in a FLOAT or a DOUBLE. */
const exactBits: Readonly<Record<string, number>> = { FLOAT: 24, DOUBLE: 53 };

const mostDigits = 38;

/**
 * The least type that holds every value of both types exactly, with the same meaning; undefined if there is none. Text holds
 * all of them, but readers would no longer compare numbers or times.
 */
export function widerType(one: string, other: string): string | undefined {
  if (one === other) return one;
  return (
    widerNumber(one, other) ??
    widerNumber(other, one) ??
    orders.map((order) => later(order, one, other)).find((type) => type !== undefined) ??
    widerEnum(one, other) ??
    widerNested(one, other)
  );
}

/** Whether every value of one type can be stored in the other without loss. */
export function isWidening(from: string, to: string): boolean {
  if (to === "VARCHAR") return !/[[(]|JSON|BLOB/.test(from) || /^(DECIMAL|ENUM)/.test(from);
  return widerType(from, to) === to;
}

function later(order: readonly string[], one: string, other: string): string | undefined {
  const places = [order.indexOf(one), order.indexOf(other)];
  return places.includes(-1) ? undefined : order[Math.max(...places)];
}

function widerNumber(one: string, other: string): string | undefined {
  const integer = integers[one];
  if (!integer)
    return decimalOf(one)
      ? widerDecimal(one, other)
      : one === "FLOAT" && other === "DOUBLE"
        ? other
        : undefined;
  if (integers[other]) return widerInteger(one, other);
  if (other in exactBits) return widerReal(integer.bits, other);
  const decimal = decimalOf(other);
  if (!decimal) return undefined;
  // Each value of DECIMAL(18,0) is a BIGINT.
  if (decimal.scale === 0 && one in signed && decimal.precision < integer.digits) return one;
  return decimalType(Math.max(integer.digits, decimal.precision - decimal.scale), decimal.scale);
}

function widerInteger(one: string, other: string): string | undefined {
  const bits = Math.max(integers[one]?.bits ?? 0, integers[other]?.bits ?? 0);
  const family = one in unsigned && other in unsigned ? unsigned : signed;
  return Object.keys(family).find((type) => (family[type]?.bits ?? 0) >= bits);
}

/** An INTEGER is exact in a DOUBLE, and so is every FLOAT. */
const widerReal = (bits: number, real: string): string | undefined =>
  [real, "DOUBLE"].find((type) => bits <= (exactBits[type] ?? 0));

function widerDecimal(one: string, other: string): string | undefined {
  const [some, others] = [decimalOf(one), decimalOf(other)];
  if (!some || !others) return undefined;
  const digits = Math.max(some.precision - some.scale, others.precision - others.scale);
  return decimalType(digits, Math.max(some.scale, others.scale));
}

function decimalOf(type: string): { readonly precision: number; readonly scale: number } | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) };
}

const decimalType = (integerDigits: number, scale: number): string | undefined =>
  integerDigits + scale <= mostDigits ? `DECIMAL(${integerDigits + scale},${scale})` : undefined;

function widerEnum(one: string, other: string): string | undefined {
  const [some, others] = [one, other].map((type) => insideOf(type, "ENUM"));
  return some && others && `ENUM(${[...new Set([...some, ...others])].join(", ")})`;
}

function widerNested(one: string, other: string): string | undefined {
  const [list, otherList] = [one, other].map((type) => /^(.*)\[(\d*)\]$/s.exec(type));
  if (list && otherList) {
    const element = widerType(list[1] ?? "", otherList[1] ?? "");
    return element && `${element}[${list[2] === otherList[2] ? list[2] : ""}]`;
  }
  const [pair, otherPair] = [one, other].map((type) => insideOf(type, "MAP"));
  if (pair && otherPair) {
    const [key, value] = [0, 1].map((at) => widerType(pair[at] ?? "", otherPair[at] ?? ""));
    return key && value && `MAP(${key}, ${value})`;
  }
  const [fields, otherFields] = [one, other].map((type) => insideOf(type, "STRUCT"));
  return fields && otherFields && widerStruct(fields, otherFields);
}

/** A struct with the fields of both. */
function widerStruct(one: readonly string[], other: readonly string[]): string | undefined {
  const [some, others] = [one, other].map((fields) => new Map(fields.map(fieldOf)));
  const names = new Set([...(some?.keys() ?? []), ...(others?.keys() ?? [])]);
  const merged = [...names].map((name) => {
    const [type, otherType] = [some?.get(name), others?.get(name)];
    const wider =
      type === undefined || otherType === undefined ? (type ?? otherType) : widerType(type, otherType);
    return wider && `${name} ${wider}`;
  });
  return merged.includes(undefined) ? undefined : `STRUCT(${merged.join(", ")})`;
}

/** The types in a list, a map or a struct, by the names that Delta gives them; undefined if nothing is in the type. */
export function partsOf(type: string): ReadonlyMap<string, string> | undefined {
  const [, element] = /^(.*)\[\d*\]$/s.exec(type) ?? [];
  if (element !== undefined) return new Map([["element", element]]);
  const pair = insideOf(type, "MAP");
  if (pair) return new Map(["key", "value"].map((name, at) => [name, pair[at] ?? ""]));
  const fields = insideOf(type, "STRUCT");
  return fields && new Map(fields.map(fieldOf));
}

/**
 * The narrowest type to which Delta can widen a column so that it holds both types, if it is not `widerType` (Delta
 * 4.4, protocol of type widening).
 */
export function widerOnDelta(one: string, other: string): string | undefined {
  const wider = widerType(one, other);
  if (wider === undefined || wider === one || partsOf(wider)) return wider;
  const [integer, decimal, before] = [signed[one], decimalOf(wider), decimalOf(one)];
  if (integer && wider === "FLOAT") return "DOUBLE";
  if (integer && decimal) {
    const least = one === "BIGINT" ? 20 : 10;
    return decimalType(Math.max(least, decimal.precision - decimal.scale), decimal.scale);
  }
  return before && signed[wider] ? decimalType(Math.max(before.precision, signed[wider].digits), 0) : wider;
}

function fieldOf(field: string): readonly [name: string, type: string] {
  const [, name = "", type = ""] = /^("(?:[^"]|"")*"|\S+)\s+(.*)$/s.exec(field) ?? [];
  return [name, type];
}

function insideOf(type: string, kind: string): string[] | undefined {
  if (!type.startsWith(`${kind}(`) || !type.endsWith(")")) return undefined;
  return splitTypes(type.slice(kind.length + 1, -1));
}
