import { firingsOf } from "@lakehelm/schedule";
import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import type { PolicyInput } from "./input.ts";

const day = 86_400_000;
/** More firings than this in a day are not counted. */
const maxFirings = 100_000;
/** A Monday, so that schedules for weekdays count. */
const monday = Date.UTC(2026, 0, 5);

/** How often a cron expression fires on a Monday in UTC; 0 if it is not valid. */
function runsPerDay(cron: string): number {
  try {
    const firings = firingsOf(cron, "UTC");
    let count = 0;
    for (let at = firings.after(monday - 1); at !== undefined && at < monday + day; at = firings.after(at)) {
      if (++count === maxFirings) break;
    }
    return count;
  } catch {
    return 0;
  }
}

/** Whether a string is the mask of a secret or a reference to a stored secret, and so is not a secret in plain text. */
const isReference = (text: string) => text === "********" || /^\{\{secrets\/[^{}]+\}\}$/.test(text);

const environment = new Environment({
  unlistedVariablesAreDyn: false,
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: {
    maxAstNodes: 2000,
    maxDepth: 60,
    maxListElements: 500,
    maxMapEntries: 500,
    maxCallArguments: 16,
  },
})
  .registerVariable("action", "string")
  .registerVariable("resource", "map")
  .registerVariable("before", "map")
  .registerVariable("after", "map")
  .registerVariable("changes", "list")
  .registerVariable("downstream", "list")
  .registerVariable("tables", "list")
  .registerVariable("sql", "list")
  .registerVariable("running_runs", "list")
  .registerVariable("data_lost", "list")
  .registerVariable("steps", "map")
  .registerVariable("approvals", "list")
  .registerVariable("actor", "string")
  .registerVariable("environment", "map")
  .registerVariable("project", "map")
  .registerVariable("now", "google.protobuf.Timestamp")
  .registerFunction("runsPerDay(string): int", (cron: string) => BigInt(runsPerDay(cron)))
  .registerFunction("isSecretReference(string): bool", isReference);

/** What is wrong with the text of a rule; undefined: nothing. The check takes linear time. */
export function policyProblem(rule: string): string | undefined {
  const read = readRule(rule);
  return "problem" in read ? read.problem : undefined;
}

/** Whether a rule reads a variable: some variables are looked up only for rules that read them. */
export const usesVariable = (rule: string, name: string): boolean =>
  rule
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
    .split(/\W+/)
    .includes(name);

type ReadRule = { readonly evaluate: ParseResult } | { readonly problem: string };

export function readRule(rule: string): ReadRule {
  try {
    const evaluate = environment.parse(rule);
    const checked = evaluate.check();
    if (!checked.valid) return { problem: firstLine(checked.error) };
    const type = String(checked.type);
    if (type !== "bool" && !type.startsWith("dyn")) return { problem: `The rule is a ${type}, not a bool.` };
    return { evaluate };
  } catch (error) {
    return { problem: firstLine(error) };
  }
}

/** Whether a step violates a rule. Throws if the rule cannot be evaluated. */
export function violates(evaluate: ParseResult, input: PolicyInput): boolean {
  const result: unknown = evaluate(variablesOf(input));
  if (typeof result !== "boolean") throw new Error("The rule is not a bool.");
  return result;
}

const variablesOf = ({ tables, sql, ...input }: PolicyInput) => ({
  ...(celValue(input) as object),
  now: new Date(input.now),
  // Only a rule that reads an unknown value fails.
  get tables() {
    return knownList(tables);
  },
  get sql() {
    return knownList(sql);
  },
});

/** A rule has read a value that is unknown. */
export class NotKnownError extends Error {}

function knownList(list: PolicyInput["tables"] | PolicyInput["sql"]): unknown {
  if ("notKnown" in list) throw new NotKnownError(list.notKnown);
  return celValue(list);
}

/** CEL distinguishes integers from doubles, so whole numbers in JSON become integers. */
function celValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(celValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}

/** Errors of the parser also draw the rule with a marker, which messages do not need. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n", 1)[0] ?? "").slice(0, 300);
}
