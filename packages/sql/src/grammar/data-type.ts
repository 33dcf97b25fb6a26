import type { TokenCursor } from "./token-cursor.ts";

const plain = new Set([
  "bigint",
  "long",
  "int",
  "integer",
  "smallint",
  "short",
  "tinyint",
  "byte",
  "double",
  "float",
  "real",
  "boolean",
  "binary",
  "date",
  "timestamp",
  "timestamp_ntz",
  "timestamp_ltz",
  "variant",
  "void",
]);
const fields = ["year", "month", "day", "hour", "minute", "second"];

/** Consumes a type such as `DECIMAL(10, 2)` or `ARRAY<STRUCT<a: INT, b: STRING>>`, or fails. */
export function dataType(cursor: TokenCursor): void {
  if (cursor.sees("ARRAY") || cursor.sees("MAP") || cursor.sees("STRUCT")) nested(cursor);
  else if (cursor.takes("DECIMAL") || cursor.takes("DEC") || cursor.takes("NUMERIC")) decimal(cursor);
  else if (cursor.takes("VARCHAR") || cursor.takes("CHAR") || cursor.takes("CHARACTER")) {
    cursor.expect("(");
    if (cursor.number() < 1) cursor.fail("a length of at least 1 before");
    cursor.expect(")");
  } else if (cursor.takes("INTERVAL")) {
    unit(cursor);
    if (cursor.takes("TO")) unit(cursor);
  } else if (cursor.takes("STRING")) {
    if (cursor.takes("COLLATE")) cursor.name();
  } else if (![...plain].some((name) => cursor.takes(name))) cursor.fail("a type");
}

function unit(cursor: TokenCursor): void {
  if (!fields.some((name) => cursor.takes(name))) cursor.fail("a unit of time");
}

function decimal(cursor: TokenCursor): void {
  if (!cursor.takes("(")) return;
  const precision = cursor.number();
  if (precision < 1 || precision > 38) cursor.fail("a precision from 1 to 38 before");
  if (cursor.takes(",") && cursor.number() > precision) cursor.fail("a scale not above the precision before");
  cursor.expect(")");
}

function nested(cursor: TokenCursor): void {
  if (cursor.takes("ARRAY")) {
    cursor.expect("<");
    dataType(cursor);
  } else if (cursor.takes("MAP")) {
    cursor.expect("<");
    dataType(cursor);
    cursor.expect(",");
    dataType(cursor);
  } else {
    cursor.expect("STRUCT", "<");
    do {
      cursor.name();
      cursor.takes(":");
      dataType(cursor);
      if (cursor.takes("NOT")) cursor.expect("NULL");
      if (cursor.takes("COMMENT")) cursor.text();
    } while (cursor.takes(","));
  }
  cursor.expect(">");
}
