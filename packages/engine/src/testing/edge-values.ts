import { quote } from "../warehouse/names.ts";

/** A column, its type, and two extreme values in DuckDB's SQL. */
const columns: readonly (readonly [name: string, type: string, one: string, other: string])[] = [
  ["a boolean", "BOOLEAN", "true", "false"],
  ['int"8', "TINYINT", "-128", "127"],
  ["int16", "SMALLINT", "32767", "-32768"],
  ["int32", "INTEGER", "-2147483648", "2147483647"],
  ["int64", "BIGINT", "9223372036854775807", "-9223372036854775808"],
  ["uint8", "UTINYINT", "255", "0"],
  ["uint16", "USMALLINT", "65535", "0"],
  ["uint32", "UINTEGER", "4294967295", "0"],
  ["uint64", "UBIGINT", "18446744073709551615", "0"],
  ["huge", "HUGEINT", "-170141183460469231731687303715884105727", "170141183460469231731687303715884105727"],
  ["single", "FLOAT", "0.1", "-3.4028235e38"],
  ["double", "DOUBLE", "0.1", "-1.7976931348623157e308"],
  ["price", "DECIMAL(5,2)", "1.10", "-999.99"],
  ["exact", "DECIMAL(38,6)", "12345678901234567890123456789012.345678", "-0.000001"],
  ["date", "DATE", "'1000-01-01'", "'9999-12-31'"],
  ["time", "TIME", "'23:59:59.999999'", "'00:00:00'"],
  ["select", "TIMESTAMP", "'9999-12-31 23:59:59.999999'", "'1000-01-01'"],
  ["nanoseconds", "TIMESTAMP_NS", "'2024-02-29 12:34:56.123456789'", "'1970-01-01'"],
  ["moment", "TIMESTAMPTZ", "'2024-02-29 12:34:56.000001+02'", "'9999-12-31 23:59:59.999999+00'"],
  ["uuid", "UUID", "'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  ["blob", "BLOB", "'\\x00\\xFF\\x22'", "''"],
  ["json", "JSON", `'{"a": [1, 2.50, null, "ü"], "b": {}}'`, `'"text"'`],
  ["list", "VARCHAR[]", `['a', NULL, '', 'b"c']`, "[]"],
  ["struct", "STRUCT(x INTEGER, y VARCHAR)", "{'x': 1, 'y': 'z'}", "{'x': NULL, 'y': ''}"],
  [
    "text",
    "VARCHAR",
    `'line' || chr(10) || 'feed, "quoted" \\ ''single''' || chr(9) || chr(13) || ' 🚀'`,
    "''",
  ],
];

const row = (id: number, values: readonly string[]): string =>
  `SELECT ${id} AS id, ${columns.map(([name, type], at) => `CAST(${values[at]} AS ${type}) AS ${quote(name)}`).join(", ")}`;

/** A SELECT of three rows: the first values, the second values, and NULL in every column. */
export const edgeRows: string = [
  row(
    1,
    columns.map(([, , one]) => one),
  ),
  row(
    2,
    columns.map(([, , , other]) => other),
  ),
  row(
    3,
    columns.map(() => "NULL"),
  ),
].join(" UNION ALL ");
