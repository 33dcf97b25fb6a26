import type pg from "pg";
import type { Refusal } from "../../protocol/transfer.ts";

/**
 * What PostgreSQL reports about an error. The message, the detail and the context quote values of rows, and a trigger
 * chooses its own message. The other fields are names.
 */
export type PostgresDiagnostics = Pick<
  pg.DatabaseError,
  "code" | "message" | "detail" | "column" | "constraint" | "dataType" | "schema" | "table" | "routine"
>;

/** SQLSTATE classes 22 (invalid value) and 23 (constraint), and errors that a trigger raises. */
export const refusalStates = /^(22|23|P0001)/;

/** Why the server refuses a row. */
export function refusalOf(error: PostgresDiagnostics): Refusal {
  const { message, detail } = error;
  return { reason: `${message}${detail ? ` (${detail})` : ""}`, cause: valuelessMessage(error) };
}

/**
 * SQLSTATE classes whose messages have only names from statements: connection, features, transactions, permissions,
 * objects, resources, locks, cancelled statements, the system (appendix A of PostgreSQL's manual).
 */
const aboutStatements = /^(08|0A|25|28|2B|3D|3F|40|42|53|54|55|57|58)/;

/** The message of an error without values of rows. */
export function valuelessMessage(error: PostgresDiagnostics): string {
  const { code = "", message, routine } = error;
  if (aboutStatements.test(code) && routine !== raise) return message;
  const rule =
    rules[code] ?? conditions[code] ?? (code.startsWith("22") ? "a value is not valid" : undefined);
  const text = typeof rule === "function" ? rule(error) : rule;
  if (text !== undefined) return `${text}${typeOf(error)} (SQLSTATE ${code})`;
  return `a trigger or a function of the database reports an error, whose text may quote rows (SQLSTATE ${code})`;
}

/** The function of the server that reports a RAISE of PL/pgSQL. */
const raise = "exec_stmt_raise";

const named = (name: string | undefined): string => JSON.stringify(name ?? "");
const ofTable = ({ schema, table }: PostgresDiagnostics): string =>
  table === undefined ? "" : ` of ${schema === undefined ? table : `${schema}.${table}`}`;
const violates = (what: string) => (error: PostgresDiagnostics) =>
  `it violates the ${what} ${named(error.constraint)}${ofTable(error)}`;

/** SQLSTATE class 23: constraints. */
const rules: Readonly<Record<string, (error: PostgresDiagnostics) => string>> = {
  23502: (error) => `the column ${named(error.column)}${ofTable(error)} must not be NULL`,
  23503: violates("foreign key"),
  23505: violates("unique constraint"),
  23514: violates("check"),
  "23P01": violates("exclusion constraint"),
  23000: violates("constraint"),
  23001: violates("foreign key"),
};

/** SQLSTATE class 22: invalid values. */
const conditions: Readonly<Record<string, string>> = {
  22001: "a text is too long",
  22003: "a number is out of range",
  22007: "a text is not a date or time",
  22008: "a date or time is out of range",
  22009: "a time zone is out of range",
  22012: "a division by zero",
  22021: "a text has a character that the encoding of the database does not have",
  22023: "a value is not valid",
  "22P01": "a floating point number cannot be computed",
  "22P02": "a text is not valid",
  "22P03": "a binary value cannot be read",
  "22P05": "a text has a character that the encoding of the database does not have",
  "2202E": "an array has other dimensions than expected",
};

/** PostgreSQL's own types: a text that begins with one of these names quotes no value. */
const ownType =
  /^(?:value too long for|invalid input syntax for)(?: type)? (smallint|integer|bigint|numeric|real|double precision|boolean|date|interval|uuid|jsonb?|bytea|inet|cidr|macaddr8?|money|xml|time(?:stamp)? with(?:out)? time zone|(?:character(?: varying)?|bit(?: varying)?)\(\d+\))(?=$|:)|^(smallint|integer|bigint) out of range$|^(numeric) field overflow$/;

function typeOf({ message, dataType }: PostgresDiagnostics): string {
  const [, first, second, third] = ownType.exec(message) ?? [];
  const type = dataType ?? first ?? second ?? third;
  return type === undefined ? "" : `, for the type ${type}`;
}
