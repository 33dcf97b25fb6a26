import type { Position, WrittenYaml } from "../../core/yaml.ts";

/** A problem of a definition: a message, and the path to its subject: `["tasks", 0, "query"]`. */
export interface ValidationFinding {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** It is about the key at its path, not about the value. */
  readonly ofKey?: true;
  /** A more precise position in the file than that of its path. */
  readonly position?: Position | undefined;
}

export const finding = (message: string, ...place: ValidationFinding["path"]): ValidationFinding => ({
  path: place,
  message,
});

/** `tasks[0].kind` */
export const pathText = (place: ValidationFinding["path"]) =>
  place.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** A message with file, line and column in compiler format: `definition.yaml:12:5: …`. */
export function located(
  path: string,
  written: WrittenYaml | undefined,
): (found: ValidationFinding) => string {
  return ({ path: place, message, ofKey, position }) => {
    const at = position ?? (ofKey ? written?.positionOfKey(place) : written?.positionOf(place));
    return at ? `${path}:${at.line}:${at.column}: ${message}` : `${path}: ${message}`;
  };
}
