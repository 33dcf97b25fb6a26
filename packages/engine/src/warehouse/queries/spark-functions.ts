import { operators } from "./ansi-macros.ts";
import { functionMacros as definitions } from "./spark-macros.ts";

/** Functions that take a lambda or are aggregates, which macros cannot be. They have other names in DuckDB. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["transform", "list_transform"],
  ["filter", "list_filter"],
  ["any", "bool_or"],
  ["some", "bool_or"],
  ["every", "bool_and"],
  ["kurtosis", "kurtosis_pop"],
  ["max_by", "arg_max_null"],
  ["mean", "avg"],
  ["min_by", "arg_min_null"],
  ["signum", "sign"],
  ["std", "stddev"],
]);

/** Functions that spark-rewrites.ts rewrites after the translation, by name and number of arguments. */
const rewritten: ReadonlySet<string> = new Set(
  (
    "aggregate/3 aggregate/4 boolean/1 ceil/2 ceiling/2 double/1 float/1 floor/2 cardinality/1 size/1 approx_percentile/2 approx_percentile/3 array_agg/1 collect_list/1 collect_set/1 date_format/2 " +
    "element_at/2 exists/2 explode_outer/1 forall/2 from_json/2 from_unixtime/2 map_filter/2 percentile/2 percentile_approx/2 sequence/3 try_to_timestamp/2 " +
    "percentile_approx/3 reduce/3 reduce/4 to_date/2 to_timestamp/2 to_unix_timestamp/2 transform_keys/2 transform_values/2 unix_timestamp/2 zip_with/3"
  ).split(" "),
);
/** Functions that spark-rewrites.ts rewrites with any number of arguments. */
const variadic: ReadonlySet<string> = new Set([
  "array",
  "concat_ws",
  "hash",
  "map",
  "map_concat",
  "named_struct",
  "xxhash64",
]);

export const prefix = "spark_";
/** Wraps a cast that may fail, so that it can be recognized after the translation (see spark-semantics.ts). */
export const tryMarker = `${prefix}try`;
/** Wraps dateadd(unit, number, day). The library translates it to `day + INTERVAL`, which must become a timestamp. */
export const timestampMarker = `${prefix}moment`;
/** Wraps the text in `x -> 'text'`. */
export const plainMarker = `${prefix}plain`;
/** Begins the names of functions that give several rows. Their first argument has the names of their columns, as JSON. */
export const rowsMarker = `${prefix}rows`;
/** Replaces the ALL in ORDER BY ALL, which the library takes for a column name. */
export const orderAllMarker = `${prefix}all`;
const [name, parameters] = [/^\w+/, /\((.*?)\) AS/];
/** The name of the macro that this text defines. */
export const nameOf = (definition: string): string => name.exec(definition)?.[0] ?? "";
const arityOf = (definition: string) =>
  parameters
    .exec(definition)?.[1]
    ?.split(",")
    .filter((parameter) => parameter !== "").length ?? 0;

const defined: ReadonlySet<string> = new Set(
  definitions.map((definition) => `${nameOf(definition)}/${arityOf(definition)}`),
);

/** The name of a Databricks function in the text for the library. Names are lower case. */
export function nameForDuckDb(called: string, argumentCount: number): string {
  const signature = `${called}/${argumentCount}`;
  const isOurs = defined.has(signature) || rewritten.has(signature) || variadic.has(called);
  return isOurs ? prefix + called : (renamed.get(called) ?? called);
}

interface Macro {
  readonly words: number;
  /** How often the macro uses each argument: DuckDB duplicates it that often. */
  readonly uses: readonly number[];
}

/** The macros by DuckDB name and number of arguments. */
export const macros: ReadonlyMap<string, Macro> = new Map(
  [...definitions, ...operators].map((definition) => {
    const body = definition.slice(definition.indexOf(") AS ")).replaceAll(/'[^']*'/g, "");
    const words = body.match(/\w+/g) ?? [];
    const named = parameters.exec(definition)?.[1]?.split(", ") ?? [];
    const uses = named.map((parameter) => words.filter((word) => word === parameter).length);
    return [`${prefix}${nameOf(definition)}/${arityOf(definition)}`, { words: words.length, uses }];
  }),
);

/** The name that the caller wrote, for a name in DuckDB's message. */
export const nameForCaller = (called: string): string =>
  called.toLowerCase().startsWith(prefix) ? called.slice(prefix.length).toLowerCase() : called;

/** The name of an unnamed column, as the caller wrote it. */
export const columnForCaller = (name: string): string =>
  name.replaceAll(/\bspark_(?=\w+\()/g, "").replaceAll("count_star()", "count(*)");
