import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateValues } from "../templates.ts";
import { newTask, type TaskState } from "./task-state.ts";
import { templateValues } from "./values.ts";

const cause = { trigger: "manual", by: "ada", time: "2026-03-01T06:00:00Z" } as const;
const ended = (kind: TaskState["kind"], output: TaskState["output"]): TaskState => ({
  ...newTask({ name: "x", kind }),
  status: "succeeded",
  output,
});
const rowsOf = (...task: Parameters<typeof ended>): unknown => {
  const values: TemplateValues = templateValues({ parameters: {} }, { id: "r", cause }, { name: "prod" }, [
    ended(...task),
  ]);
  return values.tasks.x?.rows;
};

test("rows of statements are those of the query, or the changed ones", () => {
  const nothing = { columns: [], rows: [], count: 0, value: null, inserted: 0, updated: 0, deleted: 0 };
  const columns = [{ name: "n", type: "INT" }];
  assert.equal(rowsOf("sql", { ...nothing, inserted: 1, updated: 2, deleted: 3 }), 6);
  assert.equal(rowsOf("sql", { ...nothing, columns, count: 4, inserted: 1 }), 4);
  assert.equal(rowsOf("sql", { ...nothing, columns, inserted: 1 }), 0, "a query that has found none");
  assert.equal(rowsOf("sql", { count: 4, inserted: 1, left_out: ["columns", "rows"] }), 4);
});

test("rows of child runs are the changed ones; a response has none", () => {
  assert.equal(rowsOf("flow", { rows_inserted: 2, rows_deleted: 1 }), 3);
  assert.equal(rowsOf("http", { status: 200, body: {} }), null);
});
