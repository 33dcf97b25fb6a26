import {
  fieldsPerNode,
  nodeFields,
  type Position,
  parseYaml,
  type YamlMode,
  type YamlProblem,
} from "./parse.ts";
import { parseInThread } from "./parser.ts";

/** The path to a value: `["tasks", 0, "query"]`. */
type Path = readonly (string | number)[];

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

interface YamlOptions {
  /** The owner of the text: owners take turns. */
  readonly owner: string;
  readonly mode?: YamlMode;
  readonly maxLength?: number;
}

/** Parsing this many characters takes up to a second. */
export const longestYaml = 100_000;

/** Shorter texts take at most 10 ms. */
const longestOnEventLoop = 1_000;

/** Parses YAML or JSON. A long text is parsed in another thread, where it does not delay other requests. */
export async function readYaml(
  text: string,
  { owner, mode = "strict", maxLength = longestYaml }: YamlOptions,
): Promise<WrittenYaml | { readonly problems: readonly YamlProblem[] }> {
  if (text.length > maxLength) {
    return { problems: [{ line: 1, column: 1, message: `It has more than ${maxLength} characters.` }] };
  }
  const parsed =
    text.length <= longestOnEventLoop ? parseYaml(text, mode) : await parseInThread(text, mode, owner);
  if ("problems" in parsed) return parsed;
  return written(text, parsed.value, parsed.nodes);
}

function written(text: string, value: unknown, nodes: Int32Array): WrittenYaml {
  const field = (node: number, name: keyof typeof nodeFields) =>
    nodes[node * fieldsPerNode + nodeFields[name]] ?? 0;
  const position = (node: number): Position => ({
    line: Math.max(field(node, "line"), 1),
    column: Math.max(field(node, "column"), 1),
  });
  /** The children of a value by key or index. Built once for each: a text may have thousands of problems. */
  const known = new Map<number, ReadonlyMap<string, readonly [node: number, value: unknown]>>();
  const childrenOf = (node: number, parent: object) => {
    let children = known.get(node);
    if (!children) {
      let next = node + 1;
      children = new Map(
        Object.entries(parent).map(([key, child]) => {
          const at = next;
          next += field(at, "size");
          return [key, [at, child]];
        }),
      );
      known.set(node, children);
    }
    return children;
  };
  const find = (path: Path) => {
    let found: readonly [node: number, value: unknown] = [0, value];
    for (const step of path) {
      const [node, parent] = found;
      const child =
        typeof parent === "object" && parent !== null
          ? childrenOf(node, parent).get(String(step))
          : undefined;
      if (!child) return { node, value: parent, isMissing: true };
      found = child;
    }
    return { node: found[0], value: found[1], isMissing: false };
  };
  let lines: readonly string[] | undefined;
  return {
    value,
    positionOf: (path) => position(find(path).node),
    positionOfKey(path) {
      const { node, isMissing } = find(path);
      if (isMissing || path.length === 0) return position(node);
      return { line: field(node, "keyLine"), column: field(node, "keyColumn") };
    },
    positionIn(path, inner) {
      const { node, value: block } = find(path);
      if (typeof block !== "string" || field(node, "isBlockLiteral") === 0) return undefined;
      lines ??= text.split("\n");
      const line = position(node).line + inner.line;
      const content = block.split("\n")[inner.line - 1] ?? "";
      return { line, column: (lines[line - 1] ?? "").length - content.length + inner.column };
    },
  };
}
