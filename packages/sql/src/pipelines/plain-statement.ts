import type { PlainDraft, QueryDraft } from "./drafts.ts";
import { withParameters } from "./parameters.ts";
import type { PlainStatement, SourceSegment } from "./plan.ts";
import { sliceText } from "./source-text.ts";
import { type SourceStatement, statementLocation } from "./statements/statement.ts";

/** A plain statement, ready to run. */
export function plainStatement(
  { statement, meaning, query }: PlainDraft,
  reads: readonly string[],
  writes: readonly string[],
): PlainStatement | undefined {
  if (!meaning) return undefined;
  const { sql, segments } = textOf(statement, query);
  const end = query ? sql.slice(-query.sql.length) : "";
  const whole = "select" in meaning && meaning.select !== null ? { ...meaning, select: end } : meaning;
  return {
    sql,
    meaning: whole,
    segments: segments,
    reads,
    writes,
    defaults: statement.defaults,
    location: statementLocation(statement),
  };
}

/** The text of a statement as written, except for LIVE in its query. */
export function textOf(
  statement: SourceStatement,
  query: QueryDraft | null,
): { readonly sql: string; readonly segments: readonly SourceSegment[] } {
  const { tokens, source: written, parameters } = statement;
  const from = tokens[0]?.start ?? 0;
  const { text, segments } = sliceText(written, from, tokens.at(-1)?.end ?? from);
  if (!query) return { sql: text, segments };
  const end = withParameters(query.sql, query.at, written.text, parameters);
  return { sql: text.slice(0, query.at - from) + end, segments };
}
