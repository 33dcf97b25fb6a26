import { databricksType } from "../../protocol/types.ts";
import { problemAt } from "./sql-text.ts";
import { castTo, type DuckDBNode, tried } from "./syntax-tree.ts";
import type { PlanType } from "./type-probe.ts";
import {
  decimalOf,
  isDecimal,
  isFloat,
  isNumber,
  isWhole,
  macro,
  shortestDecimal,
} from "./typed-operands.ts";

interface Cast {
  readonly target: PlanType;
  readonly mayFail: boolean;
}

const isMoment = ({ id }: PlanType): boolean => id === "TIMESTAMP WITH TIME ZONE";

/** A cast between a number and a TIMESTAMP: the number is the seconds since 1970. Undefined for other casts. */
export function momentCast(
  { target, mayFail }: Cast,
  { node, type }: { readonly node: DuckDBNode; readonly type: PlanType },
): DuckDBNode | undefined {
  const value =
    isMoment(target) && isNumber(type)
      ? momentOf(node, type)
      : isMoment(type) && isNumber(target)
        ? secondsOf(node, target)
        : undefined;
  return value && mayFail ? tried(value) : value;
}

function momentOf(node: DuckDBNode, type: PlanType): DuckDBNode {
  if (isWhole(type)) return macro("timestamp_micros", [macro("micros_of_whole", [node])]);
  return macro("timestamp_micros", [
    macro(isDecimal(type) ? "micros_of_decimal" : "micros_of_double", [node]),
  ]);
}

/** An integer is rounded down, also before 1970. */
function secondsOf(node: DuckDBNode, target: PlanType): DuckDBNode {
  if (isWhole(target)) return castTo(target.id, macro("unix_seconds", [node]));
  const seconds = macro("seconds_of", [node]);
  if (isFloat(target)) return castTo(target.id, seconds);
  return shortestDecimal(decimalOf(target) as NonNullable<ReturnType<typeof decimalOf>>, seconds);
}

const numbers = "TINYINT SMALLINT INTEGER BIGINT FLOAT DOUBLE DECIMAL".split(" ");
const moments = ["DATE", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP"];
const known = new Set(["BOOLEAN", ...numbers, "VARCHAR", "BLOB", ...moments, "LIST", "MAP", "STRUCT"]);

/** The types that Spark casts a type to, beside itself and text. */
const casts: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["BOOLEAN", numbers] as const,
    ...numbers.map((type) => [type, ["BOOLEAN", ...numbers, "TIMESTAMP WITH TIME ZONE"]] as const),
    ["VARCHAR", ["BOOLEAN", ...numbers, "BLOB", ...moments]] as const,
    ["DATE", moments] as const,
    ["TIMESTAMP", moments] as const,
    ["TIMESTAMP WITH TIME ZONE", [...numbers, ...moments]] as const,
  ].map(([from, to]) => [from, new Set(to)]),
);

/** Throws if Spark has no cast between two types, even for values that DuckDB casts: NULL, and a struct to a map. */
export function requireCast({ id: from }: PlanType, { id: to }: PlanType, sql: string): void {
  if (from === to || to === "VARCHAR" || !known.has(from) || !known.has(to) || casts.get(from)?.has(to))
    return;
  throw problemAt(
    sql,
    undefined,
    `DATATYPE_MISMATCH: a value of the type ${shown(from)} cannot be cast to ${shown(to)}.`,
  );
}

const shown = (id: string): string =>
  id === "LIST" ? "ARRAY" : id === "STRUCT" || id === "MAP" ? id : databricksType(id);
