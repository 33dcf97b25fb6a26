import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote } from "../../warehouse/names.ts";
import { digitsOf, kindOf } from "../target/type-kinds.ts";

/** Integer types: the MySQL type, its bytes, and the decimal digits of its greatest value. */
const integers: Readonly<
  Record<string, { declared: string; bytes: number; unsigned: boolean; digits: number }>
> = {
  TINYINT: { declared: "TINYINT", bytes: 1, unsigned: false, digits: 3 },
  SMALLINT: { declared: "SMALLINT", bytes: 2, unsigned: false, digits: 5 },
  INTEGER: { declared: "INT", bytes: 4, unsigned: false, digits: 10 },
  BIGINT: { declared: "BIGINT", bytes: 8, unsigned: false, digits: 19 },
  UTINYINT: { declared: "TINYINT UNSIGNED", bytes: 1, unsigned: true, digits: 3 },
  USMALLINT: { declared: "SMALLINT UNSIGNED", bytes: 2, unsigned: true, digits: 5 },
  UINTEGER: { declared: "INT UNSIGNED", bytes: 4, unsigned: true, digits: 10 },
  UBIGINT: { declared: "BIGINT UNSIGNED", bytes: 8, unsigned: true, digits: 20 },
  HUGEINT: { declared: "DECIMAL(39,0)", bytes: 16, unsigned: false, digits: 39 },
  UHUGEINT: { declared: "DECIMAL(39,0)", bytes: 16, unsigned: true, digits: 39 },
};

/** MySQL allows at most 30 decimal places. */
const maxScale = 30;

/** The type of a new column. Keys need a length limit; rows with longer keys are refused. */
export function mysqlType({ type }: WarehouseColumn, isKey: boolean): string {
  const integer = integers[type];
  if (integer) return integer.declared;
  switch (kindOf(type)) {
    case "boolean":
      return "TINYINT(1)";
    case "decimal":
      return digitsOf(type).scale <= maxScale ? type : text(isKey);
    // MySQL shows a FLOAT with six digits.
    case "real":
      return "DOUBLE";
    case "date":
      return "DATE";
    case "time":
      return "TIME(6)";
    // Also for timestamps with time zone, in UTC: MySQL's TIMESTAMP ends in 2038.
    case "timestamp":
    case "instant":
      return "DATETIME(6)";
    case "uuid":
      return "CHAR(36)";
    case "binary":
      return isKey ? "VARBINARY(255)" : "LONGBLOB";
    case "json":
    case "nested":
      return "JSON";
    default:
      return text(isKey);
  }
}

const text = (isKey: boolean) => (isKey ? "VARCHAR(255)" : "LONGTEXT");

/** DuckDB SQL: the value that is sent to MySQL. */
export function mysqlValue({ name, type }: WarehouseColumn): string {
  const value = quote(name);
  switch (kindOf(type)) {
    case "boolean":
      return `CAST(${value} AS TINYINT)`;
    case "integer":
    case "binary":
      return value;
    case "real":
      return `CAST(${value} AS DOUBLE)`;
    case "instant":
      return `CAST(${value} AT TIME ZONE 'UTC' AS VARCHAR)`;
    case "nested":
      return `CAST(to_json(${value}) AS VARCHAR)`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

const bytes: Readonly<Record<string, number>> = { tinyint: 1, smallint: 2, mediumint: 3, int: 4, bigint: 8 };
const isText = /^(tiny|medium|long)?text$|^varchar/;

/** Whether a column of that type, as information_schema writes it, holds every value of the warehouse column. */
export function mysqlFits(existing: string, { type }: WarehouseColumn): boolean {
  const declared = existing.toLowerCase();
  const [base = ""] = declared.split(/[ (]/);
  const integer = type === "BOOLEAN" ? integers.TINYINT : integers[type];
  if (integer) {
    if (base === "decimal") return digitsOf(declared).precision - digitsOf(declared).scale >= integer.digits;
    const available = bytes[base] ?? 0;
    if (declared.includes("unsigned")) return integer.unsigned && available >= integer.bytes;
    return integer.unsigned ? available > integer.bytes : available >= integer.bytes;
  }
  switch (kindOf(type)) {
    case "decimal": {
      if (digitsOf(type).scale > maxScale) return isText.test(declared);
      const [wide, narrow] = [digitsOf(declared), digitsOf(type)];
      const integerDigits = wide.precision - wide.scale;
      return (
        base === "decimal" && wide.scale >= narrow.scale && integerDigits >= narrow.precision - narrow.scale
      );
    }
    case "real":
      return base === "double";
    case "date":
      return base === "date";
    case "time":
      return declared === "time(6)";
    case "timestamp":
      return declared === "datetime(6)";
    case "instant":
      return declared === "datetime(6)" || declared === "timestamp(6)";
    case "uuid":
      return declared === "char(36)" || declared === "uuid" || isText.test(declared);
    case "binary":
      return /^(tiny|medium|long)?blob$|^varbinary/.test(declared);
    case "json":
    case "nested":
      return base === "json" || isText.test(declared);
    default:
      return isText.test(declared);
  }
}
