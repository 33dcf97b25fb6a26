import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { PlainDraft } from "../drafts.ts";
import { clausesOf } from "./clauses.ts";
import { columnList } from "./columns.ts";
import { queryOf } from "./query.ts";
import { type SourceStatement, tableOf } from "./statement.ts";

/** Reads what follows `CREATE TABLE`: columns with types, or AS and a query. */
export function createTable(
  cursor: TokenCursor,
  orReplace: boolean,
  statement: SourceStatement,
  sketch: (draft: PlainDraft) => void,
): PlainDraft {
  const ifAt = cursor.at();
  const ifNotExists = cursor.takes("IF");
  if (ifNotExists) cursor.expect("NOT", "EXISTS");
  if (ifNotExists && orReplace)
    throw new UnexpectedToken(ifAt, "OR REPLACE and IF NOT EXISTS cannot be combined.");
  const at = cursor.at();
  const table = tableOf(cursor.names(), at, statement);
  const head = { verb: "create_table", table, orReplace, ifNotExists } as const;
  const draft = { kind: "plain", statement, at } as const;
  const nothing = { columns: [], comment: null, clusterBy: [], select: null };
  sketch({ ...draft, isBroken: true, meaning: { ...head, ...nothing }, query: null });
  const listAt = cursor.at();
  const { columns, expectations } = columnList(cursor, statement.source.text);
  if (expectations.length > 0)
    throw new UnexpectedToken(listAt, "expectations are allowed only for datasets of a pipeline.");
  const { comment, clusterBy } = clausesOf(cursor);
  const query = cursor.takes("AS") ? queryOf(cursor, statement) : null;
  const untyped = columns.find(({ type }) => type === null);
  if (!query && columns.length === 0) cursor.fail("columns or AS");
  if (!query && untyped) throw new UnexpectedToken(listAt, `the column ${untyped.name} has no type.`);
  if (query && columns.some(({ type }) => type !== null))
    throw new UnexpectedToken(listAt, "with AS, the query defines the types: remove them.");
  const select = query?.sql ?? null;
  return { ...draft, isBroken: false, meaning: { ...head, columns, comment, clusterBy, select }, query };
}
