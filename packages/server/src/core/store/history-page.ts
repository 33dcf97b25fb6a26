import { setImmediate as turn } from "node:timers/promises";
import { InvalidRequest } from "../errors.ts";
import { cursorsOf, type ListKey } from "./list-request.ts";

/** How many rows one request examines. */
const mostExamined = 10_000;
const pageSize = 500;

/** The paging parameters of a history: runs, updates, deliveries. */
export interface HistoryRequest<Before> {
  readonly limit: number;
  readonly before?: Before | undefined;
  readonly sort?: "created" | "-created" | (string & {}) | undefined;
  readonly cursor?: string | undefined;
}

/** The key after which a page begins, and its order. */
export interface HistoryStart {
  readonly after: ListKey | undefined;
  readonly oldestFirst: boolean;
}

interface History<Row> {
  read(start: HistoryStart, limit: number): Promise<Row[]>;
  keyOf(row: Row): ListKey;
  /** A filter that the database cannot apply; absent: every row is accepted. */
  readonly accepts?: ((row: Row) => boolean | Promise<boolean>) | undefined;
}

interface HistoryPage<Row> {
  readonly rows: Row[];
  /** The key after which the next page begins; null: oldest first, or the last page. */
  readonly nextBefore: ListKey | null;
  readonly nextCursor: string | null;
}

/**
 * A page of a history, newest first unless the request says otherwise. If rows are filtered here, a page may be short or
 * empty although there are more. `purpose`: what the cursor is for.
 */
export async function historyPage<Row, Before>(
  history: History<Row>,
  request: HistoryRequest<Before>,
  keyBefore: (before: Before) => ListKey,
  ...purpose: readonly unknown[]
): Promise<HistoryPage<Row>> {
  const { limit, before, sort, cursor } = request;
  const oldestFirst = sort === "created";
  if (before !== undefined && (oldestFirst || cursor !== undefined)) {
    const sentence = oldestFirst
      ? "`before` pages newest first. Use `cursor` with `sort=created`"
      : "`before` cannot be combined with `cursor`";
    throw new InvalidRequest(["query", "before"], sentence, before);
  }
  const cursors = cursorsOf(...purpose, oldestFirst);
  let after = cursors.read(cursor) ?? (before === undefined ? undefined : keyBefore(before));
  const rows: Row[] = [];
  const page = (more: boolean): HistoryPage<Row> => ({
    rows,
    nextBefore: more && !oldestFirst ? (after ?? null) : null,
    nextCursor: more && after ? cursors.write(after) : null,
  });
  const { accepts = () => true } = history;
  const size = history.accepts ? pageSize : limit + 1;
  for (let examined = 0; examined < mostExamined; examined += size) {
    const found = await history.read({ after, oldestFirst }, size);
    for (const row of found) {
      const isAccepted = await accepts(row);
      if (isAccepted && rows.length === limit) return page(true);
      if (isAccepted) rows.push(row);
      after = history.keyOf(row);
    }
    if (found.length < size) return page(false);
    // SQLite reads in this thread: yield to other requests.
    await turn();
  }
  return page(true);
}
