import type { Nature } from "../../ids.ts";
import { referencesIn, withTexts, withValues } from "../../secret-store/references.ts";
import type { SecretStore } from "../../secret-store/secret-store.ts";
import type { Hiding } from "../../secrets/hiding.ts";
import { fillTree, type TemplateValues } from "../templates.ts";
import { Lasting } from "./lasting.ts";

/** Fills what a task sends: placeholders with the values of the run, references to secrets with the secrets. */
export type Filling = (tree: unknown, values: TemplateValues) => Promise<unknown>;

/**
 * Only references that stand in the definition become secrets. A value that looks like one, because somebody else's server has
 * answered it, stays as it is: while values are filled in, a mark that nobody can guess stands for each secret.
 */
export function createFilling(
  environmentId: string,
  secrets: Pick<SecretStore, "resolve">,
  nature: Pick<Nature, "randomBytes">,
  hiding: Hiding,
): Filling {
  return async (tree, values) => {
    const marks = new Map<string, string>();
    const markOf = new Map<string, string>();
    for (const { scope, key } of referencesIn(tree)) {
      const secret = await secrets.resolve(environmentId, scope, key);
      if (secret === undefined) throw new Lasting(`There is no secret ${scope}/${key} in this environment.`);
      hiding.add(secret);
      const mark = nature.randomBytes(16).toString("hex");
      marks.set(mark, secret);
      markOf.set(`${scope}/${key}`, mark);
    }
    const marked = withValues(tree, ({ scope, key }) => markOf.get(`${scope}/${key}`) ?? "");
    const filled = fillTree(marked, values);
    if (marks.size === 0) return filled;
    return withTexts(filled, (text) =>
      [...marks].reduce((whole, [mark, secret]) => whole.replaceAll(mark, () => secret), text),
    );
  };
}
