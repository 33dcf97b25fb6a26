import {
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from "yaml";

/** The path to a value: `["tasks", 0, "query"]`. */
type Path = readonly (string | number)[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed YAML text with the source locations of its values. */
export interface WrittenYaml {
  readonly value: unknown;
  /** The location of a value; for a missing value, the location of its parent. */
  positionOf(path: Path): Position;
  /** The location of the last key of a path. */
  positionOfKey(path: Path): Position;
  /** The location of a line and column inside a block text (`query: |`). */
  positionIn(path: Path, inner: Position): Position | undefined;
}

export interface YamlProblem extends Position {
  readonly message: string;
}

interface YamlOptions {
  readonly maxLength?: number;
  /** Numbers and booleans are texts, as they are written: 1.0 stays 1.0. */
  readonly asText?: boolean;
}

/** Parsing that many takes up to half a second, which blocks all other requests. */
export const longestYaml = 100_000;

/**
 * Parses one unambiguous document: no duplicate keys, no anchors (a few can expand to gigabytes), no tags, no numbers
 * that JSON lacks. JSON is valid input, too.
 */
export function readYaml(
  text: string,
  { maxLength = longestYaml, asText = false }: YamlOptions = {},
): WrittenYaml | { readonly problems: readonly YamlProblem[] } {
  if (text.length > maxLength) return { problems: [atStart(`It has more than ${maxLength} characters.`)] };
  const lines = new LineCounter();
  const positionAt = (offset = 0): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    // Duplicate keys are found below: the library compares every pair, which takes 3 s for 12,000 keys.
    const options = { prettyErrors: false, lineCounter: lines, intAsBigInt: true, uniqueKeys: false };
    const document = parseDocument(text, options);
    const unread = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
      ...positionAt(pos[0]),
      message: ownWords[code] ?? `${message.split("\n")[0]}.`.replace(/\.\.$/, "."),
    }));
    const problems =
      unread.length > 0
        ? unread
        : unsupported(document).map(([message, node]) => ({ ...positionAt(node?.range?.[0]), message }));
    if (problems.length > 0) return { problems };
    if (asText) keepText(document);
    return {
      value: withPlainNumbers(document.toJS()),
      positionOf: (path) => positionAt(nodeAt(document, path)?.range?.[0]),
      positionOfKey(path) {
        const parent = nodeAt(document, path.slice(0, -1));
        const key = isMap(parent) ? pairAt(parent, path.at(-1))?.key : undefined;
        return positionAt((isScalar(key) ? key : parent)?.range?.[0]);
      },
      positionIn(path, inner) {
        const node = nodeAt(document, path);
        if (!isScalar(node) || node.type !== Scalar.BLOCK_LITERAL) return undefined;
        const line = positionAt(node.range?.[0]).line + inner.line;
        const written = text.split("\n")[line - 1] ?? "";
        const content = String(node.value).split("\n")[inner.line - 1] ?? "";
        return { line, column: written.length - content.length + inner.column };
      },
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Stack overflow: thousands of nested brackets.
    return { problems: [atStart("It is nested too deeply.")] };
  }
}

/** Replacements for messages in which the library names its own functions. */
const ownWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: "A second document starts here. Send one document.",
};

const atStart = (message: string): YamlProblem => ({ line: 1, column: 1, message });

/** What YAML parsers interpret differently, or JSON cannot represent. */
function unsupported(document: Document.Parsed): [message: string, node: Node | null][] {
  const found: [string, Node | null][] = [];
  // One visitor for all nodes: a visitor for maps would hide maps from the others.
  visit(document, {
    Node(_, node) {
      if (isAlias(node) || node.anchor !== undefined)
        found.push(["Anchors and aliases are not supported.", node]);
      if (node.tag !== undefined) found.push([`Tags are not supported: ${node.tag}.`, node]);
      if (isMap(node)) found.push(...invalidKeys(node));
      if (!isScalar(node)) return;
      if (typeof node.value === "number" && !Number.isFinite(node.value)) {
        found.push([`${node.source ?? node.value} is not a JSON number.`, node]);
      }
      if (typeof node.value === "string" && !node.value.isWellFormed()) {
        found.push(["The text contains an unpaired surrogate.", node]);
      }
    },
  });
  return found;
}

function invalidKeys({ items }: YAMLMap): [message: string, node: Node | null][] {
  const known = new Set<string>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key) || key.value === null) return [["A key must be a string.", key as Node | null]];
    const name = String(key.value);
    if (known.has(name)) return [[`Duplicate key ${JSON.stringify(name)}.`, key]];
    known.add(name);
    return [];
  });
}

function keepText(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== "string" && node.value !== null)
        node.value = node.source ?? String(node.value);
    },
  });
}

/** Integers as in our JSON parser: beyond 2^53 they keep their digits. */
function withPlainNumbers(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainNumbers(item)]));
}

const pairAt = ({ items }: YAMLMap, step: string | number | undefined) =>
  items.find(({ key }) => isScalar(key) && String(key.value) === String(step));

function nodeAt(document: Document.Parsed, path: Path): Node | null {
  let node: Node | null = document.contents;
  for (const step of path) {
    if (!isCollection(node)) return node;
    const inner: unknown = isMap(node) ? pairAt(node, step)?.value : node.get(step, true);
    if (inner === undefined || inner === null) return node;
    node = inner as Node;
  }
  return node;
}
