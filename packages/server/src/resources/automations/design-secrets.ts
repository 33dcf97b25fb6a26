import { secretMask } from "@lakehelm/contract/connections";
import { decodeJson } from "@lakehelm/contract/schema";
import { pathText } from "../../core/secrets/references.ts";
import { extractSecrets } from "../../core/secrets/secret-extraction.ts";
import { readYaml } from "../../core/yaml/read.ts";
import { addressFindings } from "./address-secrets.ts";
import { sizeProblem } from "./definition.ts";
import { finding, located, type ValidationFinding } from "./validation-finding.ts";

/** Reports literal secrets in a value. */
export function secretFindings(value: unknown): ValidationFinding[] {
  const { masked, secrets, unknownPaths } = extractSecrets({ value }, {}, { onlyNamed: true });
  const found = Object.keys(secrets).map((location): ValidationFinding["path"] => JSON.parse(location));
  return (
    [...found, ...unknownPaths]
      // Secrets inside URLs are reported separately.
      .filter((path) => path.reduce<unknown>(childOf, masked) === secretMask)
      .map(([, ...path]) =>
        finding(`${pathText(path)}: A secret must be a reference: {{secrets/<scope>/<key>}}.`, ...path),
      )
  );
}

const childOf = (value: unknown, key: string | number): unknown =>
  (value as Readonly<Record<string | number, unknown>>)[key];

/** Checks the JSON and YAML files of a design, with anchors, too; skips files that do not parse. */
export async function secretProblemsInFile(path: string, content: string, owner: string): Promise<string[]> {
  const isYaml = /\.ya?ml$/i.test(path);
  if (!isYaml && !/\.json$/i.test(path)) return [];
  const parsed = isYaml
    ? await readYaml(content, { owner, mode: "lenient" })
    : { value: valueOfJson(content) };
  if ("problems" in parsed) return parsed.problems.map(({ message }) => `${path}: ${message}`);
  const { value } = parsed;
  if (isYaml && sizeProblem(value) !== undefined) return [`${path}: It has too many values.`];
  const found = [...secretFindings(value), ...addressFindings(value)];
  if (found.length === 0) return [];
  const read = await readYaml(content, { owner });
  return found.map(located(path, "value" in read ? read : undefined));
}

function valueOfJson(content: string): unknown {
  const read = decodeJson(content);
  return "value" in read ? read.value : undefined;
}
