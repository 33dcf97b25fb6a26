import { plainName, type TableName } from "../names/table-name.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { locatorOf, type SourceLocation, type SqlProblem } from "../source-location.ts";
import type { ColumnSource } from "./column-sources.ts";
import { analyzeQuery } from "./query-analysis.ts";
import type { TableReference } from "./query-context.ts";
import type { OpenColumns } from "./row-type.ts";

/** A table that a SELECT can read. */
export interface SelectSource {
  readonly name: TableName;
  /** The columns, if known: then `*` is allowed, and misspelled columns are found. */
  readonly columns?: readonly string[];
  /** The types of the columns by name, if known: then fields of structs are checked. */
  readonly types?: Readonly<Record<string, string>>;
}

export interface SelectRules {
  readonly tables: readonly SelectSource[];
  /** The defaults for names of one or two parts. */
  readonly catalog: string;
  readonly schema: string;
  /** The field that contains the text, such as `matched_sql`. */
  readonly field: string;
  /** User-defined functions that are allowed. */
  readonly functions?: readonly string[];
  /** Whether `*` may add unknown columns, because the reader of the result selects columns by name. */
  readonly isChosenByName?: boolean;
}

/** A column of a SELECT, its location, and its sources. */
export interface OutputColumn extends SourceLocation {
  readonly name: string;
  readonly sources: readonly ColumnSource[];
  readonly isFromStar?: true;
}

type SelectAnalysis =
  /** Tables are `catalog.schema.table` in lower case. */
  | {
      readonly columns: readonly OutputColumn[];
      readonly tables: readonly string[];
      readonly references: readonly TableReference[];
      /** Columns of `*` that could not be listed. */
      readonly open: readonly OpenColumns[];
      readonly problems?: never;
    }
  | {
      readonly columns?: never;
      readonly tables?: never;
      readonly open?: never;
      readonly problems: readonly SqlProblem[];
      /** The columns, if they are known despite the problems. */
      readonly outputs: readonly OutputColumn[] | undefined;
    };

/** Analyzes a SELECT of a request. Returns its columns and tables, or all its problems. */
export function analyzeSelect(parser: SqlParser, text: string, rules: SelectRules): SelectAnalysis {
  const { tables: declared, field, ...others } = rules;
  const read = analyzeQuery(parser, text, {
    ...others,
    declared: new Map(declared.map(({ name, columns }) => [plainName(name), columns])),
    types: new Map(
      declared.map(({ name, types = {} }) => [
        plainName(name),
        new Map(Object.entries(types).map(([column, type]) => [column.toLowerCase(), type])),
      ]),
    ),
    invalid: new Set(),
    unknownTable: undeclared,
    isNamed: true,
  });
  const locate = locatorOf(text);
  const columns = read.columns?.map(({ name, at, sources, isFromStar }) => ({
    name,
    ...locate(at),
    sources,
    ...(isFromStar && { isFromStar }),
  }));
  if (columns && read.diagnostics.length === 0)
    return { columns, tables: read.tables, references: read.references, open: read.open };
  const problems = read.diagnostics.map(({ at, message }) => ({ field, ...locate(at), message }));
  const isWhole = read.isComplete && columns?.every(({ name }) => name !== "");
  return { problems, outputs: isWhole ? columns : undefined };
}

function undeclared(table: string, close: () => string, declared: readonly string[]): string {
  const some = declared.slice(0, 5).join(", ");
  const hint = close() || (some && ` Declared: ${some}${declared.length > 5 ? ", …" : ""}.`);
  return `${table} is not a declared source table.${hint}`;
}
