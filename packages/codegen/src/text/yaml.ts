import { Document, isScalar, visit } from "yaml";

/**
 * Writes YAML. Strings that a YAML 1.1 or 1.2 parser could read as another type (`on`, `012`, `1_000`) are quoted. Long
 * lines are not folded, so that text search finds them, and because the library loses a space before a line break in a
 * long quoted string.
 */
export function yamlText(comment: readonly string[], value: unknown): string {
  const document = new Document(value, { version: "1.1", merge: false, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // The library does not quote `=`, which some parsers do not read as text.
      if (isScalar<string>(node) && typeof node.value === "string" && !/^[\w/.]/.test(node.value)) {
        node.type = "QUOTE_DOUBLE";
      }
    },
  });
  return `${comment.map((line) => `# ${line}\n`).join("")}${document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })}`;
}
