import { lonelyBracket } from "../../brackets.ts";
import { type Cursor, Unexpected } from "../../statements/cursor.ts";
import { readWith } from "../../statements/read-own.ts";
import type { Draft } from "../draft.ts";
import { datasetHead, readDataset } from "./dataset.ts";
import { readApplyChanges, readFlow } from "./flow.ts";
import { readCreate, readPlain } from "./plain.ts";
import { queryOf } from "./query.ts";
import { readSet, readUse, type Session } from "./session.ts";
import type { Statement } from "./statement.ts";

/** Which statements there are: a pipeline has datasets and flows, a script has queries. */
export type Language = "pipeline" | "script";

/** Reads the words of a statement: what it says, or nothing where it changes the session or is wrong, which it tells. */
export function readStatement(statement: Statement, session: Session, language: Language): Draft | undefined {
  const { tokens, written } = statement;
  const lonely = lonelyBracket(tokens);
  if (lonely) statement.complain(lonely.at, lonely.message);
  let sketched: Draft | undefined;
  const sketch = (draft: Draft): void => {
    sketched = draft;
  };
  const grammar = (cursor: Cursor): Draft | undefined => {
    const read = drafted(cursor, statement, session, sketch);
    const wrong = read && misplaced(read, language);
    if (wrong !== undefined) throw new Unexpected(tokens[0]?.start ?? 0, wrong);
    return read;
  };
  const end = tokens.at(-1)?.end ?? written.text.length;
  const { meaning, remark } = readWith(grammar, tokens, end);
  if (!remark) return meaning && lonely ? { ...meaning, isBroken: true } : meaning;
  // What a bracket without a partner leads to is no second mistake.
  if (!lonely) statement.complain(remark.at, remark.message);
  return sketched;
}

function drafted(
  cursor: Cursor,
  statement: Statement,
  session: Session,
  sketch: (draft: Draft) => void,
): Draft | undefined {
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
  throw new Unexpected(
    first?.start ?? 0,
    `${first?.text.slice(0, 40)} does not begin a statement that runs here.`,
  );
}

/** Why a statement cannot stand in this language. */
function misplaced(draft: Draft, language: Language): string | undefined {
  if (language === "pipeline")
    return draft.kind === "plain" && draft.meaning === null
      ? "nobody would see the rows of this query: make a view or a materialized view of it."
      : undefined;
  return draft.kind === "plain"
    ? undefined
    : "this belongs to a pipeline: a task runs queries and plain statements.";
}
