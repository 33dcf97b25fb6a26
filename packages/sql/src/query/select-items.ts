import { tokenize } from "../lexer/lexer.ts";
import { recognizeNames } from "../parser/recognized-names.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { utf16Offsets } from "../source-location.ts";
import { selectListOffsets } from "./select-list-offsets.ts";

/** The offset of each item of the outermost SELECT list of a query. */
export function selectItemOffsets(parser: SqlParser, text: string): readonly number[] {
  const { tokens } = tokenize(text);
  const [statement] = parser.parse(text).statements ?? [];
  return statement
    ? selectListOffsets(tokens, recognizeNames(statement, tokens, utf16Offsets(text)).identifiers)
    : [];
}
