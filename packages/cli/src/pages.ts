import type { Endpoint } from "@lakehelm/contract";
import type { JsonSchema } from "@lakehelm/contract/schema";

/** How a list is read page by page. */
export interface PagedList {
  /** The key of the items in a page. */
  readonly key: string;
  readonly largestPage: number;
  /** Newest first and without an end, so the newest items are shown. */
  readonly isHistory: boolean;
}

type Query = Readonly<Record<string, unknown>>;
type Page = Readonly<Record<string, unknown>>;

/** Undefined if the endpoint does not return a list in pages. */
export function pagedList(
  { method, query, response }: Endpoint,
  rows: string | undefined,
): PagedList | undefined {
  const refs = new Map<string, JsonSchema>();
  const { $ref } = response.jsonSchema(refs);
  const { properties = {} } = ((typeof $ref === "string" && refs.get($ref.split("/").at(-1) ?? "")) ||
    {}) as {
    properties?: Record<string, JsonSchema>;
  };
  const isPage = ["total", "next_before", "next_after"].some((name) => name in properties);
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === "array");
  const key = rows ?? lists[0];
  if (method !== "GET" || !isPage || key === undefined) return undefined;
  const { maximum } = query?.limit?.jsonSchema(refs) ?? {};
  return {
    key,
    largestPage: Math.min(typeof maximum === "number" ? maximum : 1000, 1000),
    isHistory: "next_before" in properties,
  };
}

/** Yields the items one by one, up to `most`. Returns whether there are more. */
export async function* itemsOf(
  { key, largestPage }: PagedList,
  query: Query,
  most: number,
  read: (query: Query) => Promise<Page>,
  onMore: () => void,
): AsyncGenerator<unknown, void, undefined> {
  let position: Query | undefined = {};
  let left = most;
  let skip = Number(query.skip ?? 0);
  while (position) {
    const page: Page = await read({ ...query, ...position, limit: Math.max(1, Math.min(largestPage, left)) });
    const items = page[key] as unknown[];
    yield* items.slice(0, left);
    skip += items.length;
    position = nextPage(page, items.length, skip, Math.min(largestPage, left));
    left -= items.length;
    if (left > 0) continue;
    if (position) onMore();
    return;
  }
}

/**
 * The query of the next page; undefined: there is none. Cursors are preferred, because concurrent changes do not affect
 * them.
 */
function nextPage(page: Page, count: number, skip: number, limit: number): Query | undefined {
  const { next_cursor, next_before, next_after, total } = page;
  if (typeof next_cursor === "string") return { cursor: next_cursor, skip: undefined };
  if (next_cursor === null) return undefined;
  if (typeof next_before === "string") return { before: next_before };
  if (next_after !== undefined && next_after !== null)
    return count < limit ? undefined : { after: next_after };
  return typeof total === "number" && count > 0 && skip < total ? { skip } : undefined;
}
