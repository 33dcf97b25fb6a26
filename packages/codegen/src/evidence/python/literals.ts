import type { PythonNode } from "./syntax-tree.ts";

const opening = /^([a-z]*)('''|"""|'|")/i;

/** A string literal taken apart; nothing where its closing quotes are missing. */
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

/** Python's escapes in the inner text of a literal; a raw one has none. Undefined: an escape Python would refuse or warn of. */
export function unescaped(inner: string, prefix: string): string | undefined {
  if (prefix.includes("r") || !inner.includes("\\")) return inner;
  let sound = true;
  const text = inner.replace(escapes, (whole, octal, hex, short, long, one) => {
    const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long ?? "", 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    const meant = simple[one];
    if (meant === undefined) sound = false;
    return meant ?? whole;
  });
  return sound ? text : undefined;
}

/** A string by itself, not a piece of one that Python puts together. */
export const isWholeString = ({ name, parent: above }: PythonNode): boolean =>
  (name === "String" || name === "FormatString" || name === "ContinuedString") &&
  above?.name !== "ContinuedString";

/** The text that a literal, or several that Python puts together, stands for. Undefined: bytes, or not a plain literal. */
export function literalText(part: PythonNode, source: string): string | undefined {
  const inside = withoutParentheses(part);
  if (inside.name === "ContinuedString") {
    const texts = inside.children
      .filter(({ name }) => name !== "Comment")
      .map((one) => literalText(one, source));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }
  if (inside.name !== "String") return undefined;
  const literal = openLiteral(source.slice(inside.from, inside.to));
  return literal && !literal.prefix.includes("b") ? unescaped(literal.inner, literal.prefix) : undefined;
}

/** The text of a format string, each replacement a plain word: enough to read the SQL around it. */
export function templateText(part: PythonNode, source: string, word: string): string | undefined {
  const inside = withoutParentheses(part);
  if (inside.name === "ContinuedString") {
    const texts = inside.children.map((one) => literalText(one, source) ?? templateText(one, source, word));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }
  if (inside.name !== "FormatString") return undefined;
  const replaced = inside.children
    .filter(({ name }) => name === "FormatReplacement")
    .reduceRight(
      (text, { from, to }) => text.slice(0, from - inside.from) + word + text.slice(to - inside.from),
      source.slice(inside.from, inside.to),
    );
  const literal = openLiteral(replaced);
  return literal && unescaped(literal.inner.replaceAll("{{", "{").replaceAll("}}", "}"), literal.prefix);
}

/** `("a")` is "a". */
export function withoutParentheses(part: PythonNode): PythonNode {
  const [open, inside, close] = part.children;
  const wrapped = part.name === "ParenthesizedExpression" && open && inside && close?.name === ")";
  return wrapped ? withoutParentheses(inside) : part;
}
