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

/** `OR REFRESH MATERIALIZED VIEW` and its like; undefined where something else is made. `replace`: after OR REPLACE. */
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
    throw new UnexpectedToken(
      at,
      "a pipeline brings its tables up to date: write OR REFRESH, not OR REPLACE.",
    );
  if (refresh && kind.kind === "view")
    throw new UnexpectedToken(at, "a view has nothing to refresh: leave OR REFRESH away.");
  return { kind: kind.kind, isPrivate: own || kind.isPrivate };
}

/** In the older language, `LIVE` makes a dataset of what it stands before; its views were never seen outside. */
function kindOf(cursor: TokenCursor): DatasetHead | undefined {
  if (cursor.takes("MATERIALIZED", "VIEW")) return { kind: "materialized_view", isPrivate: false };
  if (cursor.takes("STREAMING", "TABLE")) return { kind: "streaming_table", isPrivate: false };
  if (cursor.takes("STREAMING", "LIVE", "TABLE")) return { kind: "streaming_table", isPrivate: false };
  if (cursor.takes("LIVE", "TABLE")) return { kind: "materialized_view", isPrivate: false };
  if (cursor.takes("STREAMING", "LIVE", "VIEW") || cursor.takes("LIVE", "VIEW"))
    return { kind: "view", isPrivate: true };
  return cursor.takes("VIEW") ? { kind: "view", isPrivate: false } : undefined;
}

/** What follows the head. `sketch` is told what there is once its name is known, whatever comes after it. */
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
  const isOpen = head.kind === "streaming_table";
  if (!cursor.takes("AS")) {
    if (!isOpen) cursor.fail("AS and a query");
    return { ...draft, dataset, expectations, query: null };
  }
  return { ...draft, dataset, expectations, query: queryOf(cursor, statement) };
}
