import type { Problem } from "../../editor/editor.ts";

const placed = /^definition\.yaml:(\d+):(\d+): ([\s\S]*)/;

/** The findings of a validation: those with a location in the definition, and the others as sentences. */
export function readFindings(findings: readonly string[]): {
  readonly problems: readonly Problem[];
  readonly others: readonly string[];
} {
  const problems: Problem[] = [];
  const others: string[] = [];
  for (const finding of findings) {
    const [, line, column, message = ""] = placed.exec(finding) ?? [];
    if (line === undefined) others.push(finding);
    else problems.push({ line: Number(line), column: Number(column), message });
  }
  return { problems, others };
}
