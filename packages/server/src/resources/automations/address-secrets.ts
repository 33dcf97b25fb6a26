import { hasMaskedPart, maskUrls } from "@lakehelm/contract/connections";
import { pathText } from "../../core/secrets/references.ts";
import { stringsIn } from "./string-values.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Whether a URL in the text has a password, or a parameter whose name marks it as a secret, masked or not. */
export const hasUrlSecret = (text: string): boolean =>
  text.includes("://") && (maskUrls(text, true) !== text || hasMaskedPart(text));

/** Reports secrets in URLs. */
export function addressFindings(tree: unknown): ValidationFinding[] {
  return [...stringsIn(tree)].flatMap(([text, path]) => {
    if (!hasUrlSecret(text)) return [];
    const sentence = "The URL contains a secret. A secret must be a reference: {{secrets/<scope>/<key>}}.";
    return [finding([pathText(path), sentence].filter(Boolean).join(": "), ...path)];
  });
}
