import type { Position, WrittenYaml } from "../../core/yaml.ts";

/** Something wrong with a definition: a sentence, and the path to what it is about: `["tasks", 0, "query"]`. */
export interface Finding {
  readonly place: readonly (string | number)[];
  readonly sentence: string;
  /** It is about the key at its place, and not about the value. */
  readonly ofKey?: true;
  /** Where it stands in the file, where that is known better than by its place. */
  readonly position?: Position | undefined;
}

export const finding = (sentence: string, ...place: Finding["place"]): Finding => ({ place, sentence });

/** `tasks[0].kind` */
export const placeOf = (place: Finding["place"]) =>
  place.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** A sentence with file, line and column, as compilers have it: `definition.yaml:12:5: …`. */
export function located(path: string, written: WrittenYaml | undefined): (found: Finding) => string {
  return ({ place, sentence, ofKey, position }) => {
    const at = position ?? (ofKey ? written?.positionOfKey(place) : written?.positionOf(place));
    return at ? `${path}:${at.line}:${at.column}: ${sentence}` : `${path}: ${sentence}`;
  };
}
