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

/** Which statements there are: a pipeline has datasets and flows, a script has queries. */
export type Language = "pipeline" | "script";

/** Reads the words of a statement: what it says, or nothing where it changes the session or is wrong, which it tells. */
export function readStatement(
  statement: SourceStatement,
  session: SqlSession,
  language: Language,
): StatementDraft | undefined {
  const { tokens, source: written } = statement;
  const lonely = unbalancedBracket(tokens);
  if (lonely) statement.report(lonely.at, lonely.message);
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
  if (!diagnostic) return meaning && lonely ? { ...meaning, isBroken: true } : meaning;
  // What a bracket without a partner leads to is no second mistake.
  if (!lonely) statement.report(diagnostic.at, diagnostic.message);
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
    `${first?.text.slice(0, 40)} does not begin a statement that runs here.`,
  );
}

/** Why a statement cannot stand in this language. */
function misplaced(draft: StatementDraft, language: Language): string | undefined {
  if (language === "pipeline")
    return draft.kind === "plain" && draft.meaning === null
      ? "nobody would see the rows of this query: make a view or a materialized view of it."
      : undefined;
  return draft.kind === "plain"
    ? undefined
    : "this belongs to a pipeline: a task runs queries and plain statements.";
}
