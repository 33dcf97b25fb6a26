import { distinct, tableName } from "./metadata.ts";
import { type TokenCursor, UnexpectedToken } from "./token-cursor.ts";

/** The types of Unity Catalog connections that generated code uses. */
const connectionTypes = ["POSTGRESQL", "MYSQL", "SQLSERVER", "ORACLE", "SNOWFLAKE"];

/** Reads what follows `CREATE VOLUME`. */
export function createVolume(cursor: TokenCursor): void {
  if (cursor.takes("IF")) cursor.expect("NOT", "EXISTS");
  tableName(cursor);
  if (cursor.takes("COMMENT")) cursor.text();
}

/**
 * Reads what follows `CREATE CONNECTION`. A password must be a call of `secret()`, because the statement is in a file
 * that users read.
 */
export function createConnection(cursor: TokenCursor): void {
  if (cursor.takes("IF")) cursor.expect("NOT", "EXISTS");
  cursor.name();
  cursor.expect("TYPE");
  if (!connectionTypes.some((type) => cursor.takes(type))) cursor.fail(connectionTypes.join(", "));
  cursor.expect("OPTIONS");
  const at = cursor.at();
  const options = cursor.list(() => {
    const key = cursor.name();
    if (cursor.takes("SECRET")) {
      const where = cursor.at();
      const parts = cursor.list(() => cursor.text());
      if (parts.length !== 2) throw new UnexpectedToken(where, "expected secret('scope', 'key').");
    } else if (key.toLowerCase() === "password") cursor.fail("secret('scope', 'key')");
    else cursor.text();
    return key;
  });
  distinct(at, options);
  if (cursor.takes("COMMENT")) cursor.text();
}

/** Reads what follows `GRANT`. */
export function grantConnection(cursor: TokenCursor): void {
  cursor.expect("USE", "CONNECTION", "ON", "CONNECTION");
  cursor.name();
  cursor.expect("TO");
  cursor.name();
}

/** Reads `SELECT * FROM remote_query(connection, option => value, …)`, after SELECT. */
export function remoteQuery(cursor: TokenCursor): void {
  cursor.expect("*", "FROM", "remote_query");
  const at = cursor.at();
  const [, ...options] = cursor.list(() => {
    if (cursor.string() !== undefined) return "";
    const key = cursor.name();
    if (cursor.takes("=>")) optionValue(cursor);
    return key;
  });
  distinct(at, options);
  if (!options.includes("query")) throw new UnexpectedToken(at, "remote_query needs the option query.");
}

/** A string, a number, or a name that stands for a value known only when the notebook runs. */
function optionValue(cursor: TokenCursor): void {
  if (cursor.ahead()[0]?.kind === "number") cursor.number();
  else if (cursor.string() === undefined) cursor.name();
}
