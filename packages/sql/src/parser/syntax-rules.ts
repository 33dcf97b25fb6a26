import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import { queryWords, types } from "../vocabulary/keywords.ts";
import type { RecognizedNames } from "./recognized-names.ts";

/** The tokens around an index. */
interface TokenView {
  readonly tokens: readonly SqlToken[];
  /** The keyword or mark at an index; "" for names, literals and outside of the text. */
  sign(index: number): string;
  /** Whether a list ends before this index. */
  ends(index: number): boolean;
  /** Whether a value can end at this index. */
  value(index: number): boolean;
  readonly hasParameters: boolean;
}

/** The problem with the token at an index, or undefined. */
type SyntaxRule = (index: number, view: TokenView) => string | undefined;

const afterList = new Set(
  "from where group having qualify window order sort cluster distribute limit offset union except intersect minus ) ] ;".split(
    " ",
  ),
);
const afterNot = new Set(["in", "like", "ilike", "rlike", "regexp", "between"]);
const afterIs = new Set(["null", "true", "false", "unknown", "distinct"]);
const comparisons = new Set(["=", "==", "<", ">", "<=", ">=", "<>", "!=", "<=>"]);
const lastOfValue = new Set([")", "]", "end", "null", "true", "false"]);

const quantified: SyntaxRule = (index, { sign }) =>
  comparisons.has(sign(index - 1)) && sign(index + 1) === "("
    ? "a comparison takes one value: use IN, EXISTS or max with a subquery."
    : undefined;

const rules: ReadonlyMap<string, SyntaxRule> = new Map<string, SyntaxRule>([
  [
    "select",
    (index, { tokens, sign, ends }) => {
      let next = index + 1;
      while (tokens[next]?.kind === "hint" || sign(next) === "distinct" || sign(next) === "all") next += 1;
      return ends(next) || sign(next) === "," ? "expected at least one column after SELECT." : undefined;
    },
  ],
  [
    "distinct",
    (index, { sign }) =>
      sign(index - 1) === "select" && sign(index + 1) === "on"
        ? "DISTINCT ON is not supported: filter with QUALIFY row_number() OVER (PARTITION BY … ORDER BY …) = 1."
        : undefined,
  ],
  [",", (index, { ends }) => (ends(index + 1) ? "unexpected comma at the end of a list." : undefined)],
  [
    "in",
    (index, { tokens, sign }) => {
      if (sign(index + 1) === "(")
        return sign(index + 2) === ")" ? "expected at least one value after IN." : undefined;
      return tokens.some(({ value }) => value === "position")
        ? undefined
        : "expected values in parentheses after IN.";
    },
  ],
  [
    "using",
    (index, { tokens, sign }) => {
      if (sign(index + 1) === "(" || tokens[0]?.value === "merge") return undefined;
      return tokens[index + 1]?.kind === "string"
        ? "TRANSFORM scripts are not supported."
        : "expected columns in parentheses after USING.";
    },
  ],
  [
    "is",
    (index, { sign }) =>
      afterIs.has(sign(index + (sign(index + 1) === "not" ? 2 : 1)))
        ? undefined
        : "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS.",
  ],
  [
    "not",
    (index, { sign, value }) =>
      value(index - 1) && !afterNot.has(sign(index + 1))
        ? "expected IN, LIKE, ILIKE, RLIKE or BETWEEN after NOT."
        : undefined,
  ],
  [
    "as",
    (index, { tokens, sign }) => {
      const next = sign(index + 1);
      const view =
        tokens[0]?.value === "create" && (next === "select" || next === "with" || next === "values");
      const wrong = queryWords.has(next) && !types.has(next) && next !== "of" && !view;
      return wrong ? "expected a name or a type after AS." : undefined;
    },
  ],
  [
    "outer",
    (index, { sign }) =>
      ["left", "right", "full", "view"].includes(sign(index - 1))
        ? undefined
        : "expected LEFT, RIGHT or FULL before OUTER.",
  ],
  ["with", (index, { sign }) => (sign(index + 1) === "(" ? "expected a name after WITH." : undefined)],
  ["any", quantified],
  ["some", quantified],
  ["all", quantified],
  ["::", (index, { sign }) => (types.has(sign(index + 1)) ? undefined : "expected a type after ::.")],
  ["[", (index, { sign }) => (sign(index + 1) === "]" ? "expected an index between [ and ]." : undefined)],
  [
    ".",
    (index, { tokens }) =>
      tokens[index + 1]?.kind === "number" ? "expected a name after the dot." : undefined,
  ],
  [
    "->",
    (index, { tokens, value }) =>
      value(index - 1) && tokens[index - 1]?.kind !== "string" && tokens[index - 1]?.kind !== "number"
        ? undefined
        : "expected the name of a parameter before ->.",
  ],
  [
    ":",
    (index, { hasParameters, value }) =>
      hasParameters && !value(index - 1)
        ? "parameters are not supported: write the value itself."
        : undefined,
  ],
]);

/** Mistakes that the parser accepts but the engine does not. */
export function syntaxRuleViolations(
  tokens: readonly SqlToken[],
  { identifiers, hasParameters }: RecognizedNames,
): readonly Diagnostic[] {
  const sign = (index: number): string => {
    const token = tokens[index];
    return token && !identifiers.has(index) && (token.kind === "word" || token.kind === "mark")
      ? token.value
      : "";
  };
  const view: TokenView = {
    tokens,
    sign,
    ends: (index) => index >= tokens.length || afterList.has(sign(index)),
    value: (index) => {
      const kind = tokens[index]?.kind;
      return (
        identifiers.has(index) ||
        kind === "string" ||
        kind === "number" ||
        kind === "quoted" ||
        lastOfValue.has(sign(index))
      );
    },
    hasParameters,
  };
  return tokens.flatMap(({ start }, index) => {
    const message = rules.get(sign(index))?.(index, view);
    return message === undefined ? [] : [{ at: start, message }];
  });
}
