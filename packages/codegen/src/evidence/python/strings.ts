import { openLiteral, unescaped } from "./literals.ts";
import { enclosing, type PythonNode } from "./syntax-tree.ts";

export function literalProblem({ from, to }: PythonNode, source: string): string | undefined {
  const literal = openLiteral(source.slice(from, to));
  if (!literal) return "Unterminated string.";
  if (unescaped(literal.inner, literal.prefix) === undefined) return "Invalid escape sequence.";
  return undefined;
}

const formatStrings = new Set(["FormatString"]);

/**
 * Before Python 3.12, a replacement in a format string cannot contain the string's own quotes, a backslash or, in most
 * strings, a line break.
 */
export function formatStringProblem(node: PythonNode, source: string): string | undefined {
  if (enclosing(node, formatStrings)) return "A format string is inside another one.";
  const replacements = node.children.filter(({ name }) => name === "FormatReplacement");
  const texts = replacements.map(({ from, to }) => source.slice(from, to));
  const expressions = replacements.map(({ from, to, children }) =>
    source.slice(from, children.find(({ name }) => name === "FormatSpec")?.from ?? to),
  );
  const withoutReplacements = replacements.reduceRight(
    (text, { from, to }) => text.slice(0, from - node.from) + text.slice(to - node.from),
    source.slice(node.from, node.to),
  );
  const literal = openLiteral(withoutReplacements);
  if (!literal) return "Unterminated string.";
  if (literal.inner.replaceAll("{{", "").replaceAll("}}", "").match(/[{}]/)) {
    return "A format string has an unmatched brace. Write a literal brace twice.";
  }
  if (expressions.some((text) => text.includes(literal.quotes) || /[\\#\n]/.test(text))) {
    return "A replacement in a format string contains its own quotes, a backslash, a comment or a line end.";
  }
  if (texts.some((text) => /^\{\s*lambda\b/.test(text)))
    return "A format string has a lambda without parentheses.";
  if (texts.some(nestsTooDeeply)) return "The replacements of a format string are nested too deeply.";
  return unescaped(literal.inner, literal.prefix) === undefined ? "Invalid escape sequence." : undefined;
}

/** Whether the format specification inside a format specification contains braces. */
const nestsTooDeeply = (text: string) =>
  text.split("\n").some((line) => {
    let at = 0;
    for (const mark of [":", "{", ":", "{"]) at = at < 0 ? at : line.indexOf(mark, at);
    return at >= 0;
  });

/** Strings and bytes cannot be concatenated: `"a" b"c"`. */
export function mixedProblem({ children: nodes }: PythonNode, source: string): string | undefined {
  const bytes = nodes.filter(({ from }) => /^r?b/i.test(source.slice(from, from + 2)));
  return bytes.length === 0 || bytes.length === nodes.length ? undefined : "Text and bytes are concatenated.";
}
