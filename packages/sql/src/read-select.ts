import type { Sql } from "./load.ts";
import { plainName, type TableName } from "./names.ts";
import { readQuery } from "./read-query.ts";
import type { ColumnSource } from "./select/sources.ts";
import { type Problem, placesOf, type TextPlace } from "./source-location.ts";

/** A table that a SELECT may read. */
export interface SourceTable {
  readonly name: TableName;
  /** Its columns, where they are known: then `*` can be used, and mistyped columns are found. */
  readonly columns?: readonly string[];
}

export interface SelectRules {
  readonly tables: readonly SourceTable[];
  /** What names of one or two parts are completed with. */
  readonly catalog: string;
  readonly schema: string;
  /** Which text this is, such as `matched_sql`: problems say it. */
  readonly place: string;
  /** Functions of one's own that may be called. */
  readonly functions?: readonly string[];
}

/** A column that a SELECT gives, where it stands, and the columns that it is made of. */
export interface OutputColumn extends TextPlace {
  readonly name: string;
  readonly sources: readonly ColumnSource[];
}

type SelectReading =
  /** Tables are named `catalog.schema.table` in lower case. */
  | {
      readonly columns: readonly OutputColumn[];
      readonly tables: readonly string[];
      readonly problems?: never;
    }
  | {
      readonly columns?: never;
      readonly tables?: never;
      readonly problems: readonly Problem[];
      /** What it would give all the same, where that is known. */
      readonly outputs: readonly OutputColumn[] | undefined;
    };

/** Reads the one SELECT that a caller sent: everything that is wrong with it, or what it gives and reads. */
export function readSelect(sql: Sql, text: string, rules: SelectRules): SelectReading {
  const { tables: declared, place, ...others } = rules;
  const read = readQuery(sql, text, {
    ...others,
    declared: new Map(declared.map(({ name, columns }) => [plainName(name), columns])),
    unsure: new Set(),
    absent: undeclared,
    isNamed: true,
  });
  const placeOf = placesOf(text);
  const columns = read.columns?.map(({ name, at, sources }) => ({ name, ...placeOf(at), sources }));
  if (columns && read.remarks.length === 0) return { columns, tables: read.tables };
  const problems = read.remarks.map(({ at, message }) => ({ place, ...placeOf(at), message }));
  const isWhole = read.isWhole && columns?.every(({ name }) => name !== "");
  return { problems, outputs: isWhole ? columns : undefined };
}

function undeclared(table: string, close: () => string, declared: readonly string[]): string {
  const some = declared.slice(0, 5).join(", ");
  const hint = close() || (some && ` Declared: ${some}${declared.length > 5 ? ", …" : ""}.`);
  return `${table} is not a declared source table.${hint}`;
}
