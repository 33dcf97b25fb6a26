import type { PythonNode } from "./syntax-tree.ts";

const opening = /^([a-z]*)('''|"""|'|")/i;

/** The pieces of a string literal; undefined if its closing quotes are missing. */
export function openLiteral(source: string): { prefix: string; quotes: string; inner: string } | undefined {
  const [start, prefix = "", quotes = ""] = opening.exec(source) ?? [];
  if (start === undefined || source.length < start.length + quotes.length) return undefined;
  const inner = source.slice(start.length, -quotes.length);
  const closed = source.endsWith(quotes) && !/(?<!\\)(?:\\\\)*\\$/.test(inner);
  return closed ? { prefix: prefix.toLowerCase(), quotes, inner } : undefined;
}

const simple: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escapes = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;

/**
 * The text of a literal with its escapes replaced; a raw literal has none. Undefined: Python refuses or warns about an
 * escape.
 */
export function unescaped(inner: string, prefix: string): string | undefined {
  if (prefix.includes("r") || !inner.includes("\\")) return inner;
  let valid = true;
  const text = inner.replace(escapes, (whole, octal, hex, short, long, one) => {
    const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long ?? "", 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    const character = simple[one];
    if (character === undefined) valid = false;
    return character ?? whole;
  });
  return valid ? text : undefined;
}

/** A whole string, not a piece of a concatenated one. */
export const isWholeString = ({ name, parent }: PythonNode): boolean =>
  (name === "String" || name === "FormatString" || name === "ContinuedString") &&
  parent?.name !== "ContinuedString";

/**
 * The value of a literal, or of several literals that Python concatenates. Undefined for bytes, and for format strings
 * that contain anything but the names in `variables`.
 */
export function literalText(
  node: PythonNode,
  source: string,
  variables: Readonly<Record<string, string>> = {},
): string | undefined {
  const inner = withoutParentheses(node);
  if (inner.name === "ContinuedString") {
    const texts = inner.children
      .filter(({ name }) => name !== "Comment")
      .map((one) => literalText(one, source, variables));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }
  if (inner.name === "FormatString") return filledText(inner, source, variables);
  if (inner.name !== "String") return undefined;
  const literal = openLiteral(source.slice(inner.from, inner.to));
  return literal && !literal.prefix.includes("b") ? unescaped(literal.inner, literal.prefix) : undefined;
}

/** The text of a format string whose replacements are all known names. */
function filledText(
  node: PythonNode,
  source: string,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  const literal = openLiteral(source.slice(node.from, node.to));
  const replaced = node.children.filter(({ name }) => name === "FormatReplacement");
  if (!literal || replaced.length === 0) return undefined;
  const end = node.to - literal.quotes.length;
  let at = node.from + literal.prefix.length + literal.quotes.length;
  const texts: (string | undefined)[] = [];
  const piece = (to: number) =>
    unescaped(source.slice(at, to).replaceAll("{{", "{").replaceAll("}}", "}"), literal.prefix);
  for (const { from, to } of replaced) {
    const name = source.slice(from + 1, to - 1);
    texts.push(piece(from), Object.hasOwn(variables, name) ? variables[name] : undefined);
    at = to;
  }
  texts.push(piece(end));
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

/** The text of a format string with `word` for each replacement, which is enough to parse the SQL around it. */
export function templateText(node: PythonNode, source: string, word: string): string | undefined {
  const inner = withoutParentheses(node);
  if (inner.name === "ContinuedString") {
    const texts = inner.children.map((one) => literalText(one, source) ?? templateText(one, source, word));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }
  if (inner.name !== "FormatString") return undefined;
  const replaced = inner.children
    .filter(({ name }) => name === "FormatReplacement")
    .reduceRight(
      (text, { from, to }) => text.slice(0, from - inner.from) + word + text.slice(to - inner.from),
      source.slice(inner.from, inner.to),
    );
  const literal = openLiteral(replaced);
  return literal && unescaped(literal.inner.replaceAll("{{", "{").replaceAll("}}", "}"), literal.prefix);
}

/** `("a")` is "a". */
export function withoutParentheses(node: PythonNode): PythonNode {
  const [open, inner, close] = node.children;
  const wrapped = node.name === "ParenthesizedExpression" && open && inner && close?.name === ")";
  return wrapped ? withoutParentheses(inner) : node;
}
