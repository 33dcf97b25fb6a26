import { isSecretKey, secretMask } from "@lakehelm/contract/connections";
import { decodeJson } from "@lakehelm/contract/schema";
import { parseDocument } from "yaml";
import { extractSecrets } from "../../core/secrets/encrypted-map.ts";
import { longestYaml, readYaml } from "../../core/yaml.ts";
import { addressFindings } from "./address-secrets.ts";
import { sizeProblem } from "./definition.ts";
import { finding, located, pathText, type ValidationFinding } from "./validation-finding.ts";

/** Reports literal secrets in a value. */
export function secretFindings(value: unknown): ValidationFinding[] {
  return secretPaths(extractSecrets({ value }).masked.value, []).map((path) =>
    finding(`${pathText(path)}: A secret must be a reference: {{secrets/<scope>/<key>}}.`, ...path),
  );
}

function secretPaths(value: unknown, path: ValidationFinding["path"]): ValidationFinding["path"][] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => secretPaths(item, [...path, at]));
  return Object.entries(value).flatMap(([key, item]) =>
    item === secretMask && isSecretKey(key) ? [[...path, key]] : secretPaths(item, [...path, key]),
  );
}

/** Checks the JSON and YAML files of a design; skips files that do not parse. */
export function secretProblemsInFile(path: string, content: string): string[] {
  const isYaml = /\.ya?ml$/i.test(path);
  if (!isYaml && !/\.json$/i.test(path)) return [];
  // Parsing YAML is slow and blocks the event loop.
  if (isYaml && content.length > longestYaml) {
    return [`${path}: It has more than ${longestYaml} characters.`];
  }
  const value = isYaml ? valueOfYaml(content) : valueOfJson(content);
  if (isYaml && sizeProblem(value) !== undefined) return [`${path}: It has too many values.`];
  const found = [...secretFindings(value), ...addressFindings(value)];
  if (found.length === 0) return [];
  const read = readYaml(content);
  return found.map(located(path, "value" in read ? read : undefined));
}

function valueOfJson(content: string): unknown {
  const read = decodeJson(content);
  return "value" in read ? read.value : undefined;
}

/** Accepts anchors and other features that definitions must not use. */
function valueOfYaml(content: string): unknown {
  try {
    const document = parseDocument(content, { prettyErrors: false, uniqueKeys: false });
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    return undefined;
  }
}
