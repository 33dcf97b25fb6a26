import type { Sql } from "../load.ts";
import { type ChangeReading, readChange } from "../read-change.ts";
import { type QueryReading, readQuery } from "../read-query.ts";
import type { QueryDraft } from "./draft.ts";
import type { Statement } from "./statements/statement.ts";

/** Which tables there are at some point of a pipeline, with their columns where these are known. */
export interface Known {
  readonly tables: Map<string, readonly string[] | undefined>;
  /** Those that are wrong themselves: of their columns nothing is said. */
  readonly unsure: Set<string>;
  /** Nobody hears what is wrong yet: no names are looked for that a sentence could suggest. */
  readonly isQuiet?: true;
}

/** The sentence for a table that is not there. */
export const noTable = (table: string, close: () => string): string =>
  `there is no table ${table}.${close()}`;

/** Reads the query of a statement, without telling what is wrong with it. */
export const queryIn = (
  sql: Sql,
  { sql: text }: QueryDraft,
  { within }: Statement,
  known: Known,
  isNamed: boolean,
): QueryReading => readQuery(sql, text, { ...within, ...rulesOf(known), isNamed });

/** The same for UPDATE, DELETE and MERGE. */
export const changeIn = (
  sql: Sql,
  { sql: text }: QueryDraft,
  { within }: Statement,
  known: Known,
): ChangeReading => readChange(sql, text, { ...within, ...rulesOf(known) });

const rulesOf = ({ tables, unsure, isQuiet }: Known) => ({
  declared: tables,
  unsure,
  absent: isQuiet ? () => "" : noTable,
});

/** The library reads a text once: that takes longer than all else. */
export function rememberingSql(sql: Sql): Sql {
  const kept = new Map<string, ReturnType<Sql["parse"]>>();
  return {
    parse(text) {
      const found = kept.get(text) ?? sql.parse(text);
      kept.set(text, found);
      return found;
    },
  };
}
