import type { Refusal } from "../../protocol/transfer.ts";

interface MysqlError extends Error {
  readonly code?: string;
  readonly errno: number;
  readonly sqlState?: string;
}

const isMysqlError = (error: unknown): error is MysqlError =>
  error instanceof Error && "errno" in error && typeof error.errno === "number";

/**
 * NULL in a required column, duplicate key, missing parent row, value out of range, of the wrong type, too long or invalid
 * JSON, a violated check, an error that a trigger raises.
 */
const refusals = [1048, 1062, 1264, 1265, 1292, 1366, 1367, 1406, 1411, 1452, 1644, 1690, 3140, 3819, 4025];

/** Why MySQL refuses rows; undefined if the error is not about rows. */
export const mysqlRefusal = (error: unknown): Refusal | undefined =>
  isMysqlError(error) && refusals.includes(error.errno)
    ? { reason: error.message, cause: valuelessMessage(error) }
    : undefined;

/**
 * Errors about rows whose messages have only names: NULL in a column, no default, a value out of range or too long, a foreign key, a
 * check.
 */
const namesOnly = [1048, 1264, 1265, 1364, 1406, 1451, 1452, 3819, 4025];
/** Errors with the general SQL state HY000 that are about tables, locks, the disk or the server, not about rows. */
const aboutTheServer = [
  1021, 1030, 1036, 1114, 1194, 1205, 1206, 1223, 1290, 1356, 1418, 1419, 1449, 1835, 3024,
];
/**
 * SQL states of the connection, features, transactions, permissions, objects, conflicts and limits of time. Error 1064
 * is an exception, because it quotes the statement.
 */
const aboutStatements = /^(08|0A|25|28|3D|40|42|70)/;

/**
 * The message of an error without values of rows. The text of a trigger (1644) is replaced, because it may quote rows.
 */
export function valuelessMessage(error: Error): string {
  // An error of the driver has no state.
  if (!isMysqlError(error) || error.sqlState === undefined) return error.message;
  const { errno, sqlState, code = "error", message } = error;
  if (namesOnly.includes(errno) || aboutTheServer.includes(errno)) return message;
  if (aboutStatements.test(sqlState) && errno !== 1064 && errno !== 1644) return message;
  const text = conditions[errno] ?? "an error whose text may quote rows";
  return `${text}${subjectOf(error)} (${code}, ${errno})`;
}

const conditions: Readonly<Record<number, string>> = {
  1062: "a duplicate key",
  1292: "a value that is not valid",
  1300: "a text with a character that its character set does not have",
  1366: "a value that is not valid",
  1367: "a number that is not valid",
  1411: "a value that is not a date or time",
  1586: "a duplicate key",
  1644: "a trigger of the database refuses it",
  1690: "a number that is out of range",
  3140: "a text that is not JSON",
};

/** The key or column, which these errors name after the value, at the end. */
const namesSubject = [1062, 1292, 1366, 1367, 1586];

function subjectOf({ errno, message }: MysqlError): string {
  if (!namesSubject.includes(errno)) return "";
  const [, key] = / for key ('[^'\s]+')$/.exec(message) ?? [];
  if (key !== undefined) return ` for the key ${key}`;
  const [, column] = / for column (?:`[^`]*`\.)*[`']([^`']+)[`'] at row \d+$/.exec(message) ?? [];
  return column === undefined ? "" : ` for the column '${column}'`;
}
