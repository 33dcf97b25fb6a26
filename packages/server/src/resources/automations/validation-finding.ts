import type { Position, WrittenYaml } from "../../core/yaml.ts";

/** Something wrong with a definition: a sentence, and the path to what it is about: `["tasks", 0, "query"]`. */
export interface ValidationFinding {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** It is about the key at its place, and not about the value. */
  readonly ofKey?: true;
  /** Where it stands in the file, where that is known better than by its place. */
  readonly position?: Position | undefined;
}

export const finding = (sentence: string, ...place: ValidationFinding["path"]): ValidationFinding => ({
  path: place,
  message: sentence,
});

/** `tasks[0].kind` */
export const pathText = (place: ValidationFinding["path"]) =>
  place.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** A sentence with file, line and column, as compilers have it: `definition.yaml:12:5: …`. */
export function located(
  path: string,
  written: WrittenYaml | undefined,
): (found: ValidationFinding) => string {
  return ({ path: place, message: sentence, ofKey, position }) => {
    const at = position ?? (ofKey ? written?.positionOfKey(place) : written?.positionOf(place));
    return at ? `${path}:${at.line}:${at.column}: ${sentence}` : `${path}: ${sentence}`;
  };
}
