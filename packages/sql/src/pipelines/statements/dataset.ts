import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { DatasetDraft } from "../drafts.ts";
import { clausesOf } from "./clauses.ts";
import { columnList } from "./columns.ts";
import { queryOf } from "./query.ts";
import { type SourceStatement, tableOf } from "./statement.ts";

type DatasetKind = DatasetDraft["dataset"]["kind"];

interface DatasetHead {
  readonly kind: DatasetKind;
  readonly isPrivate: boolean;
}

/**
 * The head of a dataset, such as `OR REFRESH MATERIALIZED VIEW`; undefined if the statement is something else.
 * `replace`: OR REPLACE precedes it.
 */
export function datasetHead(cursor: TokenCursor, replace: boolean): DatasetHead | undefined {
  const at = cursor.at();
  const refresh = !replace && cursor.takes("OR", "REFRESH");
  const temporary = cursor.takes("TEMPORARY") || cursor.takes("TEMP");
  const own = cursor.takes("PRIVATE") || temporary;
  const kind = kindOf(cursor);
  if (!kind) {
    if (refresh || own) cursor.fail("MATERIALIZED VIEW, STREAMING TABLE or VIEW");
    return undefined;
  }
  if (replace && kind.kind !== "view")
    throw new UnexpectedToken(at, "OR REPLACE is not allowed for datasets of a pipeline: write OR REFRESH.");
  if (refresh && kind.kind === "view")
    throw new UnexpectedToken(at, "a view cannot be refreshed: remove OR REFRESH.");
  return { kind: kind.kind, isPrivate: own || kind.isPrivate };
}

/** In the older syntax, `LIVE` marks a dataset, and its views are private. */
function kindOf(cursor: TokenCursor): DatasetHead | undefined {
  if (cursor.takes("MATERIALIZED", "VIEW")) return { kind: "materialized_view", isPrivate: false };
  if (cursor.takes("STREAMING", "TABLE")) return { kind: "streaming_table", isPrivate: false };
  if (cursor.takes("STREAMING", "LIVE", "TABLE")) return { kind: "streaming_table", isPrivate: false };
  if (cursor.takes("LIVE", "TABLE")) return { kind: "materialized_view", isPrivate: false };
  if (cursor.takes("STREAMING", "LIVE", "VIEW") || cursor.takes("LIVE", "VIEW"))
    return { kind: "view", isPrivate: true };
  return cursor.takes("VIEW") ? { kind: "view", isPrivate: false } : undefined;
}

/**
 * Reads what follows the head. `sketch` receives an incomplete draft as soon as the name is known, in case the rest has
 * an error.
 */
export function readDataset(
  cursor: TokenCursor,
  head: DatasetHead,
  statement: SourceStatement,
  sketch: (draft: DatasetDraft) => void,
): DatasetDraft {
  if (cursor.takes("IF")) cursor.expect("NOT", "EXISTS");
  const at = cursor.at();
  const table = tableOf(cursor.names(), at, statement);
  const nothing = { comment: null, declared: [], properties: {}, clusterBy: [] };
  const draft = { kind: "dataset", statement, at, isBroken: false } as const;
  sketch({
    ...draft,
    isBroken: true,
    dataset: { table, ...head, ...nothing },
    expectations: [],
    query: null,
  });
  const { columns: declared, expectations } = columnList(cursor, statement.source.text);
  const clauses = clausesOf(cursor);
  const dataset = { table, ...head, declared, ...clauses };
  const needsNoQuery = head.kind === "streaming_table";
  if (!cursor.takes("AS")) {
    if (!needsNoQuery) cursor.fail("AS and a query");
    return { ...draft, dataset, expectations, query: null };
  }
  return { ...draft, dataset, expectations, query: queryOf(cursor, statement) };
}
