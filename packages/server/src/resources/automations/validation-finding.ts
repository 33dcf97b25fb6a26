import type { Position } from "../../core/yaml/parse.ts";
import type { WrittenYaml } from "../../core/yaml/read.ts";

/** A problem of a definition: a message, and the path to its subject: `["tasks", 0, "query"]`. */
export interface ValidationFinding {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The problem is the key at the path, not its value. */
  readonly ofKey?: true;
  /** A position in the file that is more precise than that of the path. */
  readonly position?: Position | undefined;
}

export const finding = (message: string, ...path: ValidationFinding["path"]): ValidationFinding => ({
  path,
  message,
});

/** A message with file, line and column in compiler format: `definition.yaml:12:5: …`. */
export function located(
  path: string,
  written: WrittenYaml | undefined,
): (found: ValidationFinding) => string {
  return ({ path: subject, message, ofKey, position }) => {
    const at = position ?? (ofKey ? written?.positionOfKey(subject) : written?.positionOf(subject));
    return at ? `${path}:${at.line}:${at.column}: ${message}` : `${path}: ${message}`;
  };
}
