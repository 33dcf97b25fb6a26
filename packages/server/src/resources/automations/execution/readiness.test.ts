import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { AutomationTask } from "@lakehelm/contract";
import { readinessOf, rootsOf, unhandled } from "./readiness.ts";
import type { TaskState } from "./task-state.ts";

/** The outcome of a task as a letter: succeeded, failed, skipped without or because of a failure, running. */
const states = {
  s: { status: "succeeded", reason: null },
  f: { status: "failed", reason: null },
  k: { status: "skipped", reason: "condition" },
  u: { status: "skipped", reason: "upstream_failed" },
  r: { status: "running", reason: null },
} as const;
type Letter = keyof typeof states;

const lookUp =
  (known: Readonly<Record<string, Letter>>) =>
  (name: string): Pick<TaskState, "status" | "reason"> =>
    states[known[name] ?? "r"];

suite("the readiness of a task", () => {
  const readiness = (run_if: AutomationTask["run_if"], ended: string) => {
    const letters = [...ended] as Letter[];
    const known = Object.fromEntries(letters.map((letter, at) => [`t${at}`, letter]));
    const found = readinessOf({ depends_on: Object.keys(known), run_if }, lookUp(known));
    return typeof found === "string" ? found : found.skipped;
  };

  test("a task without dependencies runs, whatever its run_if", () => {
    assert.equal(readiness("at_least_one_failed", ""), "run");
  });

  test("each run_if, by the states of the dependencies", () => {
    const ended = ["s", "ss", "sf", "f", "k", "sk", "u", "sr", "fr"];
    const table: Record<AutomationTask["run_if"], string[]> = {
      all_success: [
        "run",
        "run",
        "upstream_failed",
        "upstream_failed",
        "run_if",
        "run_if",
        "upstream_failed",
      ],
      all_done: ["run", "run", "run", "run", "run", "run", "run"],
      at_least_one_success: ["run", "run", "run", "upstream_failed", "run_if", "run", "upstream_failed"],
      at_least_one_failed: ["run_if", "run_if", "run", "run", "run_if", "run_if", "run"],
      none_failed: ["run", "run", "upstream_failed", "upstream_failed", "run", "run", "upstream_failed"],
    };
    for (const [run_if, expected] of Object.entries(table)) {
      const found = ended.map((one) => readiness(run_if as AutomationTask["run_if"], one));
      assert.deepEqual(found, [...expected, "wait", "wait"], run_if);
    }
  });
});

suite("the failure of a run", () => {
  const tasks = [
    { name: "load", depends_on: [] },
    { name: "count", depends_on: ["load"] },
    { name: "tell", depends_on: ["count"] },
  ];

  test("a failed leaf task fails the run, and so does a leaf that was skipped because of a failure", () => {
    assert.deepEqual(unhandled(tasks, lookUp({ load: "s", count: "s", tell: "f" })), ["tell"]);
    const of = lookUp({ load: "f", count: "u", tell: "u" });
    assert.deepEqual(unhandled(tasks, of), ["tell"]);
    assert.deepEqual(rootsOf(["tell"], tasks, of), ["load"]);
  });

  test("a failure that a later task handles does not fail the run, nor does a false condition", () => {
    assert.deepEqual(unhandled(tasks, lookUp({ load: "f", count: "s", tell: "s" })), []);
    assert.deepEqual(unhandled(tasks, lookUp({ load: "s", count: "k", tell: "k" })), []);
  });
});
