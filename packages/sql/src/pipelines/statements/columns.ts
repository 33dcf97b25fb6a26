import { constraint, noColumns } from "../../grammar/create-table.ts";
import { dataType } from "../../grammar/data-type.ts";
import { distinct } from "../../grammar/metadata.ts";
import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { SqlToken } from "../../lexer/token.ts";
import type { DatasetDraft, SqlFragment } from "../drafts.ts";
import type { DeclaredColumn } from "../plan.ts";

export interface ColumnList {
  readonly columns: readonly DeclaredColumn[];
  readonly expectations: DatasetDraft["expectations"];
}

/** The columns, keys and expectations in the head of a dataset, if any. */
export function columnList(cursor: TokenCursor, text: string): ColumnList {
  const columns: DeclaredColumn[] = [];
  const expectations: DatasetDraft["expectations"][number][] = [];
  const at = cursor.at();
  if (cursor.sees("("))
    cursor.list(() => {
      if (cursor.sees("CONSTRAINT") && cursor.sees("EXPECT", 2)) expectations.push(expectation(cursor, text));
      else if (cursor.sees("CONSTRAINT") || (cursor.sees("PRIMARY") && cursor.sees("KEY", 1)))
        constraint(cursor, () => cursor.list(() => cursor.name()));
      else columns.push(columnOf(cursor, text));
    }, noColumns);
  distinctNames(at, columns);
  distinct(
    at,
    expectations.map(({ name }) => name.toLowerCase()),
  );
  return { columns, expectations };
}

/** A column: its name, and optionally its type, NOT NULL and description. */
export function columnOf(cursor: TokenCursor, text: string): DeclaredColumn {
  const name = cursor.name();
  const from = cursor.at();
  const untyped = ["NOT", "COMMENT", ",", ")"].some((word) => cursor.sees(word));
  if (!untyped) dataType(cursor);
  const type = untyped ? null : text.slice(from, cursor.past());
  let notNull = false;
  let comment: string | null = null;
  for (;;) {
    const at = cursor.at();
    if (cursor.takes("NOT")) {
      cursor.expect("NULL");
      if (notNull) throw new UnexpectedToken(at, "NOT NULL appears twice.");
      notNull = true;
    } else if (cursor.takes("COMMENT")) {
      if (comment !== null) throw new UnexpectedToken(at, "COMMENT appears twice.");
      comment = cursor.text();
    } else if (cursor.sees("GENERATED") || cursor.sees("DEFAULT") || cursor.sees("MASK")) {
      throw new UnexpectedToken(
        at,
        `GENERATED, DEFAULT and MASK are not supported here: compute the column ${name} in the SELECT.`,
      );
    } else return { name, type, comment, notNull };
  }
}

export function distinctNames(at: number, columns: readonly DeclaredColumn[]): void {
  distinct(
    at,
    columns.map(({ name }) => name.toLowerCase()),
  );
}

/** `CONSTRAINT name EXPECT (condition) [ON VIOLATION DROP ROW | FAIL UPDATE]` */
function expectation(cursor: TokenCursor, text: string): DatasetDraft["expectations"][number] {
  cursor.expect("CONSTRAINT");
  const name = cursor.name();
  cursor.expect("EXPECT");
  const condition = fragmentOf(cursor.inside(), text);
  if (!cursor.takes("ON")) return { name, condition, action: "keep" };
  cursor.expect("VIOLATION");
  if (cursor.takes("DROP", "ROW")) return { name, condition, action: "drop" };
  if (cursor.takes("FAIL", "UPDATE")) return { name, condition, action: "fail" };
  return cursor.fail("DROP ROW or FAIL UPDATE");
}

/** The text from the first of these tokens to the last. */
export function fragmentOf(words: readonly SqlToken[], text: string): SqlFragment {
  const at = words[0]?.start ?? 0;
  return { at, sql: text.slice(at, words.at(-1)?.end ?? at) };
}
