import { pmodMacro, wholeCasts } from "./ansi-macros.ts";
import { raise } from "./raised-error.ts";
import { roundingMacros } from "./rounding-macros.ts";

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

/** Raises an error for a call that could not be rewritten, because the type of its number is unknown. */
const withoutType = (name: string): string =>
  `CASE WHEN number IS NOT NULL THEN ${raise(`'DATATYPE_MISMATCH: the type of the number in ${name}() is not known here. Write a cast.'`, "NULL::DOUBLE")} END`;

/** An integer of this many bits, as Java keeps it. */
const wrapped = (number: string, bits: number): string =>
  `((${number} % ${2n ** BigInt(bits)}) + ${3n * 2n ** BigInt(bits - 1)}) % ${2n ** BigInt(bits)} - ${2n ** BigInt(bits - 1)}`;
const shifts = (bits: string, size: number): string => `(((${bits} % ${size}) + ${size}) % ${size})`;
const shifted = (by: (size: number) => string): string =>
  `cast_to_type(CASE WHEN typeof(number) = 'BIGINT' THEN ${by(64)} ELSE ${by(32)} END, number + 0::INTEGER)`;

const numbers = [
  "bround(number, digits) AS cast_to_type(round_even(number, digits), round(number, digits))",
  "bround(number) AS cast_to_type(round_even(number, 0), round(number, 0))",
  "ceil(number) AS replace_type(replace_type(ceil(CASE WHEN isnan(number::DOUBLE) THEN cast_to_type(0, number) ELSE number END), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "ceiling(number) AS replace_type(replace_type(ceil(CASE WHEN isnan(number::DOUBLE) THEN cast_to_type(0, number) ELSE number END), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "acos(number) AS CASE WHEN number BETWEEN -1 AND 1 THEN acos(number) WHEN number IS NOT NULL THEN 'NaN'::DOUBLE END",
  "asin(number) AS CASE WHEN number BETWEEN -1 AND 1 THEN asin(number) WHEN number IS NOT NULL THEN 'NaN'::DOUBLE END",
  "bit_count(number) AS bit_count(number::BIGINT)::INTEGER",
  `ceil_digits(number, digits) AS ${withoutType("ceil")}`,
  `floor_digits(number, digits) AS ${withoutType("floor")}`,
  "e() AS exp(1)",
  "factorial(number) AS CASE WHEN number BETWEEN 0 AND 20 THEN factorial(number::INTEGER)::BIGINT END",
  "isnan(number) AS coalesce(isnan(number::DOUBLE), false)",
  "sign(number) AS CASE WHEN isnan(number::DOUBLE) THEN number::DOUBLE ELSE sign(number::DOUBLE)::DOUBLE END",
  "signum(number) AS CASE WHEN isnan(number::DOUBLE) THEN number::DOUBLE ELSE sign(number::DOUBLE)::DOUBLE END",
  "sqrt(number) AS CASE WHEN number >= 0 THEN sqrt(number) WHEN number IS NOT NULL THEN 'NaN'::DOUBLE END",
  "expm1(number) AS exp(number) - 1",
  "floor(number) AS replace_type(replace_type(floor(CASE WHEN isnan(number::DOUBLE) THEN cast_to_type(0, number) ELSE number END), NULL::DOUBLE, NULL::BIGINT), NULL::FLOAT, NULL::BIGINT)",
  "hypot(one, other) AS sqrt(one * one + other * other)::DOUBLE",
  "log1p(number) AS ln(1 + number)",
  "nanvl(number, other) AS CASE WHEN isnan(number) THEN other ELSE number END",
  "negative(number) AS -number",
  "nullifzero(number) AS nullif(number, 0)",
  "positive(number) AS number",
  "rint(number) AS round_even(number::DOUBLE, 0)",
  `shiftleft(number, bits) AS ${shifted((size) => wrapped(`(number::HUGEINT * CAST(pow(2.0::DOUBLE, ${shifts("bits", size)}) AS HUGEINT))`, size))}`,
  `shiftright(number, bits) AS ${shifted((size) => `(number::BIGINT >> ${shifts("bits", size)})::HUGEINT`)}`,
  `try_add(number, other) AS ${tried("+")}`,
  "try_mod(number, divisor) AS CASE WHEN divisor <> 0 THEN number % divisor END",
  `try_multiply(number, other) AS ${tried("*")}`,
  `try_subtract(number, other) AS ${tried("-")}`,
  "zeroifnull(number) AS coalesce(number, 0)",
];

/** The position of a part in a text, searched from another position on. If that position is NULL, it is 0. */
const locatedFrom =
  "CASE WHEN number IS NULL THEN 0 WHEN part IS NULL OR text IS NULL THEN NULL WHEN number < 1 THEN 0 WHEN part = '' THEN 1 WHEN instr(substring(text, number), part) = 0 THEN 0 ELSE instr(substring(text, number), part) + number - 1 END::INTEGER";

/**
 * Replaces as Java does: after each match that is not empty there is an empty match, unless the next match begins
 * there. RE2 skips this empty match. The characters mark the beginning of a match, its text and its end.
 */
const [begin, inside, end] = ["\u{F0001}", "\u{F0002}", "\u{F0003}"];
const forDuckDb = (replacement: string): string =>
  `regexp_replace(${replacement}, '\\$([0-9])', '\\\\\\1', 'g')`;
const withoutGroups = "regexp_replace(replacement, '\\$[0-9]', '', 'g')";
const withEmptyMatches = (text: string): string =>
  `regexp_replace(regexp_replace(regexp_replace(${text}, pattern, '${begin}' || ${forDuckDb("replacement")} || '${inside}\\0${end}', 'g'), '${inside}[^${end}]+${end}([^${begin}]|$)', ${withoutGroups} || '\\1', 'g'), '${begin}|${inside}[^${end}]*${end}', '', 'g')`;
const replaced = (text: string): string =>
  `CASE WHEN regexp_full_match('', pattern) THEN ${withEmptyMatches(text)} ELSE regexp_replace(${text}, pattern, ${forDuckDb("replacement")}, 'g') END`;

const texts = [
  "unhex(text) AS CASE WHEN regexp_full_match(text, '[0-9A-Fa-f]*') THEN unhex(CASE WHEN length(text) % 2 = 1 THEN '0' || text ELSE text END) END",
  "char(number) AS CASE WHEN number < 0 THEN '' ELSE chr((number % 256)::INTEGER) END",
  "chr(number) AS CASE WHEN number < 0 THEN '' ELSE chr((number % 256)::INTEGER) END",
  "array_join(list, delimiter) AS CASE WHEN list IS NOT NULL THEN coalesce(array_to_string(list, delimiter), '') END",
  "array_join(list, delimiter, missing) AS array_to_string(list_transform(list, lambda item: coalesce(item, missing)), delimiter)",
  "base64(value) AS to_base64(value::BLOB)",
  "btrim(text) AS trim(text)",
  "btrim(text, characters) AS trim(text, characters)",
  "charindex(part, text) AS instr(text, part)::INTEGER",
  "endswith(text, part) AS ends_with(text, part)",
  "encode(text, charset) AS CASE WHEN lower(charset) = 'utf-8' THEN encode(text) ELSE error('encode() supports only UTF-8.') END",
  "decode(value, charset) AS CASE WHEN lower(charset) = 'utf-8' THEN decode(value) ELSE error('decode() supports only UTF-8.') END",
  "find_in_set(text, list) AS CASE WHEN text IS NOT NULL AND list IS NOT NULL THEN coalesce(list_position(string_split(list, ','), text), 0)::INTEGER END",
  "get_json_object(text, path) AS CASE WHEN json_valid(text) THEN json_extract_string(text, path) END",
  "hex(value) AS hex(value)",
  "initcap(text) AS array_to_string(list_transform(string_split(text, ' '), lambda word: upper(word[1]) || lower(word[2:])), ' ')",
  "json_array_length(text) AS CASE WHEN json_valid(text) AND json_type(text) = 'ARRAY' THEN json_array_length(text)::INTEGER END",
  "json_object_keys(text) AS CASE WHEN json_valid(text) AND json_type(text) = 'OBJECT' THEN json_keys(text) END",
  "left(text, number) AS left(text, CASE WHEN number < 0 THEN 0 ELSE number END)",
  "locate(part, text) AS instr(text, part)::INTEGER",
  `locate(part, text, number) AS ${locatedFrom}`,
  `charindex(part, text, number) AS ${locatedFrom}`,
  "levenshtein(text, other) AS CASE WHEN length(text) = strlen(text) AND length(other) = strlen(other) THEN levenshtein(text, other)::INTEGER WHEN text IS NOT NULL AND other IS NOT NULL THEN error('levenshtein() supports only ASCII texts here.') END",
  "lowered(text) AS replace(CAST(text AS VARCHAR), 'İ', 'i̇')",
  "reverse_text(text) AS CASE WHEN length(text) = strlen(text) THEN reverse(text) ELSE array_to_string(list_reverse(regexp_extract_all(text, '(?s).')), '') END",
  `split_part(text, delimiter, number) AS CASE WHEN number = 0 THEN ${raise("'INVALID_INDEX_OF_ZERO: the parts of a text are counted from 1, or from its end with -1.'", "NULL::VARCHAR")} ELSE split_part(text, delimiter, number) END`,
  "lpad(text, number) AS lpad(text, number, ' ')",
  "ltrim(characters, text) AS ltrim(text, characters)",
  "overlay(text, part, first) AS left(text, CASE WHEN first < 1 THEN 0 ELSE first - 1 END) || part || substring(text, first + length(part))",
  "overlay(text, part, first, number) AS left(text, CASE WHEN first < 1 THEN 0 ELSE first - 1 END) || part || substring(text, first + number)",
  "regexp_count(text, pattern) AS len(regexp_extract_all(text, pattern))::INTEGER",
  "regexp_like(text, pattern) AS regexp_matches(text, pattern)",
  `regexp_replace(text, pattern, replacement) AS ${replaced("text")}`,
  `regexp_replace(text, pattern, replacement, first) AS CASE WHEN first < 1 THEN ${raise("'INVALID_PARAMETER_VALUE: the position in regexp_replace() must be 1 or more.'", "NULL::VARCHAR")} WHEN first = 1 THEN ${replaced("text")} WHEN starts_with(pattern, '^') THEN text ELSE left(text, first - 1) || ${replaced("substring(text, first)")} END`,
  "regexp_substr(text, pattern) AS nullif(regexp_extract(text, pattern), '')",
  "right(text, number) AS right(text, CASE WHEN number < 0 THEN 0 ELSE number END)",
  "rpad(text, number) AS rpad(text, number, ' ')",
  "rtrim(characters, text) AS rtrim(text, characters)",
  "sha(text) AS sha1(text)",
  "sha2(text, bits) AS CASE WHEN bits IN (0, 256) THEN sha256(text) ELSE error('sha2() supports only 256 bits.') END",
  "startswith(text, part) AS starts_with(text, part)",
  "substring_index(text, delimiter, number) AS array_to_string(CASE WHEN number > 0 THEN list_slice(string_split(text, delimiter), 1, number) WHEN number < 0 THEN list_slice(string_split(text, delimiter), number, -1) WHEN number = 0 THEN [''] END, delimiter)",
  "to_json(value) AS CAST(to_json(value) AS VARCHAR)",
  "unbase64(text) AS from_base64(text)",
  `url_decode(text) AS CASE WHEN regexp_matches(text, '%($|[^0-9a-fA-F]|[0-9a-fA-F]($|[^0-9a-fA-F]))') THEN ${raise("'CANNOT_DECODE_URL: the text ' || left(text, 100) || ' has a % without two hexadecimal digits.'", "text")} ELSE url_decode(replace(text, '+', ' ')) END`,
  "url_encode(text) AS replace(url_encode(text), '%20', '+')",
];

/** The seconds of a day, without their fractions. */
const secondsOf = (moment: string): string => `floor(epoch(${moment}::TIMESTAMP - ${moment}::DATE))`;
/** The months between two times. Spark counts with months of 31 days. */
const monthsBetween = `(CASE WHEN day(last) = day(first) OR (day(last) = day(last_day(last::DATE)) AND day(first) = day(last_day(first::DATE))) THEN 0 ELSE ((day(last) - day(first)) * 86400 + ${secondsOf("last")} - ${secondsOf("first")}) / 2678400.0::DOUBLE END + ((year(last) - year(first)) * 12 + month(last) - month(first)))`;

/** A text must have the pattern yyyy-MM-dd HH:mm:ss. */
const secondsSince1970 = `CASE WHEN typeof(moment) = 'VARCHAR' AND NOT regexp_full_match(moment::VARCHAR, '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}') THEN ${raise("'CANNOT_PARSE_TIMESTAMP: the text ' || left(moment::VARCHAR, 100) || ' does not have the pattern yyyy-MM-dd HH:mm:ss. Write another pattern as the second argument.'", "NULL::BIGINT")} ELSE trunc(epoch(moment::TIMESTAMP))::BIGINT END`;

/** Monday is 1. */
const weekday = `CASE ${["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
  .map((name, at) => {
    const whole = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"][at] ?? "";
    return `WHEN upper(name) IN ('${name}', '${whole.slice(0, 3)}', '${whole}') THEN ${at + 1}`;
  })
  .join(" ")} END`;

const times = [
  `next_day(day, name) AS CASE WHEN ${weekday} IS NOT NULL THEN day::DATE + (1 + (${weekday} + 6 - isodow(day::DATE)) % 7)::INTEGER WHEN day IS NOT NULL AND name IS NOT NULL THEN ${raise("'ILLEGAL_DAY_OF_WEEK: ' || left(name, 100) || ' is no day of the week. Write MON, TUE and so on.'", "NULL::DATE")} END`,
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
  "from_utc_timestamp(moment, zone) AS ((spark_moment_of(moment) AT TIME ZONE zone)::TIMESTAMPTZ)",
  "last_day(day) AS last_day(day::DATE)",
  "make_timestamp(y, m, d, h, mi, s) AS make_timestamp(y, m, d, h, mi, s)::TIMESTAMPTZ",
  `months_between(last, first) AS round(${monthsBetween}, 8)`,
  `months_between(last, first, is_rounded) AS CASE WHEN is_rounded THEN round(${monthsBetween}, 8) ELSE ${monthsBetween} END`,
  "monthname(day) AS left(monthname(day), 3)",
  "now() AS now()",
  "trunc(day, unit) AS CASE WHEN lower(unit) IN ('year', 'yyyy', 'yy') THEN date_trunc('year', day::DATE) WHEN lower(unit) IN ('quarter') THEN date_trunc('quarter', day::DATE) WHEN lower(unit) IN ('month', 'mm', 'mon') THEN date_trunc('month', day::DATE) WHEN lower(unit) = 'week' THEN date_trunc('week', day::DATE) END::DATE",
  "to_timestamp(text) AS text::TIMESTAMPTZ",
  // When the clock goes back, an hour occurs twice. Spark takes the first one, DuckDB the second one.
  "to_utc_timestamp(moment, zone) AS list_transform([{'local': spark_moment_of(moment)::TIMESTAMP, 'zone': zone}], lambda one: CASE WHEN (((one.local AT TIME ZONE one.zone) - INTERVAL 1 HOUR) AT TIME ZONE one.zone) = one.local THEN (one.local AT TIME ZONE one.zone) - INTERVAL 1 HOUR ELSE (one.local AT TIME ZONE one.zone) END)[1]",
  // As java.time counts: a month is whole if the day of the month and the time of day are reached.
  "whole_months(first, last) AS list_transform([{'months': (year(last) - year(first)) * 12 + month(last) - month(first), 'before': day(last) * 86400000000 + epoch_us(last) - epoch_us(date_trunc('day', last)) - day(first) * 86400000000 - epoch_us(first) + epoch_us(date_trunc('day', first))}], lambda one: CASE WHEN one.months > 0 AND one.before < 0 THEN one.months - 1 WHEN one.months < 0 AND one.before > 0 THEN one.months + 1 ELSE one.months END)[1]",
  "timestamp_micros(number) AS make_timestamp(number::BIGINT)::TIMESTAMPTZ",
  "timestamp_millis(number) AS make_timestamp(number::BIGINT * 1000)::TIMESTAMPTZ",
  "timestamp_seconds(number) AS to_timestamp(number)",
  "try_to_date(text) AS TRY_CAST(spark_date_text(text::VARCHAR) AS DATE)",
  "try_to_timestamp(text) AS TRY_CAST(spark_date_text(text::VARCHAR) AS TIMESTAMPTZ)",
  "unix_date(day) AS (day::DATE - DATE '1970-01-01')::INTEGER",
  "unix_micros(moment) AS epoch_us(moment)",
  // Before 1970, epoch_ms() alone rounds up.
  "unix_millis(moment) AS epoch_ms(date_trunc('millisecond', spark_moment_of(moment)))",
  "unix_seconds(moment) AS (epoch_us(moment) - (epoch_us(moment) % 1000000 + 1000000) % 1000000) // 1000000",
  "unix_timestamp() AS floor(epoch(now()))::BIGINT",
  `unix_timestamp(moment) AS ${secondsSince1970}`,
  `to_unix_timestamp(moment) AS ${secondsSince1970}`,
  "weekday(day) AS (isodow(day::DATE) - 1)::INTEGER",
];

const missing = (index: string): string =>
  raise(
    `'INVALID_ARRAY_INDEX: the list has no element ' || ${index} || '. Write get(list, index) to get NULL instead.'`,
    "list[1]",
  );

const wrongStep =
  "'ILLEGAL_SEQUENCE_BOUNDARIES: the step of sequence() does not lead from its start to its end.'";
/** An interval of years and months, counted in months. Each is added to the start: a month after January 31 is the end of February. */
const monthsIn = (step: string): string => `(year(${step}) * 12 + month(${step}))`;

const lists = [
  "array_append(list, item) AS CASE WHEN list IS NOT NULL THEN list_append(list, item) END",
  "array_compact(list) AS list_filter(list, lambda item: item IS NOT NULL)",
  "array_contains(list, item) AS CASE WHEN list_contains(list, item) THEN true WHEN len(list_filter(list, lambda other: other IS NULL)) > 0 OR item IS NULL OR list IS NULL THEN NULL ELSE false END",
  `array_distinct(list) AS ${distinct("list")}`,
  `array_except(list, other) AS CASE WHEN other IS NOT NULL THEN list_filter(${distinct("list")}, lambda value: NOT ${has("other", "value")}) END`,
  `array_intersect(list, other) AS CASE WHEN other IS NOT NULL THEN list_filter(${distinct("list")}, lambda value: ${has("other", "value")}) END`,
  "array_position(list, item) AS CASE WHEN list IS NOT NULL AND item IS NOT NULL THEN coalesce(list_position(list, item), 0)::BIGINT END",
  "array_prepend(list, item) AS CASE WHEN list IS NOT NULL THEN list_prepend(item, list) END",
  "array_remove(list, item) AS CASE WHEN item IS NOT NULL THEN list_filter(list, lambda other: other IS NULL OR other <> item) END",
  "array_repeat(item, number) AS CASE WHEN number IS NOT NULL THEN list_transform(range(greatest(number, 0)), lambda place: item) END",
  "array_size(list) AS len(list)::INTEGER",
  `array_union(list, other) AS ${distinct("(list || other)")}`,
  `arrays_overlap(list, other) AS CASE WHEN list IS NULL OR other IS NULL THEN NULL WHEN list_has_any(list, other) THEN true WHEN len(list) = 0 OR len(other) = 0 THEN false WHEN len(list_filter(list || other, lambda item: item IS NULL)) > 0 THEN NULL ELSE false END`,
  "flatten(lists) AS CASE WHEN len(list_filter(lists, lambda one: one IS NULL)) = 0 THEN flatten(lists) END",
  "get(list, pos) AS CASE WHEN pos >= 0 THEN list[pos + 1] END",
  "map_contains_key(map, key) AS map_contains(map, key)",
  "sequence(first, last) AS cast_to_type(CASE WHEN first <= last THEN generate_series(first, last) ELSE generate_series(first, last, -1) END, [first])",
  "sequence_of_days(first, last) AS cast_to_type(CASE WHEN first <= last THEN generate_series(first, last, INTERVAL 1 DAY) ELSE generate_series(first, last, -INTERVAL 1 DAY) END, [first])",
  `sequence(first, last, step) AS CASE WHEN step = 0 AND first = last THEN [first] WHEN step = 0 OR (first < last AND step < 0) OR (first > last AND step > 0) THEN ${raise(wrongStep, "[first]")} ELSE cast_to_type(generate_series(first, last, step), [first]) END`,
  `sequence_of_times(first, last, step) AS CASE WHEN first <> last AND (first + step > first) <> (last > first) THEN ${raise(wrongStep, "[first]")} WHEN ${monthsIn("step")} = 0 THEN cast_to_type(generate_series(first, last, step), [first]) ELSE cast_to_type(list_filter(list_transform(generate_series(0, abs(date_diff('month', first::TIMESTAMP, last::TIMESTAMP)) // greatest(abs(${monthsIn("step")}), 1) + 1), lambda place: first + to_months((place * ${monthsIn("step")})::INTEGER)), lambda one: CASE WHEN last >= first THEN one <= last ELSE one >= last END), [first]) END`,
  `slice(list, first, number) AS CASE WHEN first = 0 OR number < 0 THEN ${raise("'INVALID_PARAMETER_VALUE: slice() counts from 1, or from the end with -1, and its length must not be negative.'", "list")} WHEN first > 0 THEN list_slice(list, first, first + number - 1) WHEN len(list) + first < 0 THEN list_slice(list, 1, 0) ELSE list_slice(list, len(list) + first + 1, len(list) + first + number) END`,
  `map_concat_two(one, other) AS CASE WHEN one IS NOT NULL AND other IS NOT NULL THEN CASE WHEN len(list_filter(map_keys(one), lambda key: list_contains(map_keys(other), key))) > 0 THEN ${raise("'DUPLICATED_MAP_KEY: both maps have the same key.'", "one")} ELSE map_concat(one, other) END END`,
  "sort_array(list) AS list_sort(list, 'ASC', 'NULLS FIRST')",
  "sort_array(list, up) AS CASE WHEN up THEN list_sort(list, 'ASC', 'NULLS FIRST') ELSE list_sort(list, 'DESC', 'NULLS LAST') END",
  `try_element_at(collection, key) AS CASE WHEN typeof(collection) LIKE '%[]' AND CAST(key AS VARCHAR) = '0' THEN ${raise("'INVALID_INDEX_OF_ZERO: try_element_at() counts from 1, or from the end with -1.'", "collection[key]")} ELSE collection[key] END`,
  `item(list, pos, length) AS CASE WHEN pos >= 0 AND pos < length THEN list[pos + 1] WHEN list IS NOT NULL AND pos IS NOT NULL THEN ${missing("pos")} END`,
  "map_item(map, key) AS map_extract_value(map, key)",
  `element(list, pos, length) AS CASE WHEN pos BETWEEN -length AND length AND pos <> 0 THEN list[pos] WHEN list IS NOT NULL AND pos IS NOT NULL THEN ${missing("pos")} END`,
];

/** Macros that spark-rewrites.ts calls. */
const internal = [
  "of_several(pairs, value) AS CASE WHEN pairs > 1 THEN value END",
  // DuckDB reads 1_000 as a number, and 1e-05 as a DECIMAL with the wrong digits.
  "number_text(value) AS replace(CASE WHEN regexp_matches(value, '^[^a-zA-Z]*[0-9.]([eE][^a-zA-Z]*[0-9])?[dDfF]\\s*$') THEN rtrim(rtrim(value), 'dDfF') ELSE value END, '_', ' _ ')",
  "decimal_text(value) AS CASE WHEN regexp_matches(value, '[eE]-') THEN CAST(TRY_CAST(TRY_CAST(value AS DOUBLE) AS DECIMAL(38, 18)) AS VARCHAR) ELSE replace(value, '_', ' _ ') END",
  "all_true(found) AS CASE WHEN list_contains(found, false) THEN false WHEN len(list_filter(found, lambda one: one IS NULL)) > 0 THEN NULL WHEN found IS NOT NULL THEN true END",
  "any_true(found) AS CASE WHEN list_contains(found, true) THEN true WHEN len(list_filter(found, lambda one: one IS NULL)) > 0 THEN NULL WHEN found IS NOT NULL THEN false END",
  "date_or_time(moment) AS replace_type(moment, NULL::VARCHAR, NULL::TIMESTAMPTZ)",
  // Used only until the types of its parts are known (text-rewrites.ts).
  "joined(list, delimiter) AS CASE WHEN delimiter IS NOT NULL THEN coalesce(array_to_string(list, delimiter), '') END",
  "json_double(text) AS CASE WHEN text IN ('NaN', 'Infinity', '-Infinity') THEN '\"' || text || '\"' ELSE text END",
  "json_local(moment) AS strftime(moment, '\"%Y-%m-%dT%H:%M:%S.%g\"')",
  "json_moment(moment) AS strftime(moment, '\"%Y-%m-%dT%H:%M:%S.%gZ\"')",
  "json_object_text(text) AS CASE WHEN trim(text) = '' THEN NULL WHEN json_valid(text) AND json_type(text) <> 'NULL' THEN text WHEN text IS NOT NULL THEN '{}' END",
  "json_struct(fields, value) AS CASE WHEN fields IS NOT NULL THEN value END",
  "json_whole(value) AS CASE WHEN json_type(value) IN ('UBIGINT', 'BIGINT', 'HUGEINT') THEN value END",
  "json_number(value) AS CASE WHEN json_type(value) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE') THEN value END",
  "json_boolean(value) AS CASE WHEN json_type(value) = 'BOOLEAN' THEN value END",
  "json_items(items, list) AS CASE WHEN len(list_filter(items, lambda item: json_type(item) <> 'NULL')) = len(list_filter(list, lambda item: item IS NOT NULL)) THEN list END",
  "joined_by(list, delimiter) AS CASE WHEN delimiter IS NULL OR list IS NULL THEN NULL WHEN len(list_filter(list, lambda one: one IS NOT NULL)) > 0 THEN list_reduce(list_filter(list, lambda one: one IS NOT NULL), lambda one, other: one || delimiter || other) ELSE '' END",
  "one_text(value) AS value",
  // The macro takes the value so that the type of the value is found.
  "type_of(value, name) AS CASE WHEN value IS NULL THEN name ELSE name END",
  // DuckDB would read the rows after a text with the name of a time zone in that zone.
  "date_text(value) AS CASE WHEN regexp_full_match(value, '\\s*[0-9]{4}\\s*') THEN trim(value) || '-01-01' WHEN regexp_full_match(value, '\\s*[0-9]{4}-[0-9]{1,2}\\s*') THEN trim(value) || '-01' WHEN regexp_matches(value, '[A-Za-z]{3}') AND NOT regexp_matches(value, '(UTC|GMT)') THEN value || ' (a zone)' ELSE trim(value) END",
  "moment_of(value) AS CASE WHEN typeof(value) = 'VARCHAR' THEN CAST(spark_date_text(CAST(value AS VARCHAR)) AS TIMESTAMPTZ) ELSE CAST(value AS TIMESTAMPTZ) END",
  "tried_exactly(text, parsed, format) AS CASE WHEN strftime(parsed, format) = text THEN parsed END",
  `parsed_exactly(text, parsed, format) AS CASE WHEN strftime(parsed, format) = text THEN parsed WHEN parsed IS NOT NULL THEN ${raise("'CANNOT_PARSE_TIMESTAMP: the text ' || left(text, 100) || ' does not have the pattern.'", "parsed")} END`,
  "json_text(text) AS CASE WHEN json_valid(text) THEN text END",
  "zip(list, other) AS CASE WHEN list IS NOT NULL AND other IS NOT NULL THEN list_zip(list, other) END",
  "never_empty(list) AS CASE WHEN len(list) > 0 THEN list ELSE [NULL] END",
  "plain(value) AS value",
  // As many microseconds as in CAST(number AS TIMESTAMP), and the seconds of CAST(moment AS DOUBLE).
  "micros_of_whole(number) AS number::BIGINT * 1000000",
  "micros_of_double(number) AS trunc(number::DOUBLE * 1000000)::BIGINT",
  "micros_of_decimal(number) AS trunc(number)::BIGINT * 1000000 + trunc(CAST(number - trunc(number) AS DECIMAL(38, 30)) * 1000000)::BIGINT",
  "seconds_of(moment) AS epoch_us(moment)::DOUBLE / 1000000",
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
  // DuckDB evaluates typeof() when it binds it: then the plan would not have the value, whose type is asked for (type-probe.ts).
  `typeof(value) AS coalesce(CASE WHEN value IS NULL THEN NULL::VARCHAR END, CASE WHEN ${isKnownType} THEN repeat('array<', ${listDepth}) || ${typeName} || repeat('>', ${listDepth}) ELSE error('typeof() of a struct, a map or an interval is not supported here.') END)`,
];

/**
 * Databricks functions that DuckDB does not have, or that the SQL library translates incorrectly: it takes dayofweek,
 * whose Sunday is 1, for isodow, and translates date_add to a timestamp. They are renamed before the translation, and
 * DuckDB has macros with the new names.
 */
export const functionMacros: readonly string[] = [
  ...wholeCasts,
  pmodMacro,
  // Other macros call these.
  ...internal,
  ...roundingMacros,
  ...numbers,
  ...texts,
  ...times,
  ...lists,
  ...conditions,
];
