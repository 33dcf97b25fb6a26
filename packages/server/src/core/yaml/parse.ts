import { maxNesting } from "@lakehelm/contract/schema";
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from "yaml";

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlProblem extends Position {
  readonly message: string;
}

/**
 * - `strict`: one unambiguous document: no duplicate keys, no anchors (a few can expand to gigabytes), no tags, no
 *   numbers that JSON lacks.
 * - `text`: the same, but numbers and booleans are texts, as they are written: 1.0 stays 1.0.
 * - `lenient`: whatever the library can read; the value of any other text is undefined. There are no positions.
 */
export type YamlMode = "strict" | "text" | "lenient";

/** A parsed text, in a form that can be sent between threads. */
export type ParsedYaml =
  | { readonly problems: readonly YamlProblem[] }
  | {
      readonly value: unknown;
      /** `fieldsPerNode` numbers for each value, parents before children, in the order of Object.keys. */
      readonly nodes: Int32Array<ArrayBuffer>;
    };

/** The fields of a value in `nodes`. Its size is the number of values in it, including itself. */
export const nodeFields = {
  line: 0,
  column: 1,
  keyLine: 2,
  keyColumn: 3,
  size: 4,
  isBlockLiteral: 5,
} as const;
export const fieldsPerNode = 6;

/** A text with 99,000 closing brackets has as many errors, and a response has at most 100. */
const maxProblems = 100;

/** Parses YAML or JSON. The library takes up to 10 µs for each character. */
export function parseYaml(text: string, mode: YamlMode): ParsedYaml {
  const { stackTraceLimit } = Error;
  // The library creates an error for each problem. Stack traces take two thirds of the time.
  Error.stackTraceLimit = 0;
  try {
    return mode === "lenient" ? parseLeniently(text) : parseStrictly(text, mode);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Stack overflow: thousands of nested brackets.
    return mode === "lenient"
      ? withoutPositions(undefined)
      : { problems: [atStart("It is nested too deeply.")] };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const withoutPositions = (value: unknown): ParsedYaml => ({ value, nodes: new Int32Array(0) });

function parseLeniently(text: string): ParsedYaml {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  if (document.errors.length > 0) return withoutPositions(undefined);
  try {
    return withoutPositions(document.toJS());
  } catch (error) {
    // An alias without an anchor, or too many of them.
    if (error instanceof ReferenceError) return withoutPositions(undefined);
    throw error;
  }
}

function parseStrictly(text: string, mode: YamlMode): ParsedYaml {
  const lines = new LineCounter();
  const positionAt = (offset = 0): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // Duplicate keys are found below: the library compares every pair, which takes 3 s for 12,000 keys.
  const options = { prettyErrors: false, lineCounter: lines, intAsBigInt: true, uniqueKeys: false };
  const document = parseDocument(text, options);
  const unread = [...document.errors, ...document.warnings].slice(0, maxProblems);
  if (unread.length > 0) {
    return {
      problems: unread.map(({ pos, code, message }) => ({
        ...positionAt(pos[0]),
        message: ownWords[code] ?? `${message.split("\n")[0]}.`.replace(/\.\.$/, "."),
      })),
    };
  }
  const found = unsupported(document);
  if (found.length > 0) {
    return { problems: found.map(([message, node]) => ({ ...positionAt(node?.range?.[0]), message })) };
  }
  if (mode === "text") keepText(document);
  const value = withPlainNumbers(document.toJS());
  return { value, nodes: nodesOf(value, document.contents, positionAt) };
}

/** Replacements for messages that name functions of the library or of the program. */
const ownWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: "A second document starts here. Send one document.",
  RESOURCE_EXHAUSTION: "It is nested too deeply.",
};

const atStart = (message: string): YamlProblem => ({ line: 1, column: 1, message });

/** What YAML parsers interpret differently, or JSON cannot represent. */
function unsupported(document: Document.Parsed): [message: string, node: Node | null][] {
  const found: [string, Node | null][] = [];
  // One visitor for all nodes: a visitor for maps would hide maps from the others.
  visit(document, {
    Node(_, node) {
      if (found.length >= maxProblems) return visit.BREAK;
      if (isAlias(node) || node.anchor !== undefined)
        found.push(["Anchors and aliases are not supported.", node]);
      if (node.tag !== undefined) found.push([`Tags are not supported: ${node.tag}.`, node]);
      if (isMap(node)) found.push(...invalidKeys(node).slice(0, maxProblems));
      if (!isScalar(node)) return undefined;
      if (typeof node.value === "number" && !Number.isFinite(node.value)) {
        found.push([`${node.source ?? node.value} is not a JSON number.`, node]);
      }
      if (typeof node.value === "string" && !node.value.isWellFormed()) {
        found.push(["The text contains an unpaired surrogate.", node]);
      }
      return undefined;
    },
  });
  return found.slice(0, maxProblems);
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

/** The positions of all values of a document. A value that is not written (`{a}`) has the position of its parent. */
function nodesOf(
  root: unknown,
  contents: Node | null,
  positionAt: (offset?: number) => Position,
): Int32Array<ArrayBuffer> {
  const numbers: number[] = [];
  const add = (value: unknown, node: Node | null, parent: Position, key: Position, depth: number): void => {
    if (depth > maxNesting) throw new RangeError("nested too deeply");
    const at = numbers.length;
    const position = node?.range ? positionAt(node.range[0]) : parent;
    const isBlockLiteral = isScalar(node) && node.type === Scalar.BLOCK_LITERAL ? 1 : 0;
    numbers.push(position.line, position.column, key.line, key.column, 0, isBlockLiteral);
    if (isSeq(node) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        add(item, (node.items[index] ?? null) as Node | null, position, position, depth + 1);
      }
    } else if (isMap(node) && typeof value === "object" && value !== null) {
      const pairs = new Map(node.items.map((pair) => [String((pair.key as Scalar).value), pair]));
      for (const [name, item] of Object.entries(value)) {
        const pair = pairs.get(name);
        const keyAt = positionAt((pair?.key as Scalar | undefined)?.range?.[0]);
        add(item, (pair?.value ?? null) as Node | null, position, keyAt, depth + 1);
      }
    }
    numbers[at + nodeFields.size] = (numbers.length - at) / fieldsPerNode;
  };
  const start = { line: 1, column: 1 };
  add(root, contents, start, start, 0);
  return Int32Array.from(numbers);
}
