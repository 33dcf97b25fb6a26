import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import { everyNode, type Identifier, identifierOf, isNode, type SyntaxNode } from "./syntax-tree.ts";

/** Which words of a text the library took for names. */
export interface RecognizedNames {
  /** By the number of the token. */
  readonly identifiers: ReadonlySet<number>;
  /** Names (lower case) whose place the library lost. */
  readonly unlocated: ReadonlySet<string>;
  /** The tables and SELECTs in the tree: each must be looked at by whoever reads it. */
  readonly relations: readonly SyntaxNode[];
  /** Whether there are parameters such as `:x`. */
  readonly hasParameters: boolean;
  /** Places where the library cut the text into other words than Spark does. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the names in the tree with the words in the text. */
export function recognizeNames(
  statement: SyntaxNode,
  tokens: readonly SqlToken[],
  toOffset: (characters: number) => number,
): RecognizedNames {
  const starts = new Map(tokens.map((token, index) => [token.start, index]));
  const ends = once(() => new Map(tokens.map((token, index) => [token.end, index])));
  const named = new Set<number>();
  const unplaced = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const parts: SyntaxNode[] = [];
  let parameters = false;
  const place = ({ name, from, to }: Identifier & { readonly from: number; readonly to: number }) => {
    const first = starts.get(toOffset(from));
    // A name of several parts, such as the one in `s.t.*`, comes as one.
    const last = tokens[first ?? -1]?.end === toOffset(to) ? first : ends().get(toOffset(to));
    const words = first === undefined || last === undefined ? [] : tokens.slice(first, last + 1);
    const written = words.map(({ value }) => value).join("");
    if (first !== undefined && words[0]?.kind === "string") {
      diagnostics.push({
        at: words[0].start,
        message: `${words[0].text} is a string: a name goes in backticks.`,
      });
    } else if (first === undefined || written.toLowerCase() !== name.toLowerCase()) {
      diagnostics.push({
        at: toOffset(from),
        message: "this is not read the same way everywhere: write it in a plainer way.",
      });
    } else for (let index = first; index <= (last ?? first); index += 1) named.add(index);
  };
  everyNode(statement, (node) => {
    const name = identifierOf(node);
    if (isNode(node.parameter)) parameters = true;
    const part = node.table ?? node.select;
    if (isNode(part) && Object.keys(node).length === 1) parts.push(part);
    if (name === undefined) for (const lost of unlocatedNames(node)) unplaced.add(lost.toLowerCase());
    else if (isLocated(name)) place(name);
    else for (const part of name.name.toLowerCase().split(".")) unplaced.add(part);
  });
  return {
    identifiers: named,
    unlocated: unplaced,
    relations: parts,
    hasParameters: parameters,
    diagnostics,
  };
}

const isLocated = (name: Identifier): name is Identifier & { readonly from: number; readonly to: number } =>
  name.from !== undefined && name.to !== undefined;

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Kinds of nodes that hold names as mere text: fields of structs, paths into variants, aliases of LATERAL. */
function unlocatedNames(node: SyntaxNode): readonly string[] {
  const { fields, lateral, collation, j_s_o_n_extract: path } = node;
  if (!(fields || lateral || collation || path)) return [];
  const texts: unknown[] = [];
  if (Array.isArray(fields) && "data_type" in node) {
    for (const field of fields) if (isNode(field)) texts.push(field.name);
  }
  if (isNode(lateral)) {
    texts.push(lateral.alias);
    if (Array.isArray(lateral.column_aliases)) texts.push(...lateral.column_aliases);
  }
  if (isNode(collation)) texts.push(collation.collation);
  if (isNode(path)) texts.push(...pathWords(path));
  return texts.filter((text) => typeof text === "string");
}

/** The words of `b` and `c` in `a:b.c[0]`, quoted ones whole. */
function pathWords({ expression }: SyntaxNode): readonly string[] {
  const literal = isNode(expression) ? expression.literal : undefined;
  const value = isNode(literal) ? literal.value : undefined;
  if (typeof value !== "string") return [];
  return [value, ...(value.match(/[\w ]+/g) ?? [])];
}
