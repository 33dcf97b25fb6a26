import type { Sql } from "../load.ts";
import type { PlainDraft } from "./draft.ts";
import { changeIn, type Known, queryIn } from "./known.ts";
import { takeEffect } from "./plain-effects.ts";

const changes = new Set(["update", "delete", "merge"]);

/** Whether the library reads a statement as a whole. */
export const isChange = ({ meaning }: PlainDraft): boolean => meaning !== null && changes.has(meaning.verb);

/** Reads a plain statement against the tables that are there when it runs, and notes what it changes of them. */
export function readPlainStep(sql: Sql, draft: PlainDraft, known: Known): void {
  const { meaning, query, statement } = draft;
  for (const { at } of query?.streams ?? [])
    statement.complain(at, "only a streaming table takes what is new: read the whole table, without STREAM.");
  // A list of columns, or the table that is there, has the names: then the query needs none.
  const isNamed =
    (meaning?.verb === "create_table" && meaning.columns.length === 0) ||
    (meaning?.verb === "insert" && meaning.byName);
  const read = query && !isChange(draft) ? queryIn(sql, query, statement, known, isNamed) : undefined;
  const changed = query && isChange(draft) ? changeIn(sql, query, statement, known) : undefined;
  for (const { at, message } of [...(read?.remarks ?? []), ...(changed?.remarks ?? [])])
    statement.complain((query?.at ?? 0) + at, message);
  takeEffect(draft, read, known);
}
