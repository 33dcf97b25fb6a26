import { limits } from "../limits.ts";
import type { Problems } from "../problems.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import type { SourceText } from "./source-text.ts";
import type { Tree } from "./tree.ts";

/**
 * Reads a file in YAML or JSON, with the locations of its values. Undefined: the file has a problem, which is reported.
 */
export async function readDocument(source: SourceText, problems: Problems): Promise<Tree | undefined> {
  if (source.text.length > limits.document) {
    const message = `The file has more than ${limits.document} characters. Split it.`;
    problems.error({ source, at: 0 }, message);
    return undefined;
  }
  const plain = readPlainYaml(source);
  if (plain) return plain;
  const { readYaml } = await import("./yaml-document.ts");
  return readYaml(source, problems);
}
