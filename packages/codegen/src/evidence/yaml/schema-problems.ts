import type { AnySchema, Infer, ValidationError } from "@lakehelm/contract/schema";
import { shown } from "@lakehelm/contract/text";

/** Returns the value if it is valid. Otherwise adds every error with its path to the problems. */
export function parseFile<S extends AnySchema>(
  schema: S,
  value: unknown,
  problems: string[],
): Infer<S> | undefined {
  const errors: ValidationError[] = [];
  const parsed = schema.check(value, [], errors);
  problems.push(...errors.map(problemOf));
  return errors.length > 0 ? undefined : parsed;
}

function problemOf(error: ValidationError): string {
  const isKey = error.loc.at(-1) === "[key]";
  const path = pathText(isKey ? error.loc.slice(0, -2) : error.loc);
  return `${path || "The file"}: ${isKey ? `The key ${sentenceOf(error)}` : sentenceOf(error)}`;
}

function sentenceOf({ type, msg, input, ctx }: ValidationError): string {
  const found = foundText(input);
  switch (type) {
    case "missing":
      return "It is missing.";
    case "extra_forbidden":
      return "Unknown key.";
    case "string_type":
      return `Expected text, found ${found}.`;
    case "string_too_short":
      return "Expected text that is not empty.";
    case "literal_error":
      return `Expected ${ctx?.expected}, found ${typeof input === "string" ? shown(input) : found}.`;
    case "string_pattern_mismatch":
      return `${shown(String(input))} does not match ${ctx?.pattern}.`;
    case "int_type":
      return `Expected a whole number, found ${found}.`;
    case "greater_than_equal":
      return `Expected a whole number of at least ${ctx?.ge}.`;
    case "bool_type":
      return `Expected true or false, found ${found}.`;
    case "list_type":
      return `Expected a list, found ${found}.`;
    case "too_short":
      return "The list is empty.";
    case "dict_type":
    case "model_attributes_type":
      return `Expected a map, found ${found}.`;
    case "fields_conflict":
      return `${fieldsIn(ctx).join(" and ")} cannot be used together.`;
    case "fields_missing":
      return `One of ${fieldsIn(ctx).join(", ")} is missing.`;
    default:
      return `${msg}.`;
  }
}

const fieldsIn = (ctx: ValidationError["ctx"]) => ctx?.fields as readonly string[];

/** `resources.jobs.ingest.tasks[0]` */
const pathText = (loc: ValidationError["loc"]) =>
  loc.reduce<string>((path, step) => (typeof step === "number" ? `${path}[${step}]` : below(path, step)), "");

const below = (path: string, key: string) => {
  const name = /^[\w-]+$/.test(key) ? key : shown(key);
  return path === "" ? name : `${path}.${name}`;
};

function foundText(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : `a ${typeof value}`;
}
