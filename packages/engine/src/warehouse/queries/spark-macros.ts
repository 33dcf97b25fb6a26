import { pmodMacro, wholeCasts } from "./ansi-macros.ts";
import { raise } from "./raised-error.ts";

/** Finding the first equal element for each element takes time in proportion to the square of the length. */
const maxCompared = 10_000;
const comparable = (list: string): string =>
  `CASE WHEN len(${list}) > ${maxCompared} THEN ${raise(`'LIMIT_EXCEEDED: a list of ' || len(${list}) || ' elements is too long to be compared: ${maxCompared} are allowed.'`, list)} ELSE ${list} END`;
const distinct = (list: string): string =>
  `list_filter(${list}, lambda item, place: list_position(${comparable(list)}, item) = place)`;
const has = (list: string, item: string): string => `(list_position(${list}, ${item}) IS NOT NULL)`;

/** NULL if the operation itself fails. An error of an operand stays one: operands are computed before the lambda. */
const tried = (operator: string): string =>
  `list_transform([{'one': number, 'other': other}], lambda pair: TRY(pair.one ${operator} pair.other))[1]`;

const numbers = [
  "bround(number, digits) AS cast_to_type(round_even(number, digits), round(number, digits))",
  "bround(number) AS cast_to_type(round_even(number, 0), round(number, 0))",
  "ceil(number) AS replace_type(replace_type(ceil(number), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "ceiling(number) AS replace_type(replace_type(ceil(number), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "double(value) AS CAST(value AS DOUBLE)",
  "e() AS exp(1)",
  "expm1(number) AS exp(number) - 1",
  "floor(number) AS replace_type(replace_type(floor(number), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "hypot(one, other) AS sqrt(one * one + other * other)::DOUBLE",
  "log1p(number) AS ln(1 + number)",
  "nanvl(number, other) AS CASE WHEN isnan(number) THEN other ELSE number END",
  "negative(number) AS -number",
  "nullifzero(number) AS nullif(number, 0)",
  "positive(number) AS number",
  "rint(number) AS round_even(number::DOUBLE, 0)",
  "shiftleft(number, bits) AS number << bits",
  "shiftright(number, bits) AS number >> bits",
  `try_add(number, other) AS ${tried("+")}`,
  "try_mod(number, divisor) AS CASE WHEN divisor <> 0 THEN number % divisor END",
  `try_multiply(number, other) AS ${tried("*")}`,
  `try_subtract(number, other) AS ${tried("-")}`,
  "zeroifnull(number) AS coalesce(number, 0)",
];

const texts = [
  "array_join(list, delimiter) AS array_to_string(list, delimiter)",
  "array_join(list, delimiter, missing) AS array_to_string(list_transform(list, lambda item: coalesce(item, missing)), delimiter)",
  "base64(value) AS to_base64(value::BLOB)",
  "btrim(text) AS trim(text)",
  "btrim(text, characters) AS trim(text, characters)",
  "charindex(part, text) AS instr(text, part)::INTEGER",
  "endswith(text, part) AS ends_with(text, part)",
  "encode(text, charset) AS CASE WHEN lower(charset) = 'utf-8' THEN encode(text) ELSE error('encode() supports only UTF-8.') END",
  "decode(value, charset) AS CASE WHEN lower(charset) = 'utf-8' THEN decode(value) ELSE error('decode() supports only UTF-8.') END",
  "find_in_set(text, list) AS coalesce(list_position(string_split(list, ','), text), 0)::INTEGER",
  "get_json_object(text, path) AS CASE WHEN json_valid(text) THEN json_extract_string(text, path) END",
  "hex(value) AS hex(value)",
  "initcap(text) AS array_to_string(list_transform(string_split(text, ' '), lambda word: upper(word[1]) || lower(word[2:])), ' ')",
  "json_array_length(text) AS CASE WHEN json_valid(text) AND json_type(text) = 'ARRAY' THEN json_array_length(text)::INTEGER END",
  "json_object_keys(text) AS CASE WHEN json_valid(text) AND json_type(text) = 'OBJECT' THEN json_keys(text) END",
  "left(text, number) AS left(text, greatest(number, 0))",
  "locate(part, text) AS instr(text, part)::INTEGER",
  "lpad(text, number) AS lpad(text, number, ' ')",
  "ltrim(characters, text) AS ltrim(text, characters)",
  "overlay(text, part, first) AS left(text, first - 1) || part || substring(text, first + length(part))",
  "overlay(text, part, first, number) AS left(text, first - 1) || part || substring(text, first + number)",
  "regexp_count(text, pattern) AS len(regexp_extract_all(text, pattern))::INTEGER",
  "regexp_like(text, pattern) AS regexp_matches(text, pattern)",
  "regexp_replace(text, pattern, replacement) AS regexp_replace(text, pattern, regexp_replace(replacement, '\\$([0-9])', '\\\\\\1', 'g'), 'g')",
  "regexp_substr(text, pattern) AS CASE WHEN regexp_matches(text, pattern) THEN regexp_extract(text, pattern) END",
  "right(text, number) AS right(text, greatest(number, 0))",
  "rpad(text, number) AS rpad(text, number, ' ')",
  "rtrim(characters, text) AS rtrim(text, characters)",
  "sha(text) AS sha1(text)",
  "sha2(text, bits) AS CASE WHEN bits IN (0, 256) THEN sha256(text) ELSE error('sha2() supports only 256 bits.') END",
  "startswith(text, part) AS starts_with(text, part)",
  "substring_index(text, delimiter, number) AS array_to_string(CASE WHEN number > 0 THEN list_slice(string_split(text, delimiter), 1, number) ELSE list_slice(string_split(text, delimiter), number, -1) END, delimiter)",
  // An object without the fields that are NULL.
  "to_json(value) AS CASE WHEN value IS NOT NULL THEN CAST(json_merge_patch('{}', to_json(value)) AS VARCHAR) END",
  "unbase64(text) AS from_base64(text)",
  "url_decode(text) AS url_decode(replace(text, '+', ' '))",
  "url_encode(text) AS replace(url_encode(text), '%20', '+')",
];

const times = [
  "add_months(day, number) AS CAST(day::DATE + to_months(number::INTEGER) AS DATE)",
  "current_timestamp() AS now()",
  "date_add(day, number) AS (day::DATE + number::INTEGER)",
  "date_diff(last, first) AS (last::DATE - first::DATE)::INTEGER",
  "date_from_unix_date(number) AS (DATE '1970-01-01' + number::INTEGER)",
  "date_sub(day, number) AS (day::DATE - number::INTEGER)",
  "date_trunc(unit, moment) AS date_trunc(unit, moment)::TIMESTAMPTZ",
  "datediff(last, first) AS (last::DATE - first::DATE)::INTEGER",
  "dayname(day) AS left(dayname(day), 3)",
  "dayofweek(day) AS (dayofweek(day::DATE) + 1)::INTEGER",
  "from_unixtime(seconds) AS strftime(to_timestamp(seconds), '%Y-%m-%d %H:%M:%S')",
  "from_utc_timestamp(moment, zone) AS ((moment::TIMESTAMPTZ AT TIME ZONE zone)::TIMESTAMPTZ)",
  "last_day(day) AS last_day(day::DATE)",
  "make_timestamp(y, m, d, h, mi, s) AS make_timestamp(y, m, d, h, mi, s)::TIMESTAMPTZ",
  "months_between(last, first) AS round(CASE WHEN day(last) = day(first) OR (day(last) = day(last_day(last::DATE)) AND day(first) = day(last_day(first::DATE))) THEN 0 ELSE (day(last) - day(first) + (epoch(last::TIMESTAMP - last::DATE) - epoch(first::TIMESTAMP - first::DATE)) / 86400) / 31.0::DOUBLE END + (year(last) - year(first)) * 12 + month(last) - month(first), 8)",
  "monthname(day) AS left(monthname(day), 3)",
  "now() AS now()",
  "trunc(day, unit) AS CASE WHEN lower(unit) IN ('year', 'yyyy', 'yy') THEN date_trunc('year', day::DATE) WHEN lower(unit) IN ('quarter') THEN date_trunc('quarter', day::DATE) WHEN lower(unit) IN ('month', 'mm', 'mon') THEN date_trunc('month', day::DATE) WHEN lower(unit) = 'week' THEN date_trunc('week', day::DATE) END::DATE",
  "to_timestamp(text) AS text::TIMESTAMPTZ",
  "to_utc_timestamp(moment, zone) AS (moment::TIMESTAMP AT TIME ZONE zone)",
  "timestamp_micros(number) AS make_timestamp(number::BIGINT)::TIMESTAMPTZ",
  "timestamp_millis(number) AS make_timestamp(number::BIGINT * 1000)::TIMESTAMPTZ",
  "timestamp_seconds(number) AS to_timestamp(number)",
  "try_to_date(text) AS TRY_CAST(text AS DATE)",
  "try_to_timestamp(text) AS TRY_CAST(text AS TIMESTAMPTZ)",
  "unix_date(day) AS (day::DATE - DATE '1970-01-01')::INTEGER",
  "unix_micros(moment) AS epoch_us(moment)",
  "unix_millis(moment) AS epoch_ms(moment)",
  "unix_seconds(moment) AS floor(epoch(moment))::BIGINT",
  "unix_timestamp() AS floor(epoch(now()))::BIGINT",
  "unix_timestamp(moment) AS floor(epoch(moment::TIMESTAMP))::BIGINT",
  "to_unix_timestamp(moment) AS floor(epoch(moment::TIMESTAMP))::BIGINT",
  "weekday(day) AS (isodow(day::DATE) - 1)::INTEGER",
];

const missing = (index: string): string =>
  raise(
    `'INVALID_ARRAY_INDEX: the list has no element ' || ${index} || '. Write get(list, index) to get NULL instead.'`,
    "list[1]",
  );

const lists = [
  "array_append(list, item) AS list_append(list, item)",
  "array_compact(list) AS list_filter(list, lambda item: item IS NOT NULL)",
  "array_contains(list, item) AS CASE WHEN list_contains(list, item) THEN true WHEN len(list_filter(list, lambda other: other IS NULL)) > 0 OR item IS NULL OR list IS NULL THEN NULL ELSE false END",
  `array_distinct(list) AS ${distinct("list")}`,
  `array_except(list, other) AS list_filter(${distinct("list")}, lambda value: NOT ${has("other", "value")})`,
  `array_intersect(list, other) AS list_filter(${distinct("list")}, lambda value: ${has("other", "value")})`,
  "array_position(list, item) AS CASE WHEN list IS NOT NULL AND item IS NOT NULL THEN coalesce(list_position(list, item), 0)::BIGINT END",
  "array_prepend(list, item) AS list_prepend(item, list)",
  "array_remove(list, item) AS list_filter(list, lambda other: other IS NULL OR other <> item)",
  "array_repeat(item, number) AS list_transform(range(greatest(number, 0)), lambda place: item)",
  "array_size(list) AS len(list)::INTEGER",
  `array_union(list, other) AS ${distinct("(list || other)")}`,
  `arrays_overlap(list, other) AS CASE WHEN list_has_any(list, other) THEN true WHEN len(list_filter(list || other, lambda item: item IS NULL)) > 0 THEN NULL ELSE false END`,
  "flatten(lists) AS flatten(lists)",
  "get(list, pos) AS CASE WHEN pos >= 0 THEN list[pos + 1] END",
  "map_contains_key(map, key) AS map_contains(map, key)",
  "sequence(first, last) AS cast_to_type(CASE WHEN first <= last THEN generate_series(first, last) ELSE generate_series(first, last, -1) END, [first])",
  "sequence_of_days(first, last) AS cast_to_type(CASE WHEN first <= last THEN generate_series(first, last, INTERVAL 1 DAY) ELSE generate_series(first, last, -INTERVAL 1 DAY) END, [first])",
  "sequence(first, last, step) AS cast_to_type(generate_series(first, last, step), [first])",
  "slice(list, first, number) AS list_slice(list, first, first + number - 1)",
  "sort_array(list) AS list_sort(list, 'ASC', 'NULLS FIRST')",
  "sort_array(list, up) AS CASE WHEN up THEN list_sort(list, 'ASC', 'NULLS FIRST') ELSE list_sort(list, 'DESC', 'NULLS LAST') END",
  "try_element_at(collection, key) AS collection[key]",
  `item(list, pos, length) AS CASE WHEN pos >= 0 AND pos < length THEN list[pos + 1] WHEN list IS NOT NULL AND pos IS NOT NULL THEN ${missing("pos")} END`,
  "map_item(map, key) AS map_extract_value(map, key)",
  `element(list, pos, length) AS CASE WHEN pos BETWEEN -length AND length AND pos <> 0 THEN list[pos] WHEN list IS NOT NULL AND pos IS NOT NULL THEN ${missing("pos")} END`,
];

/** What spark-rewrites.ts calls. */
const internal = [
  "all_true(found) AS CASE WHEN list_contains(found, false) THEN false WHEN len(list_filter(found, lambda one: one IS NULL)) > 0 THEN NULL WHEN found IS NOT NULL THEN true END",
  "any_true(found) AS CASE WHEN list_contains(found, true) THEN true WHEN len(list_filter(found, lambda one: one IS NULL)) > 0 THEN NULL WHEN found IS NOT NULL THEN false END",
  "date_or_time(moment) AS replace_type(moment, NULL::VARCHAR, NULL::TIMESTAMP)",
  "joined(list, delimiter) AS coalesce(array_to_string(list, delimiter), '')",
  "json_object_text(text) AS CASE WHEN text IS NULL THEN NULL WHEN json_valid(text) THEN text ELSE '{}' END",
  "json_text(text) AS CASE WHEN json_valid(text) THEN text END",
  "zip(list, other) AS CASE WHEN list IS NOT NULL AND other IS NOT NULL THEN list_zip(list, other) END",
  "never_empty(list) AS CASE WHEN len(list) > 0 THEN list ELSE [NULL] END",
  "plain(value) AS value",
  `scalar(value) AS CASE WHEN typeof(value) LIKE '%]' THEN ${raise("'DATATYPE_MISMATCH: concat_ws() with a list takes nothing else. Write array_join(list, delimiter).'", "NULL::VARCHAR")} ELSE CAST(value AS VARCHAR) END`,
  "seconds(moment) AS CAST(microsecond(moment) / 1000000.0 AS DECIMAL(8, 6))",
];

/** The type without the brackets of lists. */
const plainType = "regexp_extract(typeof(value), '^(.*?)(\\[\\])*$', 1)";
const listDepth = `(length(typeof(value)) - length(${plainType})) // 2`;
const typeName = `CASE ${plainType} WHEN 'INTEGER' THEN 'int' WHEN 'VARCHAR' THEN 'string' WHEN 'BLOB' THEN 'binary' WHEN 'TIMESTAMP' THEN 'timestamp_ntz' WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'timestamp' WHEN '"NULL"' THEN 'void' ELSE lower(${plainType}) END`;
const isKnownType = `regexp_full_match(${plainType}, '(TINY|SMALL|BIG)INT|INTEGER|FLOAT|DOUBLE|BOOLEAN|DATE|VARCHAR|BLOB|TIMESTAMP( WITH TIME ZONE)?|DECIMAL[(][0-9]+,[0-9]+[)]|"NULL"')`;

const conditions = [
  "isnotnull(value) AS (value IS NOT NULL)",
  "isnull(value) AS (value IS NULL)",
  `typeof(value) AS CASE WHEN ${isKnownType} THEN repeat('array<', ${listDepth}) || ${typeName} || repeat('>', ${listDepth}) ELSE error('typeof() of a struct, a map or an interval is not supported here.') END`,
];

/**
 * Databricks functions that DuckDB does not have, or that the SQL library translates incorrectly: it takes dayofweek, whose
 * Sunday is 1, for isodow, and translates date_add to a timestamp. We rename them before the translation, and DuckDB has macros
 * with these names.
 */
export const functionMacros: readonly string[] = [
  ...wholeCasts,
  pmodMacro,
  ...numbers,
  ...texts,
  ...times,
  ...lists,
  ...conditions,
  ...internal,
];
