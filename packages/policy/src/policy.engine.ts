import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { checkPolicies } from "./check.ts";
import { type PolicyExample, runExamples } from "./examples.ts";
import type { PolicyInput, PolicyRule } from "./input.ts";
import { policyProblem } from "./rule.ts";

const library = new URL("../library/", import.meta.url);

for (const file of readdirSync(library)) {
  test(`the examples beside ${file} give what they expect`, async () => {
    const { examples, ...policy } = parse(readFileSync(new URL(file, library), "utf8")) as PolicyRule & {
      readonly examples: readonly PolicyExample[];
    };
    assert.equal(policyProblem(policy.rule), undefined);
    const results = await runExamples(policy, examples);
    assert.deepEqual(
      results.filter(({ passed }) => !passed),
      [],
    );
    assert.ok(results.some(({ expected }) => expected.length > 0));
    assert.ok(results.some(({ expected }) => expected.length === 0));
  });
}

const input: PolicyInput = {
  action: "update",
  resource: { kind: "connector", name: "orders-in", id: "1", owner: "ada" },
  before: {},
  after: { policy: { attempts: 3 }, items: Array.from({ length: 3000 }, (_, n) => n), text: "a".repeat(40) },
  changes: [],
  downstream: [],
  tables: [],
  sql: [],
  running_runs: [],
  data_lost: [],
  steps: { create: 0, update: 1, replace: 0, delete: 2 },
  approvals: ["bob"],
  actor: "ada",
  environment: { name: "prod", protected: true, platform: "embedded" },
  project: { name: "shop", commit: null, branch: null },
  now: "2026-03-02T12:00:00.000Z",
};
const rule = (text: string): PolicyRule => ({ name: "rule", level: "deny", rule: text, message: "{name}" });

test("whole numbers of a definition are integers, and a rule may compute with them", async () => {
  const [found] = await checkPolicies([rule("after.policy.attempts + 1 == 4")], [input]);
  assert.deepEqual(found, { policy: "rule", level: "deny", at: 0, message: "orders-in" });
});

test("a rule that is no CEL, or no bool, is a finding about the rule", async () => {
  assert.match(policyProblem("after.name ==") ?? "", /Unexpected/);
  assert.match(policyProblem("1 + 1") ?? "", /int/);
  assert.match(policyProblem("unknown == 1") ?? "", /unknown/i);
  const [found] = await checkPolicies([rule("after.name ==")], [input]);
  assert.equal(found?.at, null);
  assert.match(found?.message ?? "", /not valid CEL/);
});

test("a rule that reads a missing field is a finding, not a pass", async () => {
  const [found] = await checkPolicies([rule("after.missing == 1")], [input]);
  assert.equal(found?.at, 0);
  assert.match(found?.message ?? "", /could not be evaluated: No such key: missing/);
});

for (const [name, text] of [
  ["loops in loops", "after.items.all(a, after.items.all(b, after.items.all(c, a + b + c >= 0)))"],
  ["a hostile pattern", 'after.text.matches("^(a+)+b$")'],
  ["growing lists", "after.items.map(a, after.items.map(b, after.items)).size() > 0"],
] as const) {
  test(`a rule with ${name} is stopped, and counts as violated`, async () => {
    const limits = { timeoutMs: 100, memoryMb: 64 };
    const results = await checkPolicies([rule(text), rule("true")], [input], limits);
    assert.equal(results.length, 2);
    assert.match(results[0]?.message ?? "", /longer than 0\.1 seconds|more than 64 MB/);
    assert.match(results[1]?.message ?? "", /not evaluated/);
  });
}

test("time that the thread waits for a processor, or needs to start, is not that of a rule", async () => {
  // Starting the thread alone takes longer than this timeout.
  assert.deepEqual(await checkPolicies([rule("false")], [input], { timeoutMs: 100 }), []);
});

test("a rule that is deeper or longer than the limits is refused without evaluation", () => {
  assert.match(policyProblem(`${"(".repeat(5000)}true${")".repeat(5000)}`) ?? "", /depth|deep|limit/i);
  assert.match(policyProblem(Array(3000).fill("true").join(" && ")) ?? "", /limit|exceed/i);
});

test("a rule about what is not known is violated, if it gets that far", async () => {
  const unknown: PolicyInput = {
    ...input,
    tables: { notKnown: "Nobody knows." },
    sql: { notKnown: "Nor that." },
  };
  const rules = [
    "tables.exists(t, t.columns.exists(c, has(c.tags.pii)))",
    "size(sql) > 0",
    "action == 'delete' && size(tables) > 0",
  ].map((text, n) => ({ ...rule(text), name: String(n) }));
  assert.deepEqual(
    (await checkPolicies(rules, [unknown])).map(({ policy, message }) => [policy, message]),
    [
      ["0", "The rule could not be evaluated: Nobody knows."],
      ["1", "The rule could not be evaluated: Nor that."],
    ],
  );
});
