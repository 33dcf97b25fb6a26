import type { SqlParser } from "../parser/sql-parser.ts";
import { analyzeChange, type ChangeAnalysis } from "../query/change-analysis.ts";
import { analyzeQuery, type QueryAnalysis } from "../query/query-analysis.ts";
import type { QueryDraft } from "./drafts.ts";
import type { SourceStatement } from "./statements/statement.ts";

/** Which tables there are at some point of a pipeline, with their columns where these are known. */
export interface TableCatalog {
  readonly tables: Map<string, readonly string[] | undefined>;
  /** Those that are wrong themselves: of their columns nothing is said. */
  readonly invalid: Set<string>;
  /** Nobody hears what is wrong yet: no names are looked for that a sentence could suggest. */
  readonly isSilent?: true;
}

/** The sentence for a table that is not there. */
export const noSuchTable = (table: string, close: () => string): string =>
  `there is no table ${table}.${close()}`;

/** Reads the query of a statement, without telling what is wrong with it. */
export const analyzeQueryIn = (
  parser: SqlParser,
  { sql: text }: QueryDraft,
  { defaults: within }: SourceStatement,
  catalog: TableCatalog,
  isNamed: boolean,
): QueryAnalysis => analyzeQuery(parser, text, { ...within, ...rulesOf(catalog), isNamed });

/** The same for UPDATE, DELETE and MERGE. */
export const analyzeChangeIn = (
  parser: SqlParser,
  { sql: text }: QueryDraft,
  { defaults: within }: SourceStatement,
  catalog: TableCatalog,
): ChangeAnalysis => analyzeChange(parser, text, { ...within, ...rulesOf(catalog) });

const rulesOf = ({ tables, invalid, isSilent: isQuiet }: TableCatalog) => ({
  declared: tables,
  invalid,
  unknownTable: isQuiet ? () => "" : noSuchTable,
});

/** The library reads a text once: that takes longer than all else. */
export function cachingParser(parser: SqlParser): SqlParser {
  const kept = new Map<string, ReturnType<SqlParser["parse"]>>();
  return {
    parse(text) {
      const found = kept.get(text) ?? parser.parse(text);
      kept.set(text, found);
      return found;
    },
  };
}
