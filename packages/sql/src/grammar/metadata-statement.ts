import { tokenize } from "../lexer/lexer.ts";
import { describeLocation } from "../source-location.ts";
import { ddlStatement } from "./ddl.ts";
import { runGrammar, withoutSemicolon } from "./grammar.ts";
import type { MetadataStatement } from "./metadata.ts";

/** The meaning of a statement about descriptions and tags, or why the statement is something else. */
export function readMetadataStatement(
  statement: string,
):
  | { readonly meaning: MetadataStatement; readonly problem?: never }
  | { readonly meaning?: never; readonly problem: string } {
  const { tokens, diagnostics } = tokenize(statement);
  const [first] = diagnostics;
  const { meaning, diagnostic } = first
    ? { diagnostic: first }
    : runGrammar(ddlStatement, withoutSemicolon(tokens), statement.length);
  if (diagnostic) return { problem: `${describeLocation(statement, diagnostic.at)}: ${diagnostic.message}` };
  return meaning ? { meaning } : { problem: "this statement does not change descriptions or tags." };
}
