import { isSecretKey } from "@lakehelm/contract/connections";
import type { Redaction } from "../../../core/secrets/redaction.ts";
import { withTexts, withValues } from "../../../core/secrets/references.ts";
import type { System } from "../../../core/system.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import { type DefinitionTree, fillTree, type TemplateValues } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";

/** Fills a task's request: placeholders with the values of the run, secret references with the secrets. */
export type TemplateFill = (tree: unknown, values: TemplateValues) => Promise<unknown>;

/**
 * Only references in the definition become secrets, and those in parameters whose name marks them as secret. A value
 * from another server that looks like a reference stays unchanged: while values are filled in, an unguessable marker
 * replaces each secret.
 */
export function createTemplateFill(
  environmentId: string,
  secrets: Pick<SecretStore, "resolve">,
  system: Pick<System, "randomBytes">,
  redaction: Redaction,
): TemplateFill {
  async function secretOf(scope: string, key: string): Promise<string> {
    const secret = await secrets.resolve(environmentId, scope, key);
    if (secret === undefined)
      throw new PermanentError(`There is no secret ${scope}/${key} in this environment.`);
    redaction.add(secret);
    return secret;
  }

  return async (tree, values) => {
    const markers = new Map<string, { readonly scope: string; readonly key: string }>();
    const withMarkers = <Value>(part: Value): Value =>
      withValues(part, (reference) => {
        const marker = system.randomBytes(16).toString("hex");
        markers.set(marker, reference);
        return marker;
      }) as Value;
    const parameters = underSecretKeys(values.parameters, withMarkers);
    const filled = fillTree(withMarkers(tree), { ...values, parameters });
    const used = new Map<string, string>();
    for (const [marker, { scope, key }] of markers) {
      if (mentions(filled, marker)) used.set(marker, await secretOf(scope, key));
    }
    if (used.size === 0) return filled;
    return withTexts(filled, (text) =>
      [...used].reduce((whole, [marker, secret]) => whole.replaceAll(marker, () => secret), text),
    );
  };
}

/** Maps the values whose keys mark them as secrets. */
const underSecretKeys = (tree: DefinitionTree, change: (value: unknown) => unknown): DefinitionTree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      if (isSecretKey(key) && typeof value === "string") return [key, change(value)];
      return [key, isTree(value) ? underSecretKeys(value, change) : value];
    }),
  );

const isTree = (value: unknown): value is DefinitionTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function mentions(tree: unknown, text: string): boolean {
  let found = false;
  withTexts(tree, (one) => {
    found ||= one.includes(text);
    return one;
  });
  return found;
}
