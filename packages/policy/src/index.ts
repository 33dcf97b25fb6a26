/** Policies: CEL rules over the steps of a plan, evaluated on a thread with limits, and their examples. */
export { checkPolicies, type PolicyLimits, type PolicyResult } from "./check.ts";
export { type ExampleResult, type PolicyExample, runExamples } from "./examples.ts";
export type { NotKnown, PolicyInput, PolicyRule, PolicyTable } from "./input.ts";
export { policyProblem, usesVariable } from "./rule.ts";
