import { openLiteral, unescaped } from "./literals.ts";
import { enclosing, type PythonNode } from "./syntax-tree.ts";

export function literalProblem({ from, to }: PythonNode, source: string): string | undefined {
  const literal = openLiteral(source.slice(from, to));
  if (!literal) return "A string has no end.";
  if (unescaped(literal.inner, literal.prefix) === undefined)
    return "A string has an escape that Python does not know.";
  return undefined;
}

const formatStrings = new Set(["FormatString"]);

/** Before Python 3.12 the braces of a format string hold neither its own quotes nor a backslash nor, in most, a line end. */
export function formatStringProblem(part: PythonNode, source: string): string | undefined {
  if (enclosing(part, formatStrings)) return "A format string stands inside another one.";
  const replacements = part.children.filter(({ name }) => name === "FormatReplacement");
  const texts = replacements.map(({ from, to }) => source.slice(from, to));
  const expressions = replacements.map(({ from, to, children }) =>
    source.slice(from, children.find(({ name }) => name === "FormatSpec")?.from ?? to),
  );
  const outside = replacements.reduceRight(
    (text, { from, to }) => text.slice(0, from - part.from) + text.slice(to - part.from),
    source.slice(part.from, part.to),
  );
  const literal = openLiteral(outside);
  if (!literal) return "A string has no end.";
  if (literal.inner.replaceAll("{{", "").replaceAll("}}", "").match(/[{}]/)) {
    return "A format string has a brace without its partner; a plain one is written twice.";
  }
  if (expressions.some((text) => text.includes(literal.quotes) || /[\\#\n]/.test(text))) {
    return "The braces of a format string hold its own quotes, a backslash, a comment or a line end.";
  }
  if (texts.some((text) => /^\{\s*lambda\b/.test(text)))
    return "A format string has a lambda without parentheses.";
  if (texts.some((text) => /:.*\{.*:.*\{/.test(text)))
    return "The braces of a format string are nested too deeply.";
  return unescaped(literal.inner, literal.prefix) === undefined
    ? "A string has an escape that Python does not know."
    : undefined;
}

/** `"a" b"c"` */
export function mixedProblem({ children: parts }: PythonNode, source: string): string | undefined {
  const bytes = parts.filter(({ from }) => /^r?b/i.test(source.slice(from, from + 2)));
  return bytes.length === 0 || bytes.length === parts.length ? undefined : "Text and bytes are put together.";
}
