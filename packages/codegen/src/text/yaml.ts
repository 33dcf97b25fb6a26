import { Document, isScalar, visit } from "yaml";

/**
 * Strings that any reader of YAML 1.1 or 1.2 could take for something else (`on`, `012`, `1_000`) are quoted, and
 * long lines are left whole: a folded one would be hard to search for.
 */
export function yamlText(comment: readonly string[], value: unknown): string {
  const document = new Document(value, { version: "1.1", merge: false, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // The library leaves `=` plain, which some readers take for more than text.
      if (isScalar<string>(node) && typeof node.value === "string" && !/^[\w/.]/.test(node.value)) {
        node.type = "QUOTE_DOUBLE";
      }
    },
  });
  return `${comment.map((line) => `# ${line}\n`).join("")}${document.toString({ lineWidth: 0 })}`;
}
