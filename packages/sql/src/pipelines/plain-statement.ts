import type { PlainDraft, QueryDraft } from "./draft.ts";
import { withParameters } from "./parameters.ts";
import type { PlainStatement, TextPiece } from "./plan.ts";
import { placeOfStatement, type Statement } from "./statements/statement.ts";
import { cut } from "./written.ts";

/** A plain statement as it runs. */
export function plainStatement(
  { statement, meaning, query }: PlainDraft,
  reads: readonly string[],
  writes: readonly string[],
): PlainStatement | undefined {
  if (!meaning) return undefined;
  const { sql, pieces } = textOf(statement, query);
  const end = query ? sql.slice(-query.sql.length) : "";
  const whole = "select" in meaning && meaning.select !== null ? { ...meaning, select: end } : meaning;
  return {
    sql,
    meaning: whole,
    pieces,
    reads,
    writes,
    within: statement.within,
    at: placeOfStatement(statement),
  };
}

/** The text of a statement: as it was written, but for LIVE in its query. */
export function textOf(
  statement: Statement,
  query: QueryDraft | null,
): { readonly sql: string; readonly pieces: readonly TextPiece[] } {
  const { tokens, written, parameters } = statement;
  const from = tokens[0]?.start ?? 0;
  const { text, pieces } = cut(written, from, tokens.at(-1)?.end ?? from);
  if (!query) return { sql: text, pieces };
  const end = withParameters(query.sql, query.at, written.text, parameters);
  return { sql: text.slice(0, query.at - from) + end, pieces };
}
