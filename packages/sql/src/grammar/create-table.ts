import { dataType } from "./data-type.ts";
import { distinct, tableName } from "./metadata.ts";
import { type TokenCursor, UnexpectedToken } from "./token-cursor.ts";

/**
 * Reads what follows `CREATE TABLE`: columns and constraints, then each clause at most once, in any order. Without
 * columns, the table is a copy of all rows of another table.
 */
export function createTable(cursor: TokenCursor): void {
  if (cursor.takes("IF")) cursor.expect("NOT", "EXISTS");
  tableName(cursor);
  if (!cursor.sees("(")) {
    copiedTable(cursor);
    return;
  }
  const at = cursor.at();
  const columns: string[] = [];
  const used: { readonly name: string; readonly at: number }[] = [];
  const keyColumns = () =>
    cursor.list(() => {
      used.push({ at: cursor.at(), name: cursor.name() });
    });
  cursor.list(() => {
    if (isConstraint(cursor)) constraint(cursor, keyColumns);
    else {
      columns.push(cursor.name());
      column(cursor);
    }
  }, noColumns);
  distinct(
    at,
    columns.map((name) => name.toLowerCase()),
  );
  clauses(cursor, keyColumns);
  for (const { name, at: offset } of used) {
    if (!columns.some((known) => known.toLowerCase() === name.toLowerCase()))
      throw new UnexpectedToken(offset, `${name} is not a column of this table.`);
  }
}

function copiedTable(cursor: TokenCursor): void {
  clauses(cursor, () => cursor.list(() => cursor.name()));
  cursor.expect("AS", "SELECT", "*", "FROM");
  tableName(cursor);
}

const isConstraint = (cursor: TokenCursor): boolean =>
  (cursor.sees("CONSTRAINT") && !cursor.sees(",", 1)) ||
  ((cursor.sees("PRIMARY") || cursor.sees("FOREIGN")) && cursor.sees("KEY", 1));

/** A key constraint, after ADD or in the column list. `keyColumns` reads the columns of the table itself. */
export function constraint(cursor: TokenCursor, keyColumns: () => unknown): void {
  if (cursor.takes("CONSTRAINT")) cursor.name();
  if (cursor.takes("PRIMARY", "KEY")) keyColumns();
  else {
    cursor.expect("FOREIGN", "KEY");
    keyColumns();
    cursor.expect("REFERENCES");
    tableName(cursor);
    if (cursor.sees("(")) cursor.list(() => cursor.name());
  }
  if (cursor.takes("NOT")) cursor.expect("ENFORCED");
  if (!cursor.takes("RELY")) cursor.takes("NORELY");
}

export const noColumns = "a table needs at least one column, such as (id BIGINT).";

/** Reads what follows the name of a column. */
export function column(cursor: TokenCursor): void {
  dataType(cursor);
  const given = new Set<string>();
  const once = (what: string): boolean => {
    const at = cursor.at();
    if (!cursor.takes(what)) return false;
    if (given.has(what)) throw new UnexpectedToken(at, `${what} appears twice.`);
    given.add(what);
    return true;
  };
  for (;;) {
    if (once("NOT")) cursor.expect("NULL");
    else if (once("COMMENT")) cursor.text();
    else if (once("GENERATED")) identity(cursor);
    else return;
  }
}

function identity(cursor: TokenCursor): void {
  if (cursor.takes("BY")) cursor.expect("DEFAULT");
  else cursor.expect("ALWAYS");
  cursor.expect("AS", "IDENTITY");
  if (!cursor.takes("(")) return;
  cursor.expect("START", "WITH");
  cursor.number();
  cursor.expect("INCREMENT", "BY");
  cursor.number();
  cursor.expect(")");
}

function clauses(cursor: TokenCursor, keyColumns: () => readonly unknown[]): void {
  const given = new Set<string>();
  const once = (...words: readonly string[]): boolean => {
    const at = cursor.at();
    if (!cursor.takes(...words)) return false;
    const what = words.join(" ");
    if (given.has(what)) throw new UnexpectedToken(at, `${what} appears twice.`);
    given.add(what);
    return true;
  };
  for (;;) {
    if (once("USING")) cursor.name();
    else if (once("COMMENT")) cursor.text();
    else if (once("CLUSTER", "BY")) clustering(cursor, keyColumns);
    else if (once("PARTITIONED", "BY")) keyColumns();
    else if (once("TBLPROPERTIES")) properties(cursor);
    else return;
  }
}

/** After CLUSTER BY: AUTO, NONE, or up to four columns. */
export function clustering(cursor: TokenCursor, keyColumns: () => readonly unknown[]): void {
  if (cursor.takes("AUTO") || cursor.takes("NONE")) return;
  const at = cursor.at();
  if (keyColumns().length > 4)
    throw new UnexpectedToken(at, "a table can be clustered by at most four columns.");
}

/** After TBLPROPERTIES: `('key' = 'value', …)`. */
export function properties(cursor: TokenCursor): void {
  const at = cursor.at();
  const names = cursor.list(() => {
    const key = cursor.text();
    cursor.expect("=");
    cursor.text();
    return key;
  });
  distinct(at, names);
}
