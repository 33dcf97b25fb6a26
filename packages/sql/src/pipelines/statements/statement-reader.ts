import { suggestion } from "@lakehelm/contract/text";
import { runGrammar } from "../../grammar/grammar.ts";
import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import { unbalancedBracket } from "../../lexer/brackets.ts";
import type { StatementDraft } from "../drafts.ts";
import { datasetHead, readDataset } from "./dataset.ts";
import { readApplyChanges, readFlow } from "./flow.ts";
import { readCreate, readPlain } from "./plain.ts";
import { queryOf } from "./query.ts";
import { readSet, readUse, type SqlSession } from "./session.ts";
import type { SourceStatement } from "./statement.ts";

/** The allowed statements: a pipeline has datasets and flows, a script has queries. */
export type Language = "pipeline" | "script";

/** Parses a statement. Returns undefined if it changes the session, or if it has a problem, which it reports. */
export function readStatement(
  statement: SourceStatement,
  session: SqlSession,
  language: Language,
): StatementDraft | undefined {
  const { tokens, source: written } = statement;
  const bracket = unbalancedBracket(tokens);
  if (bracket) statement.report(bracket.at, bracket.message);
  let sketched: StatementDraft | undefined;
  const sketch = (draft: StatementDraft): void => {
    sketched = draft;
  };
  const grammar = (cursor: TokenCursor): StatementDraft | undefined => {
    const read = drafted(cursor, statement, session, sketch);
    const wrong = read && misplaced(read, language);
    if (wrong !== undefined) throw new UnexpectedToken(tokens[0]?.start ?? 0, wrong);
    return read;
  };
  const end = tokens.at(-1)?.end ?? written.text.length;
  const { meaning, diagnostic } = runGrammar(grammar, tokens, end);
  if (!diagnostic) return meaning && bracket ? { ...meaning, isBroken: true } : meaning;
  // Other problems may only follow from the unbalanced bracket.
  if (!bracket) statement.report(diagnostic.at, diagnostic.message);
  return sketched;
}

function drafted(
  cursor: TokenCursor,
  statement: SourceStatement,
  session: SqlSession,
  sketch: (draft: StatementDraft) => void,
): StatementDraft | undefined {
  if (cursor.takes("CREATE")) {
    if (cursor.takes("FLOW")) return readFlow(cursor, statement, sketch);
    const replaces = cursor.takes("OR", "REPLACE");
    const head = datasetHead(cursor, replaces);
    return head
      ? readDataset(cursor, head, statement, sketch)
      : readCreate(cursor, replaces, statement, sketch);
  }
  if (cursor.takes("APPLY", "CHANGES") || cursor.takes("AUTO", "CDC"))
    return readApplyChanges(cursor, statement, sketch);
  if (cursor.takes("USE")) return readUse(cursor, session);
  if (cursor.takes("SET")) return readSet(cursor, statement, session);
  if (["SELECT", "WITH", "VALUES", "("].some((word) => cursor.sees(word))) {
    const at = cursor.at();
    return {
      kind: "plain",
      statement,
      isBroken: false,
      meaning: null,
      at,
      query: queryOf(cursor, statement),
    };
  }
  const read = readPlain(cursor, statement);
  if (read) return read;
  const [first] = statement.tokens;
  throw new UnexpectedToken(
    first?.start ?? 0,
    `${first?.text.slice(0, 40)} does not start a supported statement.${suggestion(first?.text ?? "", starts)}`,
  );
}

/** The first words of statements, for suggestions if a word is misspelled. */
const starts = ["SELECT", "WITH", "VALUES", "CREATE", "INSERT", "UPDATE", "DELETE", "MERGE", "ALTER", "DROP"];

/** Why a statement is not allowed in this language. */
function misplaced(draft: StatementDraft, language: Language): string | undefined {
  if (language === "pipeline")
    return draft.kind === "plain" && draft.meaning === null
      ? "a query alone has no effect in a pipeline: create a view or a materialized view."
      : undefined;
  return draft.kind === "plain"
    ? undefined
    : "this statement is allowed only in a pipeline: a task runs queries, DDL and DML.";
}
