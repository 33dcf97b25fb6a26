import type { DuckDBConnection } from "@duckdb/node-api";
import { operators, pmodMacro, wholeCasts } from "./ansi-macros.ts";
import { guardMacros } from "./guard-macros.ts";

/**
 * Databricks functions that DuckDB does not have, or that the SQL library translates incorrectly: it takes dayofweek, whose
 * Sunday is 1, for isodow, and translates date_add to a timestamp. We rename them before the translation, and DuckDB has macros
 * with these names.
 */
const definitions = [
  ...wholeCasts,
  "add_months(day, number) AS CAST(day::DATE + to_months(number::INTEGER) AS DATE)",
  "array_join(list, delimiter) AS array_to_string(list, delimiter)",
  "array_size(list) AS len(list)",
  "bround(number, digits) AS round_even(number, digits)",
  "bround(number) AS round_even(number, 0)",
  "charindex(part, text) AS instr(text, part)",
  "current_timestamp() AS now()",
  "date_add(day, number) AS (day::DATE + number::INTEGER)",
  "date_from_unix_date(number) AS (DATE '1970-01-01' + number::INTEGER)",
  "date_sub(day, number) AS (day::DATE - number::INTEGER)",
  "dayofweek(day) AS (dayofweek(day) + 1)",
  "element_at(collection, key) AS collection[key]",
  "endswith(text, part) AS ends_with(text, part)",
  "flatten(lists) AS flatten(lists)",
  "from_unixtime(seconds) AS strftime(to_timestamp(seconds), '%Y-%m-%d %H:%M:%S')",
  "get(list, pos) AS CASE WHEN pos >= 0 THEN list[pos + 1] END",
  "get_json_object(text, path) AS json_extract_string(text, path)",
  "hex(value) AS hex(value)",
  "initcap(text) AS array_to_string(list_transform(string_split(text, ' '), lambda word: upper(word[1]) || lower(word[2:])), ' ')",
  "isnotnull(value) AS (value IS NOT NULL)",
  "isnull(value) AS (value IS NULL)",
  "locate(part, text) AS instr(text, part)",
  "now() AS now()",
  "nullifzero(number) AS nullif(number, 0)",
  "percentile(number, share) AS quantile_cont(number, share)",
  pmodMacro,
  "regexp_like(text, pattern) AS regexp_matches(text, pattern)",
  "rint(number) AS round_even(number::DOUBLE, 0)",
  "sequence(first, last) AS generate_series(first, last)",
  "sequence(first, last, step) AS generate_series(first, last, step)",
  "sha2(text, bits) AS CASE WHEN bits IN (0, 256) THEN sha256(text) ELSE error('sha2() supports only 256 bits.') END",
  "slice(list, first, number) AS list_slice(list, first, first + number - 1)",
  "startswith(text, part) AS starts_with(text, part)",
  "std(number) AS stddev(number)",
  "substring_index(text, delimiter, number) AS array_to_string(CASE WHEN number > 0 THEN list_slice(string_split(text, delimiter), 1, number) ELSE list_slice(string_split(text, delimiter), number, -1) END, delimiter)",
  "timestamp_micros(number) AS make_timestamp(number::BIGINT)::TIMESTAMPTZ",
  "timestamp_millis(number) AS make_timestamp(number::BIGINT * 1000)::TIMESTAMPTZ",
  "timestamp_seconds(number) AS to_timestamp(number)",
  "unix_date(day) AS (day::DATE - DATE '1970-01-01')",
  "unix_micros(moment) AS epoch_us(moment)",
  "unix_millis(moment) AS epoch_ms(moment)",
  "unix_seconds(moment) AS floor(epoch(moment))::BIGINT",
  "unix_timestamp() AS floor(epoch(now()))::BIGINT",
  "unix_timestamp(moment) AS floor(epoch(moment::TIMESTAMP))::BIGINT",
  "weekday(day) AS (isodow(day) - 1)",
  "zeroifnull(number) AS coalesce(number, 0)",
];

/** Functions that take a lambda, which macros cannot have. They have other names in DuckDB. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["transform", "list_transform"],
  ["filter", "list_filter"],
  ["approx_percentile", "approx_quantile"],
  ["percentile_approx", "approx_quantile"],
]);

/** Functions that would mean something else in DuckDB, or after the translation. Renamed, they are reported as unknown. */
const unknown: ReadonlySet<string> = new Set(["hash", "struct", "typeof"]);

export const prefix = "spark_";
/** Wraps a cast that may fail, so that it can be recognized after the translation (see spark-semantics.ts). */
export const tryMarker = `${prefix}try`;
/** Wraps dateadd(unit, number, day). The library translates it to `day + INTERVAL`, which must become a timestamp. */
export const timestampMarker = `${prefix}moment`;
/** Replaces the ALL in ORDER BY ALL, which the library takes for a column name. */
export const orderAllMarker = `${prefix}all`;
const [name, parameters] = [/^\w+/, /\((.*?)\) AS/];
const nameOf = (definition: string) => name.exec(definition)?.[0] ?? "";
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
  const isOurs = defined.has(`${called}/${argumentCount}`) || unknown.has(called);
  return isOurs ? prefix + called : (renamed.get(called) ?? called);
}

interface Macro {
  readonly words: number;
  /** How often the macro uses each argument: DuckDB duplicates it that often. */
  readonly uses: readonly number[];
}

/** By DuckDB name and number of arguments. */
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

/**
 * Defines the macros in the warehouse's in-memory database. Every connection finds them there, unless it uses another
 * schema.
 */
export async function defineFunctions(connection: DuckDBConnection): Promise<void> {
  const byName = Map.groupBy([...definitions, ...operators, ...guardMacros], nameOf);
  const statements = [...byName].map(([called, overloads]) => {
    const bodies = overloads.map((definition) => definition.slice(called.length)).join(", ");
    return `CREATE MACRO ${prefix}${called}${bodies}`;
  });
  await connection.run(statements.join(";\n"));
}
