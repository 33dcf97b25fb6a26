import assert from "node:assert/strict";
import { test } from "node:test";
import { findCommit } from "./commits.ts";

const deletion = { operation: "DELETE", metrics: { numDeletedRows: "1" } };
const append = { operation: "WRITE", metrics: {} };
const ours = (seen?: number) => ({
  mark: { stream: "s", number: 1, attempt: "a", run: "r", watermark: "1", time: "t", seen },
});

/** Searches a table with these commits, the oldest first. DESCRIBE HISTORY returns the newest first. */
const find = (commits: readonly { operation?: string; metrics?: object; mark?: object }[], after: number) => {
  const rows = commits.map(({ operation = "MERGE", metrics = {}, mark }, version) => {
    const row: unknown[] = Array.from({ length: 14 }, () => null);
    Object.assign(row, { 0: version, 4: operation, 5: {}, 12: metrics });
    if (mark) row[13] = JSON.stringify({ lakehelm: mark });
    return row;
  });
  const session = {
    rows: async (sql: string) => rows.toReversed().slice(0, Number(/LIMIT (\d+)$/.exec(sql)?.[1])),
    configure: async () => {},
    columnsOf: async () => undefined,
    close: async () => {},
  };
  return findCommit(session, "t", "s", after);
};
const found = async (...[commits, after]: Parameters<typeof find>) => {
  const { commit, others } = await find(commits, after);
  return { version: commit?.version, told: commit?.told, others: others.map(({ version }) => version) };
};

test("rows that others removed between the judgement of a run and its commit are untold", async () => {
  const history = [append, ours(0), deletion, ours(1)];
  assert.deepEqual(await found(history, 1), { version: 3, told: 1, others: [2] });
  assert.deepEqual(await found([...history, append], 1), { version: 3, told: 1, others: [4, 2] });
  // The later run has judged the deletion.
  assert.deepEqual(await found([...history, ours(3)], 1), { version: 4, told: 4, others: [] });
  assert.deepEqual(await found([...history, ours(3), deletion], 1), { version: 4, told: 4, others: [5] });
});

test("rows that others added meanwhile are nothing to tell, and a mark of an earlier release has told all before it", async () => {
  assert.deepEqual(await found([append, ours(0), append, ours(1)], 1), { version: 3, told: 3, others: [2] });
  assert.deepEqual(await found([append, ours(), deletion, ours()], 1), { version: 3, told: 3, others: [] });
  assert.deepEqual(await found([append, ours(0)], 1), { version: undefined, told: undefined, others: [] });
});
