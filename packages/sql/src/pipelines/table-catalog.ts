import type { SqlParser } from "../parser/sql-parser.ts";
import { analyzeChange, type ChangeAnalysis } from "../query/change-analysis.ts";
import { analyzeQuery, type QueryAnalysis } from "../query/query-analysis.ts";
import type { QueryDraft } from "./drafts.ts";
import type { SourceStatement } from "./statements/statement.ts";

/** The tables that exist at one point of a pipeline, with their columns if known. */
export interface TableCatalog {
  readonly tables: Map<string, readonly string[] | undefined>;
  /** Tables whose definitions have errors: their columns are not checked. */
  readonly invalid: Set<string>;
  /** Problems are not reported, so no suggestions are computed. */
  readonly isSilent?: true;
  /** If silent: called for tables that are read but are not in the catalog. */
  readonly onUnknown?: (table: string) => void;
}

/** Adds tables with unknown columns, so that any column of them is accepted. */
export function addOthers({ tables, invalid }: TableCatalog, others: Iterable<string>): void {
  for (const name of others) {
    if (tables.has(name)) continue;
    tables.set(name, undefined);
    invalid.add(name);
  }
}

/** The sentence for a table that does not exist. */
export const noSuchTable = (table: string, close: () => string): string =>
  `there is no table ${table}.${close()}`;

/** Analyzes the query of a statement. Reports nothing. */
export const analyzeQueryIn = (
  parser: SqlParser,
  { sql: text }: QueryDraft,
  { defaults: within }: SourceStatement,
  catalog: TableCatalog,
  isNamed: boolean,
): QueryAnalysis => analyzeQuery(parser, text, { ...within, ...rulesOf(catalog), isNamed });

/** Like `analyzeQueryIn`, for UPDATE, DELETE and MERGE. */
export const analyzeChangeIn = (
  parser: SqlParser,
  { sql: text }: QueryDraft,
  { defaults: within }: SourceStatement,
  catalog: TableCatalog,
): ChangeAnalysis => analyzeChange(parser, text, { ...within, ...rulesOf(catalog) });

const rulesOf = ({ tables, invalid, isSilent: isQuiet, onUnknown }: TableCatalog) => ({
  declared: tables,
  invalid,
  unknownTable: isQuiet
    ? (table: string) => {
        onUnknown?.(table);
        return "";
      }
    : noSuchTable,
});

/** A parser that parses each text once, because parsing takes longer than all other work. */
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
