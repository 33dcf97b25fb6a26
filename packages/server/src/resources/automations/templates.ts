import { encodeJson } from "@lakehelm/contract/schema";

/** A `{{…}}` in a text of a definition. `{{secrets/scope/key}}` is not a placeholder: the platform fills it. */
export interface Placeholder {
  /** The original text, including brackets. */
  readonly text: string;
  /** `["tasks", "count", "value"]` for `tasks.count.value`. */
  readonly path: readonly string[];
  /** The offset of the placeholder in the text. */
  readonly at: number;
}

/** The values of placeholders in a run. */
export interface TemplateValues {
  readonly parameters: DefinitionTree;
  /** The results of ended tasks: `value`, `status`, `error`, `rows`, `output`. */
  readonly tasks: Readonly<Record<string, DefinitionTree>>;
  readonly run: { readonly id: string; readonly time: string };
  readonly environment: { readonly name: string };
  /** The current item of a task with `for_each`; absent in other tasks. */
  readonly item?: unknown;
}

/** A map of a definition, as parsed from JSON or YAML. */
export type DefinitionTree = Readonly<Record<string, unknown>>;

// Whitespace is trimmed afterwards: optional whitespace in the expression would cause backtracking.
const bracketed = /\{\{([^{}]*)\}\}/g;
const isSecret = (inner: string) => inner.trimStart().startsWith("secrets/");
const pathOf = (inner: string) => inner.trim().split(".");

export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(bracketed)].flatMap(({ 0: whole, 1: inner = "", index }) =>
    isSecret(inner) ? [] : [{ text: whole, path: pathOf(inner), at: index }],
  );
}

/** A placeholder without a value in this run: an unset parameter, or an output without that key. */
export class UnfilledPlaceholder extends Error {
  constructor(placeholder: string) {
    super(`${placeholder} has no value in this run.`);
  }
}

/** The text with its placeholders filled. Values other than strings are written as JSON, null as the empty text. */
export function fill(text: string, values: TemplateValues): string {
  return text.replace(bracketed, (whole: string, inner: string) => {
    if (isSecret(inner)) return whole;
    const value = valueAt(whole, pathOf(inner), values);
    if (value === null) return "";
    return typeof value === "string" ? value : encodeJson(value);
  });
}

/**
 * Fills every string in a tree. A string that is exactly one placeholder becomes the value itself: a number stays a
 * number.
 */
export function fillTree(tree: unknown, values: TemplateValues): unknown {
  if (typeof tree === "string") {
    const [only] = placeholdersIn(tree);
    return only?.text === tree ? valueAt(tree, only.path, values) : fill(tree, values);
  }
  if (Array.isArray(tree)) return tree.map((item) => fillTree(item, values));
  if (typeof tree !== "object" || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, fillTree(item, values)]));
}

function valueAt(placeholder: string, path: readonly string[], values: TemplateValues): unknown {
  let value: unknown = values;
  for (const step of path) {
    // Own keys only: `{{parameters.constructor}}` is not a parameter.
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      throw new UnfilledPlaceholder(placeholder);
    }
    value = (value as DefinitionTree)[step];
  }
  if (value === undefined) throw new UnfilledPlaceholder(placeholder);
  return value;
}
