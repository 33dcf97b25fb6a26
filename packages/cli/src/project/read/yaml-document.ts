import { maxNesting } from "@lakehelm/contract/schema";
import {
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  type YAMLError,
} from "yaml";
import type { Place, Problems } from "../problems.ts";
import type { SourceText } from "./source-text.ts";
import type { Entry, ScalarTree, Tree } from "./tree.ts";

/** Reads YAML or JSON with the library. Undefined: the file has a problem, which is reported. */
export function readYaml(source: SourceText, problems: Problems): Tree | undefined {
  const start = { source, at: 0 };
  const { stackTraceLimit } = Error;
  const { env } = process;
  // The library creates an error for each problem, and stack traces take two thirds of its time.
  Error.stackTraceLimit = 0;
  // The library reads an environment variable for each token. On `process.env` this is a system call, and takes a fifth
  // of the time; on a plain object it takes none.
  process.env = {};
  try {
    return parse(source, problems);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Stack overflow: thousands of nested brackets.
    problems.error(start, nestedTooDeeply);
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    process.env = env;
  }
}

const nestedTooDeeply = "It is nested too deeply.";
const noAliases = "Anchors and aliases are not supported. Write the value out, or use a variable.";

/** Replacements for messages that name the library's functions. */
const ownWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: "A second document starts here. Put it into a file of its own.",
  RESOURCE_EXHAUSTION: nestedTooDeeply,
};

function parse(source: SourceText, problems: Problems): Tree | undefined {
  // Duplicate keys are found below: the library compares each pair of keys, which takes 3 s for 12,000 keys.
  const options = { prettyErrors: false, intAsBigInt: true, uniqueKeys: false };
  const { errors, warnings, contents } = parseDocument(source.text, options);
  // Only the first error is reported, because after it the library guesses the structure, and further errors follow
  // from that.
  const root = [...errors, ...warnings].reduce<YAMLError | undefined>(
    (first, one) => (first && first.pos[0] <= one.pos[0] ? first : one),
    undefined,
  );
  if (root) {
    const { pos, code, message } = root;
    const words = ownWords[code] ?? `${message.split("\n")[0]}.`.replace(/\.\.$/, ".");
    problems.error({ source, at: pos[0] }, `This is not YAML: ${words}${quotesHint(source.text, pos[0])}`);
    return undefined;
  }
  const before = problems.count;
  const tree = treeOf(contents as Node | null, { source, at: 0 }, problems, 0);
  return problems.count > before ? undefined : tree;
}

/** In `{…}` and `[…]`, YAML reads the brace of a reference as the beginning of a map. */
function quotesHint(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at + 200).split("\n")[0] ?? "";
  return line.includes("${") ? " Put quotes around a value with ${…} inside of { } and [ ]." : "";
}

function treeOf(node: Node | null, parent: Place, problems: Problems, depth: number): Tree {
  if (depth > maxNesting) throw new RangeError("nested too deeply");
  const place = { source: parent.source, at: node?.range?.[0] ?? parent.at };
  if (node && (isAlias(node) || node.anchor !== undefined)) problems.error(place, noAliases);
  if (node?.tag !== undefined) problems.error(place, `Tags are not supported: ${node.tag}.`);
  if (isSeq(node)) {
    return {
      ...place,
      kind: "list",
      items: node.items.map((item) => treeOf(item as Node | null, place, problems, depth + 1)),
    };
  }
  if (isMap(node)) {
    const entries = new Map<string, Entry>();
    for (const { key, value } of node.items) {
      const keyPlace = { source: place.source, at: (key as Node | null)?.range?.[0] ?? place.at };
      if (!isScalar(key) || key.value === null) {
        problems.error(keyPlace, "A key must be a text.");
        continue;
      }
      const name = String(key.value);
      if (entries.has(name)) problems.error(keyPlace, `The key ${JSON.stringify(name)} is there twice.`);
      entries.set(name, {
        key: keyPlace,
        value: treeOf(value as Node | null, keyPlace, problems, depth + 1),
      });
    }
    return { ...place, kind: "map", entries };
  }
  return { ...place, ...scalarOf(node, place, problems) };
}

function scalarOf(node: Node | null, place: Place, problems: Problems): Omit<ScalarTree, keyof Place> {
  if (!isScalar(node)) return { kind: "scalar", value: null };
  const { value } = node;
  if (typeof value === "number" && !Number.isFinite(value))
    problems.error(place, `${node.source ?? value} is not a number in JSON.`);
  if (typeof value === "string" && !value.isWellFormed())
    problems.error(place, "The text contains an unpaired surrogate.");
  if (node.type === Scalar.BLOCK_LITERAL && typeof value === "string")
    return { kind: "scalar", value, block: blockOf(place) };
  return { kind: "scalar", value: plainScalar(value) };
}

/** The text of `|` begins on the next line. Its first line that is not blank determines the indentation. */
function blockOf({ source, at }: Place): { line: number; indent: number } {
  const start = source.text.indexOf("\n", at) + 1;
  const indent = /^(?:[ ]*\r?\n)*([ ]*)/.exec(source.text.slice(start, start + 10_000))?.[1]?.length ?? 0;
  return { line: source.locate(at).line + 1, indent };
}

function plainScalar(value: unknown): ScalarTree["value"] {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
