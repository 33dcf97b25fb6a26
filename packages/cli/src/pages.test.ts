import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "@lakehelm/contract";
import { itemsOf, pagedList } from "./pages.ts";

const list = { key: "items", largestPage: 3, isHistory: false };
type Query = Readonly<Record<string, unknown>>;

async function readAll(most: number, answer: (query: Query) => Record<string, unknown>) {
  const queries: Query[] = [];
  let more = false;
  const items = await Array.fromAsync(
    itemsOf(
      list,
      { status: "x" },
      most,
      async (query) => {
        queries.push(query);
        return answer(query);
      },
      () => {
        more = true;
      },
    ),
  );
  return { items, queries, more };
}

test("pages follow a cursor, a position, or the total, and stop where they were asked to", async () => {
  const all = [1, 2, 3, 4, 5, 6, 7];
  const bySkip = ({ skip = 0, limit }: Query) => ({
    items: all.slice(Number(skip), Number(skip) + Number(limit)),
    total: all.length,
  });
  const byCursor = ({ cursor = "0", limit }: Query) => {
    const end = Number(cursor) + Number(limit);
    return {
      items: all.slice(Number(cursor), end),
      next_cursor: end < all.length ? String(end) : null,
      total: 7,
    };
  };
  const byAfter = ({ after = 0, limit }: Query) => {
    const items = all.filter((n) => n > Number(after)).slice(0, Number(limit));
    return { items, next_after: items.at(-1) ?? Number(after) };
  };
  for (const answer of [bySkip, byCursor, byAfter]) {
    const whole = await readAll(Number.POSITIVE_INFINITY, answer);
    assert.deepEqual([whole.items, whole.more], [all, false]);
    assert.ok(whole.queries.every(({ status }) => status === "x"));
    const some = await readAll(4, answer);
    assert.deepEqual([some.items, some.more], [[1, 2, 3, 4], true]);
    assert.equal(some.queries.at(-1)?.limit, 1);
  }
});

test("the contract says which answers are lists, and which of them are histories", () => {
  assert.deepEqual(pagedList(endpoints.listRuns, undefined), {
    key: "runs",
    largestPage: 1000,
    isHistory: true,
  });
  assert.equal(pagedList(endpoints.listConnectors, undefined)?.isHistory, false);
  assert.equal(pagedList(endpoints.readCatalog, "tables")?.key, "tables");
  assert.equal(pagedList(endpoints.getConnector, undefined), undefined);
});
