import { decodeJson } from "@lakehelm/contract/schema";
import { parseDocument } from "yaml";
import { extractSecrets, isSecretKey, mask } from "../secrets/mask.ts";
import { sizeProblem } from "./definition.ts";

type Place = readonly (string | number)[];

/** The value that a text holds, or one sentence that says why there is none. */
type Read = { readonly value: unknown } | { readonly problem: string };

export function readYaml(text: string): Read {
  try {
    const document = parseDocument(text, { prettyErrors: false });
    const [first] = document.errors;
    return first ? { problem: first.message } : { value: document.toJS() };
  } catch {
    // Aliases of aliases, or brackets without end.
    return { problem: "It is no YAML that can be read in reasonable time." };
  }
}

/** `tasks[0].kind` */
export const placeOf = (loc: Place) =>
  loc.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** Secrets that stand in a value instead of being referred to. */
export function secretProblems(value: unknown): string[] {
  return secretPlaces(extractSecrets({ value }).masked.value, []).map(
    (place) => `${placeOf(place)}: A secret must be a reference: {{secrets/<scope>/<key>}}.`,
  );
}

function secretPlaces(value: unknown, place: Place): Place[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => secretPlaces(item, [...place, at]));
  return Object.entries(value).flatMap(([key, item]) =>
    item === mask && isSecretKey(key) ? [[...place, key]] : secretPlaces(item, [...place, key]),
  );
}

const longestYaml = 100_000;

/** Looks into JSON and YAML files of a design; one that does not parse is left to whoever it is for. */
export function secretProblemsInFile(path: string, content: string): string[] {
  if (/\.json$/i.test(path)) {
    const read = decodeJson(content);
    return "value" in read ? secretProblems(read.value) : [];
  }
  if (!/\.ya?ml$/i.test(path)) return [];
  // YAML is read slowly, and meanwhile nobody else is served.
  if (content.length > longestYaml) return [`It has more than ${longestYaml} characters.`];
  const read = readYaml(content);
  if (!("value" in read)) return [];
  return sizeProblem(read.value) === undefined ? secretProblems(read.value) : ["It has too many values."];
}
