import { encodeJson } from "@lakehelm/contract/schema";

/** A `{{…}}` in a text of a definition. One of `{{secrets/scope/key}}` is none: the platform fills those. */
export interface Placeholder {
  /** As it was written, brackets included. */
  readonly text: string;
  /** `tasks.count.value` by its steps. */
  readonly path: readonly string[];
  /** Where it begins in its text. */
  readonly at: number;
}

/** What placeholders stand for in a run. */
export interface TemplateValues {
  readonly parameters: Tree;
  /** Of tasks that have ended: `value`, `status`, `error`, `rows`, `output`. */
  readonly tasks: Readonly<Record<string, Tree>>;
  readonly run: { readonly id: string; readonly time: string };
  readonly environment: { readonly name: string };
}

type Tree = Readonly<Record<string, unknown>>;

// Space around is trimmed afterwards: optional space in the expression would be tried in every way there is.
const bracketed = /\{\{([^{}]*)\}\}/g;
const isSecret = (inner: string) => inner.trimStart().startsWith("secrets/");
const pathOf = (inner: string) => inner.trim().split(".");

export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(bracketed)].flatMap(({ 0: whole, 1: inner = "", index }) =>
    isSecret(inner) ? [] : [{ text: whole, path: pathOf(inner), at: index }],
  );
}

/** A placeholder that stands for nothing in this run: a parameter without a value, an output without that key. */
export class Unfilled extends Error {
  constructor(placeholder: string) {
    super(`${placeholder} has no value in this run.`);
  }
}

/** The text with its placeholders filled. What is no text is written as JSON, and null as nothing. */
export function fill(text: string, values: TemplateValues): string {
  return text.replace(bracketed, (whole: string, inner: string) => {
    if (isSecret(inner)) return whole;
    const value = valueAt(whole, pathOf(inner), values);
    if (value === null) return "";
    return typeof value === "string" ? value : encodeJson(value);
  });
}

/** Fills every text in a tree. One that is a placeholder and nothing else becomes the value itself: a number stays one. */
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
    // Own keys alone: `{{parameters.constructor}}` is nobody's parameter.
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      throw new Unfilled(placeholder);
    }
    value = (value as Tree)[step];
  }
  if (value === undefined) throw new Unfilled(placeholder);
  return value;
}
