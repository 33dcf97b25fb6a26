import { distinct } from "../../grammar/metadata.ts";
import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { CdcDraft, ColumnChoice, ColumnReference, FlowDraft, SqlFragment } from "../drafts.ts";
import { fragmentOf } from "./columns.ts";
import { queryOf } from "./query.ts";
import { type SourceStatement, tableOf } from "./statement.ts";

type FlowName = Pick<FlowDraft, "kind" | "statement" | "isBroken" | "name" | "at">;
/** Receives an incomplete draft as soon as the target is known, in case the rest has an error. */
type Sketch = (draft: FlowDraft) => void;

const unread = { query: { at: 0, sql: "", streams: [], batchReads: [] } };

/** Reads what follows `CREATE FLOW`. */
export function readFlow(cursor: TokenCursor, statement: SourceStatement, sketch: Sketch): FlowDraft {
  const at = cursor.at();
  const name = cursor.names().join(".");
  if (cursor.takes("COMMENT")) cursor.text();
  cursor.expect("AS");
  const named: FlowName = { kind: "flow", statement, isBroken: false, name, at };
  if (cursor.takes("INSERT")) return insertion(cursor, named, sketch);
  if (cursor.takes("AUTO", "CDC") || cursor.takes("APPLY", "CHANGES"))
    return readAutoCdc(cursor, named, sketch);
  return cursor.fail("INSERT INTO or AUTO CDC INTO");
}

/** Reads the statement `APPLY CHANGES INTO …`, after CHANGES. The flow has the name of its target. */
export function readApplyChanges(cursor: TokenCursor, statement: SourceStatement, sketch: Sketch): FlowDraft {
  const named: FlowName = { kind: "flow", statement, isBroken: false, name: "", at: cursor.at() };
  const flow = readAutoCdc(cursor, named, sketch);
  return { ...flow, name: flow.target.table.table };
}

function insertion(cursor: TokenCursor, named: FlowName, sketch: Sketch): FlowDraft {
  cursor.expect("INTO");
  const once = cursor.takes("ONCE");
  const target = targetOf(cursor, named.statement);
  sketch({ ...named, isBroken: true, target, once, input: unread });
  cursor.expect("BY", "NAME");
  return { ...named, target, once, input: { query: queryOf(cursor, named.statement) } };
}

function readAutoCdc(cursor: TokenCursor, named: FlowName, sketch: Sketch): FlowDraft {
  const early = cursor.takes("ONCE");
  if (cursor.sees("FROM") && cursor.sees("SNAPSHOT", 1))
    throw new UnexpectedToken(
      cursor.at(),
      "AUTO CDC FROM SNAPSHOT is available only in Python: use AUTO CDC INTO with a stream of changes.",
    );
  cursor.expect("INTO");
  const once = cursor.takes("ONCE") || early;
  const target = targetOf(cursor, named.statement);
  sketch({ ...named, isBroken: true, target, once, input: unread });
  return { ...named, target, once, input: { cdc: changes(cursor, named.statement) } };
}

function targetOf(cursor: TokenCursor, statement: SourceStatement): FlowDraft["target"] {
  const at = cursor.at();
  return { table: tableOf(cursor.names(), at, statement), at };
}

/** Clauses that can follow an expression and end it. */
const nextClauses = [
  ["IGNORE", "NULL", "UPDATES"],
  ["APPLY", "AS"],
  ["SEQUENCE", "BY"],
  ["COLUMNS"],
  ["STORED", "AS"],
  ["TRACK", "HISTORY"],
];

/** Reads FROM and everything after it. The clauses after KEYS can have any order, each at most once. */
function changes(cursor: TokenCursor, statement: SourceStatement): CdcDraft {
  const { text } = statement.source;
  cursor.expect("FROM");
  const source = sourceOf(cursor, statement);
  cursor.expect("KEYS");
  const keys = columnsIn(cursor);
  const given = new Set<string>();
  const once = (...words: readonly string[]): boolean => {
    const at = cursor.at();
    if (!cursor.takes(...words)) return false;
    const what = words.join(" ");
    if (given.has(what)) throw new UnexpectedToken(at, `${what} appears twice.`);
    given.add(what);
    return true;
  };
  const expression = () => fragmentOf(cursor.until("an expression", ...nextClauses), text);
  const offsets = new Map<string, number>();
  let sequenceBy: SqlFragment | undefined;
  let deleteWhen: SqlFragment | null = null;
  let truncateWhen: SqlFragment | null = null;
  let columns: ColumnChoice = { only: null, except: [] };
  let trackHistory: ColumnChoice | null = null;
  let scdType: 1 | 2 = 1;
  for (;;) {
    const at = cursor.at();
    if (once("IGNORE", "NULL", "UPDATES")) continue;
    if (once("APPLY", "AS", "DELETE", "WHEN")) deleteWhen = expression();
    else if (once("APPLY", "AS", "TRUNCATE", "WHEN")) {
      truncateWhen = expression();
      offsets.set("truncate", at);
    } else if (once("SEQUENCE", "BY")) sequenceBy = expression();
    else if (once("COLUMNS")) columns = choice(cursor);
    else if (once("STORED", "AS", "SCD", "TYPE")) scdType = typeOf(cursor);
    else if (once("TRACK", "HISTORY", "ON")) {
      trackHistory = choice(cursor);
      offsets.set("history", at);
    } else break;
  }
  if (!sequenceBy) return cursor.fail("SEQUENCE BY");
  const truncateAt = offsets.get("truncate");
  if (truncateAt !== undefined && scdType === 2)
    throw new UnexpectedToken(
      truncateAt,
      "APPLY AS TRUNCATE WHEN is only for SCD TYPE 1: type 2 keeps the history.",
    );
  const historyAt = offsets.get("history");
  if (historyAt !== undefined && scdType === 1)
    throw new UnexpectedToken(historyAt, "TRACK HISTORY is only for SCD TYPE 2: type 1 keeps no history.");
  const ignoreNullUpdates = given.has("IGNORE NULL UPDATES");
  return {
    source,
    keys,
    ignoreNullUpdates,
    scdType,
    sequenceBy,
    deleteWhen,
    truncateWhen,
    columns,
    trackHistory,
  };
}

/** `STREAM(t)`, `STREAM t` or `t`. */
function sourceOf(cursor: TokenCursor, statement: SourceStatement): CdcDraft["source"] {
  const isStream = cursor.sees("STREAM") && !cursor.sees("KEYS", 1) && !cursor.sees(".", 1);
  if (isStream) cursor.expect("STREAM");
  const inside = isStream && cursor.takes("(");
  const at = cursor.at();
  const table = tableOf(cursor.names(), at, statement);
  if (inside) cursor.expect(")");
  return { table, at, isStream };
}

function typeOf(cursor: TokenCursor): 1 | 2 {
  if (cursor.takes("1")) return 1;
  return cursor.takes("2") ? 2 : cursor.fail("1 or 2");
}

/** `(a, b)`, `a, b`, `*` or `* EXCEPT (a, b)` */
function choice(cursor: TokenCursor): ColumnChoice {
  if (!cursor.takes("*")) return { only: columnsIn(cursor), except: [] };
  return { only: null, except: cursor.takes("EXCEPT") ? columnsIn(cursor) : [] };
}

function columnsIn(cursor: TokenCursor): readonly ColumnReference[] {
  const start = cursor.at();
  const columns = cursor.list(() => ({ at: cursor.at(), name: cursor.name() }));
  distinct(
    start,
    columns.map(({ name }) => name.toLowerCase()),
  );
  return columns;
}
