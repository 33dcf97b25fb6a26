/** What the functions in functions.sql are called with: edge values of every type, as SQL that Spark and the warehouse read alike. */

const casts = (type: string, values: readonly string[]): readonly string[] =>
  [...values.map((value) => `'${value}'`), "NULL"].map((value) => `CAST(${value} AS ${type})`);

const quoted = (type: string, values: readonly string[]): readonly string[] => [
  ...values.map((value) => `${type}'${value}'`),
  `CAST(NULL AS ${type === "" ? "STRING" : type})`,
];

const numbers = (values: readonly string[]): readonly string[] => [...values, "CAST(NULL AS INT)"];

const lists = (type: string, values: readonly string[]): readonly string[] => [
  ...values.map((value) => `array(${value})`),
  ...["array()", "NULL"].map((value) => `CAST(${value} AS ARRAY<${type}>)`),
];

const floats = [
  ..."0 -0.0 1 -1 2.5 -2.5 3.5 0.5 1.005 -1.005 2.675 0.1 0.045 1234.5678 123456789.125 1e-5 1e20 -1e20".split(" "),
  ..."NaN Infinity -Infinity".split(" "),
];

/** By the names that functions.sql uses. The values of a row are taken from the front, so the usual ones come first. */
export const argumentValues: Readonly<Record<string, readonly string[]>> = {
  bool: casts("BOOLEAN", ["true", "false"]),
  tinyint: casts("TINYINT", ["0", "1", "-1", "7", "127", "-128"]),
  smallint: casts("SMALLINT", ["0", "1", "-1", "300", "32767", "-32768"]),
  int: casts("INT", ["0", "1", "-1", "7", "-25", "1234", "2147483647", "-2147483648"]),
  bigint: casts("BIGINT", ["0", "1", "-1", "86400", "9007199254740993", "9223372036854775807", "-9223372036854775808"]),
  float: casts("FLOAT", [...floats, "3.4028235e38", "1.4e-45", "16777217"]),
  double: casts("DOUBLE", [...floats, "1.7976931348623157e308", "4.9e-324", "9007199254740993", "0.30000000000000004"]),
  small: casts("DOUBLE", ["0", "-0.0", "1", "-1", "0.5", "-0.25", "2", "10", "-3.75", "NaN", "Infinity", "-Infinity"]),
  decimal: casts("DECIMAL(10, 2)", ["0.00", "1.00", "-1.00", "2.50", "-2.50", "0.05", "1.25", "99999999.99", "-99999999.99"]),
  wide: casts("DECIMAL(38, 10)", ["0", "1.5", "-1.5", "0.0000000001", "1234567890123456789012345678.9012345678", "-9999999999999999999999999999.9999999999"]),
  whole: casts("DECIMAL(20, 0)", ["0", "1", "-7", "99999999999999999999", "-99999999999999999999"]),
  digits: numbers(["0", "1", "2", "-1", "-2", "3", "20"]),
  count: numbers(["2", "0", "1", "-1", "3", "100", "-2"]),
  bits: numbers(["0", "1", "3", "31", "32", "63", "-1"]),
  text: quoted("", ["abc", "", " a b ", "Straße", "İI", "😀x", "e\u0301é", "a,b,,c", "10", "tEsT ONE-two", "%_\\\\"]),
  part: quoted("", ["b", "", "a", ",", "x", "😀", "abcdef"]),
  number: quoted("", ["10", "-7", " 3 ", "1.5", "1e3", "0x1F", "", "abc", "9223372036854775808", "NaN", "Infinity", ".5", "5.", "+4", "1d", "2147483648", "1_000"]),
  truth: quoted("", ["true", "F", "yes", "0", " t ", "on", "", "2"]),
  day: quoted("DATE", ["2024-01-31", "2024-02-29", "2023-02-28", "1970-01-01", "1969-12-31", "2026-03-29", "2000-12-31", "1582-10-15", "0002-01-01", "9998-12-31"]),
  moment: quoted("TIMESTAMP", ["2024-01-31 10:20:30", "2024-02-29 23:59:59.999999", "1970-01-01 00:00:00", "1969-12-31 23:59:59.5", "1900-01-01 00:00:00.000001", "2026-03-29 01:30:00", "2026-03-29 02:30:00", "2026-10-25 00:30:00", "2026-10-25 01:30:00", "2026-10-25 02:30:00", "2023-12-31 12:00:00.1", "9998-12-31 23:59:59"]),
  daytext: quoted("", ["2024-02-29", "2024-2-9", "2024-02", "2024", "2024-02-30", "2024-02-29 10:20:30", "2024-02-29T10:20:30Z", "2024-02-29 10:20:30.123456789", "2024-02-29 10:20:30 Europe/Berlin", "2024-02-29 10:20:30+02:00", " 2024-02-29 ", "", "x", "20240229", "12:30"]),
  zone: quoted("", ["UTC", "Europe/Berlin", "America/New_York", "+02:00", "Asia/Kolkata", "nowhere"]),
  seconds: casts("BIGINT", ["0", "1", "-1", "1700000000", "-1700000000", "253402300799"]),
  bytes: ["CAST('abc' AS BINARY)", "CAST('' AS BINARY)", "unhex('00ff')", "CAST('é' AS BINARY)", "CAST(NULL AS BINARY)"],
  ints: lists("INT", ["3, 1, 2", "1, NULL, 1", "NULL", "2, 2", "-1, 0, 2147483647"]),
  doubles: lists("DOUBLE", ["1.5D, 0.1D", "CAST('NaN' AS DOUBLE), 1D, NULL", "-0.0D, 0.0D"]),
  texts: lists("STRING", ["'b', 'a', 'B'", "'x', NULL, 'x'", "''", "'😀', 'z'"]),
  decimals: lists("DECIMAL(5, 2)", ["1.50, 2.25", "CAST(1 AS DECIMAL(5, 2)), NULL"]),
  days: lists("DATE", ["DATE'2024-02-29', NULL", "DATE'2024-01-01'"]),
  moments: lists("TIMESTAMP", ["TIMESTAMP'2024-02-29 10:20:30.5', NULL", "TIMESTAMP'2024-01-01 00:00:00'"]),
  bools: lists("BOOLEAN", ["true, false, NULL", "true"]),
  nested: lists("ARRAY<INT>", ["array(1, 2), array(3)", "array(1), CAST(NULL AS ARRAY<INT>)", "array(NULL, 2)", "CAST(array() AS ARRAY<INT>)"]),
  map: ["map('a', 1, 'b', NULL)", "map('x', 0)", "CAST(map() AS MAP<STRING, INT>)", "CAST(NULL AS MAP<STRING, INT>)"],
  numbered: ["map(1, 'a', 2, NULL)", "map(-1, '')", "CAST(map() AS MAP<INT, STRING>)", "CAST(NULL AS MAP<INT, STRING>)"],
  struct: ["named_struct('n', 1, 's', 'x')", "named_struct('n', CAST(NULL AS INT), 's', '\"q\" \\n')", "CAST(NULL AS STRUCT<n: INT, s: STRING>)"],
  record: ["named_struct('d', DATE'2024-02-29', 't', TIMESTAMP'2024-02-29 10:20:30.5', 'x', 1.5D, 'e', 1.50, 'l', array(1, NULL), 'b', true, 'f', CAST(0.1 AS FLOAT))", "named_struct('d', CAST(NULL AS DATE), 't', TIMESTAMP'2024-02-29 10:20:30', 'x', 1e20D, 'e', 0.00, 'l', CAST(NULL AS ARRAY<INT>), 'b', false, 'f', CAST(1e10 AS FLOAT))"],
  json: quoted("", ["{\"a\": 1, \"b\": \"x\", \"c\": [1, 2], \"d\": {\"e\": null}}", "{\"a\": \"1\", \"b\": 2, \"c\": 3}", "{\"a\": 1.5, \"b\": true, \"c\": [\"x\", null]}", "{\"a\": 99999999999, \"b\": null}", "[1, 2, 3]", "[]", "{}", "null", "", "abc", "{\"a\": 1", "5", "\"s\"", "{\"A\": 7, \"b\": {\"x\": 1}}"]),
  pattern: quoted("", ["b", "", "[a-z]+", "(a)(b)?", "x*", "\\\\d+", ".", "[", "^a|c$", "(?i)TEST"]),
  pair: numbers(["0", "1", "2", "-1"]),
};
