/** Whether the list of statements that read what they write has every statement that the parser knows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "@lakehelm/sql";
import { type PlainMeaning, readScript } from "@lakehelm/sql/pipelines";
import { type MergeClause, parseChange } from "../pipelines/statements/change-parser.ts";
import { selfReadingStatements } from "./self-reads.ts";

/** A new verb does not compile until it is listed here. */
const takesQuery: Readonly<Record<PlainMeaning["verb"], boolean>> = {
  ...{ create_table: true, insert: true, update: true, delete: true, merge: true },
  ...{ truncate: false, drop_table: false, drop_view: false, create_schema: false },
  ...{ add_columns: false, describe: false, keep: false },
};
const verbs = Object.entries(takesQuery).flatMap(([verb, takes]) => (takes ? [verb] : []));

const parser = await loadSqlParser();
const rules = {
  ...{ path: "self.sql", catalog: "shop", schema: "sales", configuration: {} },
  tables: new Map([["shop.sales.t", ["id", "n"]]]),
};
const parsed = selfReadingStatements.map(({ name, sql }) => {
  const { statements, problems } = readScript(parser, sql("SELECT id, n FROM t"), rules);
  const [statement] = statements ?? [];
  assert.ok(statement?.kind === "plain", `${name}: ${JSON.stringify(problems)}`);
  return statement;
});
const changes = parsed.flatMap(({ sql, meaning: { verb } }) =>
  verb === "update" || verb === "delete" || verb === "merge" ? [parseChange(sql)] : [],
);

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== false;

test("every verb that takes a query is in the list, with and without each of its options", () => {
  assert.deepEqual([...new Set(parsed.map(({ meaning }) => meaning.verb))].sort(), verbs.sort());
  for (const verb of verbs) {
    const meanings = parsed.flatMap(({ meaning }) => (meaning.verb === verb ? [meaning] : []));
    const options = Object.keys(meanings[0] ?? {}).filter(
      (key) => !["verb", "table", "select"].includes(key),
    );
    for (const option of options) {
      const values = new Set(
        meanings.map((meaning) => isSet(Object.entries(meaning).find(([key]) => key === option)?.[1])),
      );
      assert.deepEqual([...values].sort(), [false, true], `${verb}: ${option}`);
    }
  }
});

test("every part of UPDATE, DELETE and MERGE is in the list", () => {
  for (const verb of ["update", "delete", "merge"]) {
    const some = changes.filter((change) => change.verb === verb);
    for (const part of Object.keys(some[0] ?? {}))
      assert.ok(
        some.some((change) => isSet(Object.entries(change).find(([key]) => key === part)?.[1])),
        `${verb}: ${part}`,
      );
  }
  const merges = changes.flatMap((change) => (change.verb === "merge" ? [change] : []));
  assert.deepEqual(
    [...new Set(merges.map(({ source }) => source.startsWith("(")))].sort(),
    [false, true],
    "a query or a table after USING",
  );
  const clauses = new Set(merges.flatMap(({ whens }) => whens.map(clauseName)));
  const expected = [
    ...["matched: delete", "matched: update", "matched: update *"],
    ...["not_matched: insert", "not_matched: insert with columns", "not_matched: insert *"],
    ...["not_matched_by_source: delete", "not_matched_by_source: update"],
  ];
  assert.deepEqual([...clauses].sort(), expected.sort());
});

function clauseName({ rows, action }: MergeClause): string {
  if (action === "delete") return `${rows}: delete`;
  if ("update" in action) return `${rows}: update${action.update === "*" ? " *" : ""}`;
  const { insert } = action;
  return `${rows}: insert${insert === "*" ? " *" : insert.columns ? " with columns" : ""}`;
}
