import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "@lakehelm/engine";
import { limitProblem, locatorOf, type SqlToken, tokenize, unbalancedBracket } from "@lakehelm/sql";

const queryWords = new Set(["select", "with", "values", "from", "table", "("]);
const changeWords = new Set(["insert", "merge", "delete", "update"]);
const afterChange = new Set(["into", "overwrite", "from"]);

/**
 * The text of one query, without the semicolon at its end. Throws a DataProblem for anything else. The query is then sent as
 * a subquery, where a workspace's grammar accepts only queries: a text that this check misjudges fails there and is not
 * executed.
 */
export function readOnlyQuery(sql: string): string {
  const { tokens: all, diagnostics } = tokenize(sql);
  const tokens = withoutEnd(all);
  const [first] = tokens;
  const fail = (at: number, message: string): never => {
    const position = locatorOf(sql)(at);
    const sentence = `Line ${position.line}, column ${position.column}: ${message}`;
    throw new DataProblem(sentence, { position });
  };
  const wrong = diagnostics[0] ?? limitProblem(tokens) ?? unbalancedBracket(tokens);
  if (wrong) fail(wrong.at, wrong.message);
  if (!first) throw new DataProblem("The text is empty: expected a SELECT.");
  const notQuery = (token: SqlToken) =>
    fail(
      token.start,
      `${token.text.toUpperCase()} is not a query: only SELECT, WITH and VALUES can be run here, and they only read.${suggestion(token.text, ["SELECT", "WITH", "VALUES"])}`,
    );
  if (first.kind === "quoted" || !queryWords.has(first.value)) notQuery(first);
  const semicolon = tokens.find(({ text }) => text === ";");
  if (semicolon) fail(semicolon.start, "expected one statement, found more.");
  const change = changeIn(tokens);
  if (change) notQuery(change);
  return sql.slice(0, tokens.at(-1)?.end);
}

function withoutEnd(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const end = tokens.findLastIndex(({ text }) => text !== ";");
  return tokens.slice(0, end + 1);
}

/** `WITH … INSERT INTO` and `FROM … INSERT INTO` begin like queries. */
function changeIn(tokens: readonly SqlToken[]): SqlToken | undefined {
  if (!["with", "from"].includes(tokens[0]?.value ?? "")) return undefined;
  let depth = 0;
  return tokens.find((token, at) => {
    if (token.text === "(") depth += 1;
    else if (token.text === ")") depth -= 1;
    if (depth > 0 || token.kind !== "word" || !changeWords.has(token.value)) return false;
    return tokens[at - 1]?.text === ")" || afterChange.has(tokens[at + 1]?.value ?? "");
  });
}
