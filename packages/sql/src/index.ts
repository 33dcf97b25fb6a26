/** Reads SQL of the Databricks dialect: statements, queries, files and their diagnostics. */

export type { MetadataStatement } from "./grammar/metadata.ts";
export { readMetadataStatement } from "./grammar/metadata-statement.ts";
export { unbalancedBracket } from "./lexer/brackets.ts";
export { tokenize } from "./lexer/lexer.ts";
export { limitProblem } from "./lexer/limits.ts";
export { stringValue } from "./lexer/string-literal.ts";
export type { SqlToken } from "./lexer/token.ts";
export { callNow, disguiseNames, revealNames } from "./parser/quoted-names.ts";
export { recognizeNames } from "./parser/recognized-names.ts";
export { loadSqlParser, type SqlParser } from "./parser/sql-parser.ts";
export type { ColumnSource } from "./query/column-sources.ts";
export type { TableReference } from "./query/query-context.ts";
export { analyzeSelect, type OutputColumn, type SelectSource } from "./query/select-analysis.ts";
export { selectItemOffsets } from "./query/select-items.ts";
export { tableReferences } from "./query/table-references.ts";
export { columnMismatches } from "./query/target-columns.ts";
export { describeProblem, locatorOf, type SourceLocation, utf16Offsets } from "./source-location.ts";
export { readSqlFile } from "./sql-file.ts";
export { statementDiagnostic, statementProblem } from "./statement-check.ts";
export { unsafeCall } from "./unsafe-call.ts";
export { functionFamilies } from "./vocabulary/functions.ts";
