import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { ParsedPlain, PlainDraft } from "../drafts.ts";
import { alterTable, commentOnTable } from "./alter-table.ts";
import { createTable } from "./create-table.ts";
import { draftOf, queryOf } from "./query.ts";
import { type SourceStatement, tableOf } from "./statement.ts";

/** A DDL or DML statement; undefined if it is something else. */
export function readPlain(cursor: TokenCursor, statement: SourceStatement): PlainDraft | undefined {
  const read = plain(cursor, statement);
  return read && { kind: "plain", statement, isBroken: false, ...read };
}

/** Reads what follows CREATE in a plain statement: `TABLE` or `SCHEMA`. */
export function readCreate(
  cursor: TokenCursor,
  replaces: boolean,
  statement: SourceStatement,
  sketch: (draft: PlainDraft) => void,
): PlainDraft {
  if (cursor.takes("TABLE")) return createTable(cursor, replaces, statement, sketch);
  if (!replaces && (cursor.takes("SCHEMA") || cursor.takes("DATABASE")))
    return { kind: "plain", statement, isBroken: false, ...createSchema(cursor, statement) };
  return cursor.fail("MATERIALIZED VIEW, STREAMING TABLE, VIEW, FLOW, TABLE or SCHEMA");
}

function plain(cursor: TokenCursor, statement: SourceStatement): ParsedPlain | undefined {
  if (cursor.takes("DROP")) return drop(cursor, statement);
  if (cursor.takes("INSERT")) return insert(cursor, statement);
  if (cursor.takes("TRUNCATE", "TABLE")) {
    const { table, at } = named(cursor, statement);
    return { meaning: { verb: "truncate", table }, at, query: null };
  }
  if (cursor.takes("ALTER", "TABLE")) return alterTable(cursor, statement);
  if (cursor.takes("COMMENT")) return commentOnTable(cursor, statement);
  if (cursor.sees("UPDATE") || cursor.sees("DELETE") || cursor.sees("MERGE"))
    return change(cursor, statement);
  return undefined;
}

function named(cursor: TokenCursor, statement: SourceStatement) {
  const at = cursor.at();
  return { table: tableOf(cursor.names(), at, statement), at };
}

function drop(cursor: TokenCursor, statement: SourceStatement): ParsedPlain {
  const isView = cursor.takes("VIEW");
  if (!isView && !cursor.takes("TABLE")) cursor.fail("TABLE or VIEW");
  const ifExists = cursor.takes("IF");
  if (ifExists) cursor.expect("EXISTS");
  const { table, at } = named(cursor, statement);
  return { meaning: { verb: isView ? "drop_view" : "drop_table", table, ifExists }, at, query: null };
}

/** Reads what follows INSERT. */
function insert(cursor: TokenCursor, statement: SourceStatement): ParsedPlain {
  const overwrite = cursor.takes("OVERWRITE");
  if (!overwrite) cursor.expect("INTO");
  cursor.takes("TABLE");
  const { table, at } = named(cursor, statement);
  if (cursor.sees("PARTITION") || cursor.sees("REPLACE"))
    throw new UnexpectedToken(
      cursor.at(),
      "PARTITION and REPLACE are not supported in INSERT: write a DELETE of these rows, and then the INSERT.",
    );
  const byName = cursor.takes("BY", "NAME");
  const isList = cursor.sees("(") && !["SELECT", "WITH", "VALUES", "("].some((word) => cursor.sees(word, 1));
  const columns = !byName && isList ? cursor.list(() => cursor.name()) : null;
  const query = queryOf(cursor, statement);
  const { sql: select } = query;
  return { meaning: { verb: "insert", table, overwrite, byName, columns, select }, at, query };
}

/** UPDATE, DELETE and MERGE. Only their target is read here; the parser reads the rest. */
function change(cursor: TokenCursor, statement: SourceStatement): ParsedPlain {
  const words = cursor.ahead();
  const verb = cursor.takes("UPDATE") ? "update" : cursor.takes("DELETE") ? "delete" : "merge";
  if (verb === "merge") {
    cursor.expect("MERGE");
    if (cursor.sees("WITH"))
      throw new UnexpectedToken(
        cursor.at(),
        "WITH SCHEMA EVOLUTION is not supported: add columns with ALTER TABLE first.",
      );
    cursor.expect("INTO");
  }
  if (verb === "delete") cursor.expect("FROM");
  const { table, at } = named(cursor, statement);
  if (cursor.at() < statement.source.text.length && cursor.ahead().length > 0)
    cursor.until("the rest of the statement");
  return { meaning: { verb, table }, at, query: draftOf(words, statement) };
}

function createSchema(cursor: TokenCursor, { defaults: within }: SourceStatement): ParsedPlain {
  const ifNotExists = cursor.takes("IF");
  if (ifNotExists) cursor.expect("NOT", "EXISTS");
  const at = cursor.at();
  const parts = cursor.names();
  if (parts.length > 2) throw new UnexpectedToken(at, "a schema name has at most two parts.");
  const [schema = "", catalog = within.catalog] = parts.toReversed();
  if (cursor.takes("COMMENT")) cursor.text();
  return { meaning: { verb: "create_schema", catalog, schema, ifNotExists }, at, query: null };
}
