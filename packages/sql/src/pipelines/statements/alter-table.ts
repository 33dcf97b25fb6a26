import { clustering, constraint, properties } from "../../grammar/create-table.ts";
import { alterMetadata, commentOn } from "../../grammar/metadata.ts";
import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { ParsedPlain } from "../drafts.ts";
import type { DeclaredColumn, PlainMeaning } from "../plan.ts";
import { columnOf, distinctNames } from "./columns.ts";
import { type SourceStatement, tableOf } from "./statement.ts";

/** Reads what follows COMMENT: `ON TABLE` or `ON COLUMN`. */
export function commentOnTable(cursor: TokenCursor, statement: SourceStatement): ParsedPlain {
  const change = commentOn(cursor);
  const at = statement.tokens[3]?.start ?? 0;
  return {
    meaning: { verb: "describe", table: tableOf(change.table, at, statement), change },
    at,
    query: null,
  };
}

/** Reads what follows ALTER TABLE. */
export function alterTable(cursor: TokenCursor, statement: SourceStatement): ParsedPlain {
  const at = cursor.at();
  const parts = cursor.names();
  const table = tableOf(parts, at, statement);
  const meaning = (): PlainMeaning => {
    if (cursor.takes("ADD")) {
      if (cursor.takes("COLUMN") || cursor.takes("COLUMNS"))
        return { verb: "add_columns", table, columns: added(cursor, statement) };
      constraint(cursor, () => cursor.list(() => cursor.name()));
      return { verb: "keep", table };
    }
    if (takesStorageClause(cursor)) return { verb: "keep", table };
    const change = alterMetadata(cursor, parts);
    return change
      ? { verb: "describe", table, change }
      : cursor.fail("ADD COLUMNS, ALTER COLUMN, SET TAGS or UNSET TAGS");
  };
  return { meaning: meaning(), at, query: null };
}

function added(cursor: TokenCursor, statement: SourceStatement): readonly DeclaredColumn[] {
  const at = cursor.at();
  const one = () => columnOf(cursor, statement.source.text);
  const columns: DeclaredColumn[] = [];
  if (cursor.sees("(")) columns.push(...cursor.list(one));
  else
    do columns.push(one());
    while (cursor.takes(","));
  distinctNames(at, columns);
  const untyped = columns.find(({ type }) => type === null);
  if (untyped) throw new UnexpectedToken(at, `the column ${untyped.name} has no type.`);
  return columns;
}

/** Consumes a clause about how Databricks stores a table; returns whether there is one. */
function takesStorageClause(cursor: TokenCursor): boolean {
  if (cursor.takes("SET", "TBLPROPERTIES")) properties(cursor);
  else if (cursor.takes("UNSET", "TBLPROPERTIES")) {
    if (cursor.takes("IF")) cursor.expect("EXISTS");
    cursor.list(() => cursor.text());
  } else if (cursor.takes("CLUSTER", "BY")) clustering(cursor, () => cursor.list(() => cursor.name()));
  else if (cursor.takes("DROP", "CONSTRAINT")) {
    if (cursor.takes("IF")) cursor.expect("EXISTS");
    cursor.name();
  } else return false;
  return true;
}
