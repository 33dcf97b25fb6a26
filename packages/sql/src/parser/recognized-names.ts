import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import { everyNode, type Identifier, identifierOf, isNode, type SyntaxNode } from "./syntax-tree.ts";

/** Which tokens of a text the parser read as names. */
export interface RecognizedNames {
  /** Indexes of tokens. */
  readonly identifiers: ReadonlySet<number>;
  /** Names (lower case) whose location the parser does not keep. */
  readonly unlocated: ReadonlySet<string>;
  /** The tables and SELECTs in the tree. The analysis must visit each of them. */
  readonly relations: readonly SyntaxNode[];
  /** Whether the text has parameters such as `:x`. */
  readonly hasParameters: boolean;
  /** Locations where the parser splits the text into other tokens than Spark does. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the names in the tree with the tokens of the text. */
export function recognizeNames(
  statement: SyntaxNode,
  tokens: readonly SqlToken[],
  toOffset: (characters: number) => number,
): RecognizedNames {
  const starts = new Map(tokens.map((token, index) => [token.start, index]));
  const ends = once(() => new Map(tokens.map((token, index) => [token.end, index])));
  const identifiers = new Set<number>();
  const unlocated = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const relations: SyntaxNode[] = [];
  let hasParameters = false;
  const locate = ({ name, from, to }: Identifier & { readonly from: number; readonly to: number }) => {
    const first = starts.get(toOffset(from));
    // A name of several parts, as in `s.t.*`, is one identifier.
    const last = tokens[first ?? -1]?.end === toOffset(to) ? first : ends().get(toOffset(to));
    const words = first === undefined || last === undefined ? [] : tokens.slice(first, last + 1);
    const written = words.map(({ value }) => value).join("");
    if (first !== undefined && words[0]?.kind === "string") {
      diagnostics.push({
        at: words[0].start,
        message: `${words[0].text} is a string: put a name in backticks.`,
      });
    } else if (first === undefined || written.toLowerCase() !== name.toLowerCase()) {
      diagnostics.push({
        at: toOffset(from),
        message: "engines read this in different ways: write it in a simpler form.",
      });
    } else for (let index = first; index <= (last ?? first); index += 1) identifiers.add(index);
  };
  everyNode(statement, (node) => {
    const name = identifierOf(node);
    if (isNode(node.parameter)) hasParameters = true;
    const part = node.table ?? node.select;
    if (isNode(part) && Object.keys(node).length === 1) relations.push(part);
    if (name === undefined) for (const lost of unlocatedNames(node)) unlocated.add(lost.toLowerCase());
    else if (isLocated(name)) locate(name);
    else for (const part of name.name.toLowerCase().split(".")) unlocated.add(part);
  });
  return { identifiers, unlocated, relations, hasParameters, diagnostics };
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

/** Names that the tree keeps as plain text: struct fields, paths into variants, aliases of LATERAL. */
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

/** The words `b` and `c` of `a:b.c[0]`. A quoted word is not split. */
function pathWords({ expression }: SyntaxNode): readonly string[] {
  const literal = isNode(expression) ? expression.literal : undefined;
  const value = isNode(literal) ? literal.value : undefined;
  if (typeof value !== "string") return [];
  return [value, ...(value.match(/[\w ]+/g) ?? [])];
}
