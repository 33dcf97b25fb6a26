import {
  contextBelow,
  isTargetCredential,
  maskText,
  type SecretContext,
  secretMask,
} from "@lakehelm/contract/connections";
import { isObject } from "@lakehelm/contract/schema";
import type { Path } from "../read/tree.ts";
import type { ResolvedResource } from "../resolve/resolver.ts";
import { pathText } from "./schema-check.ts";

export interface SecretFinding {
  readonly path: Path;
  readonly level: "error" | "warning";
  readonly message: string;
}

/** `{{secrets/<scope>/<key>}}`; in a header, a scheme may precede it. */
const isReference = (text: string) => /^(?:[A-Za-z]+ )?\{\{\s*secrets\/[^{}]+\}\}$/.test(text);
/** A value that is filled in when the task runs. */
const isPlaceholder = (text: string) => /^(?:[A-Za-z]+ )?\{\{[^{}]+\}\}$/.test(text);

/** Finds secrets in plain text. A repository must contain references instead. */
export function secretFindings({ kind, definition }: ResolvedResource): SecretFinding[] {
  const found: SecretFinding[] = [];
  const config = isObject(definition.target_config) ? definition.target_config : {};
  const type = String(definition.target_type ?? "");
  const isCredential = (path: Path) =>
    kind.kind === "connector" &&
    path[0] === "target_config" &&
    isTargetCredential(type, config, path.slice(1));
  const visit = (value: unknown, path: Path, context: SecretContext): void => {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) visit(item, [...path, at], context);
      return;
    }
    if (isObject(value)) {
      for (const [key, item] of Object.entries(value))
        visit(item, [...path, key], contextBelow(key, item, context));
      return;
    }
    if (typeof value !== "string" || value === "" || isReference(value) || isPlaceholder(value)) return;
    const isSecret = context === "secret" || isCredential(path);
    if (isSecret && value === secretMask) {
      const message = `${pathText(path)}: the server keeps the value that it has. On a server without one, write a reference: {{secrets/<scope>/<key>}}.`;
      found.push({ path, level: "warning", message });
    } else if (isSecret || (context !== "names" && maskText(value) !== value)) {
      const message = `${pathText(path)} is a secret. Store it with "lakehelm secrets put <scope> <key>" and write {{secrets/<scope>/<key>}}.`;
      found.push({ path, level: "error", message });
    }
  };
  visit(definition, [], "plain");
  return found;
}

/** The secrets that definitions refer to, as `scope/key`. */
export const secretsOf = (resources: readonly ResolvedResource[]): string[] => [
  ...new Set(
    resources.flatMap(({ definition }) =>
      [...JSON.stringify(definition).matchAll(/\{\{\s*secrets\/([\w.-]+\/[\w.-]+)\s*\}\}/g)].map(
        ([, name = ""]) => name,
      ),
    ),
  ),
];
