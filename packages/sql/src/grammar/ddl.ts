import { createConnection, createVolume, grantConnection, remoteQuery } from "./connection.ts";
import { clustering, column, constraint, createTable, properties } from "./create-table.ts";
import { alterMetadata, commentOn, type MetadataStatement, tableName } from "./metadata.ts";
import type { TokenCursor } from "./token-cursor.ts";

/**
 * Statements that define and describe tables, volumes and connections, and queries of another database. They have a
 * grammar here, because the parser does not know them or does not check them to the end. Returns the meaning of
 * statements about descriptions and tags.
 */
export function ddlStatement(cursor: TokenCursor): MetadataStatement | undefined {
  if (cursor.takes("COMMENT")) return commentOn(cursor);
  if (cursor.takes("ALTER", "TABLE")) return alterTable(cursor);
  if (cursor.takes("USE")) {
    if (!cursor.takes("CATALOG")) cursor.takes("SCHEMA");
    cursor.names();
  } else if (cursor.takes("SET", "CATALOG")) cursor.name();
  else if (cursor.takes("DESCRIBE", "DETAIL")) cursor.names();
  else if (cursor.takes("DROP", "TABLE")) {
    if (cursor.takes("IF")) cursor.expect("EXISTS");
    tableName(cursor);
  } else if (cursor.takes("CREATE", "SCHEMA")) createSchema(cursor);
  else if (cursor.takes("CREATE", "VOLUME")) createVolume(cursor);
  else if (cursor.takes("CREATE", "CONNECTION")) createConnection(cursor);
  else if (cursor.takes("GRANT")) grantConnection(cursor);
  else if (cursor.takes("SELECT")) remoteQuery(cursor);
  else {
    cursor.expect("CREATE");
    if (cursor.takes("OR")) cursor.expect("REPLACE");
    cursor.expect("TABLE");
    createTable(cursor);
  }
  return undefined;
}

function createSchema(cursor: TokenCursor): void {
  if (cursor.takes("IF")) cursor.expect("NOT", "EXISTS");
  cursor.names();
  if (cursor.takes("COMMENT")) cursor.text();
}

function alterTable(cursor: TokenCursor): MetadataStatement | undefined {
  const table = tableName(cursor);
  if (cursor.takes("SET", "TBLPROPERTIES")) properties(cursor);
  else if (cursor.takes("UNSET", "TBLPROPERTIES")) {
    if (cursor.takes("IF")) cursor.expect("EXISTS");
    cursor.list(() => cursor.text());
  } else if (cursor.takes("CLUSTER", "BY")) clustering(cursor, () => cursor.list(() => cursor.name()));
  else if (cursor.takes("ADD")) {
    if (cursor.takes("COLUMN") || cursor.takes("COLUMNS")) {
      cursor.list(() => {
        cursor.name();
        column(cursor);
      });
    } else constraint(cursor, () => cursor.list(() => cursor.name()));
  } else if (cursor.takes("DROP", "COLUMNS")) cursor.list(() => cursor.name());
  else if (cursor.takes("DROP", "CONSTRAINT")) {
    if (cursor.takes("IF")) cursor.expect("EXISTS");
    cursor.name();
  } else {
    return alterMetadata(cursor, table) ?? cursor.fail("a change such as SET TAGS");
  }
  return undefined;
}

/** Whether a statement has a grammar here. The arguments are words of the statement in lower case. */
export const isDdl = (first: string, second: string, fourth: string): boolean =>
  first === "comment" ||
  first === "use" ||
  first === "grant" ||
  (first === "select" && fourth === "remote_query") ||
  (["alter", "drop"].includes(first) && second === "table") ||
  (first === "set" && second === "catalog") ||
  (first === "describe" && second === "detail") ||
  (first === "create" &&
    (["table", "schema", "volume", "connection"].includes(second) ||
      (second === "or" && fourth === "table")));
