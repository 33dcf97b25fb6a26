import { checkPolicies } from "./check.ts";
import type { PolicyInput, PolicyRule } from "./input.ts";

/** An example of a rule: a step, and whether it violates the rule. */
export interface PolicyExample {
  readonly name: string;
  /**
   * How the step differs from the default, an update of a connector without fields by `ada` in an environment `dev`.
   */
  readonly input: { readonly [Key in keyof PolicyInput]?: unknown };
  /** The expected messages; an empty list: the step is allowed. */
  readonly expected: readonly string[];
}

export interface ExampleResult {
  readonly policy: string;
  readonly example: string;
  readonly passed: boolean;
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

const usual: PolicyInput = {
  action: "update",
  resource: { kind: "connector", name: "example", id: null, owner: "ada" },
  before: {},
  after: {},
  changes: [],
  downstream: [],
  tables: [],
  sql: [],
  running_runs: [],
  data_lost: [],
  steps: { create: 0, update: 1, replace: 0, delete: 0 },
  approvals: [],
  actor: "ada",
  environment: { name: "dev", protected: false, platform: "embedded" },
  project: { name: "example", commit: null, branch: null },
  now: "2026-03-02T12:00:00.000Z",
};

export async function runExamples(
  policy: PolicyRule,
  examples: readonly PolicyExample[],
): Promise<ExampleResult[]> {
  const inputs = examples.map(({ input }) => completed(input));
  const results = await checkPolicies([policy], inputs);
  return examples.map(({ name: example, expected }, at) => {
    const found = results.filter((one) => one.at === at || one.at === null).map(({ message }) => message);
    const passed = found.length === expected.length && found.every((text, n) => text === expected[n]);
    return { policy: policy.name, example, passed, expected, found };
  });
}

/** Maps are merged with the default step, so that an example contains only the differences. */
function completed(input: PolicyExample["input"]): PolicyInput {
  const merged = Object.entries(usual).map(([key, fallback]) => {
    const given = input[key as keyof PolicyInput];
    if (given === undefined) return [key, fallback];
    const isMap = typeof fallback === "object" && !Array.isArray(fallback);
    return [key, isMap ? { ...fallback, ...(given as object) } : given];
  });
  // The keys are those of `usual`. A value of another type makes the rule fail, and the example reports that.
  return Object.fromEntries(merged) as PolicyInput;
}
