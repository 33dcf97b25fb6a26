import { tokenize } from "../lexer/lexer.ts";
import { disguiseNames, revealNames, revealTree } from "./quoted-names.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** The SQL parser: reads text in the Databricks dialect. */
export interface SqlParser {
  parse(text: string): ParseResult;
}

type ParseResult =
  | { readonly statements: readonly SyntaxNode[]; readonly error?: never }
  /** `from` and `to` count characters, not UTF-16 units; both are 0 if the parser does not know the location. */
  | { readonly statements?: never; readonly error: string; readonly from: number; readonly to: number };

/**
 * Loads the SQL parser, 22 MB of WebAssembly, when it is first needed. That takes about 0.2 s; the module cache keeps it.
 */
export async function loadSqlParser(): Promise<SqlParser> {
  const { parse, Dialect } = await import("@polyglot-sql/sdk");
  return {
    parse(text) {
      const readable = disguiseNames(knownLiterals(text));
      const result = parse(readable, Dialect.Databricks);
      if (result.success && readable !== text) revealTree(result.ast);
      return result.success
        ? { statements: result.ast }
        : { error: revealNames(result.error), from: result.errorStart ?? 0, to: result.errorEnd ?? 0 };
    },
  };
}

const localTime = "timestamp_ntz";

/** The parser does not know TIMESTAMP_NTZ '…'. TIMESTAMP replaces it, with blanks, so that all other tokens keep their offsets. */
function knownLiterals(text: string): string {
  if (!text.toLowerCase().includes(localTime)) return text;
  const { tokens } = tokenize(text);
  return tokens.reduce(
    (known, { value, start, end }, at) =>
      value === localTime && tokens[at + 1]?.kind === "string"
        ? `${known.slice(0, start)}${"TIMESTAMP".padEnd(localTime.length)}${known.slice(end)}`
        : known,
    text,
  );
}
