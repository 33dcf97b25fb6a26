import { TokenReader } from "./token-reader.ts";

/** The parts of an UPDATE, DELETE or MERGE, as the author wrote them. The statement has been checked before. */
export type RowChange =
  | {
      readonly verb: "update";
      readonly alias: string | null;
      readonly set: readonly Assignment[];
      readonly where: string | null;
    }
  | { readonly verb: "delete"; readonly alias: string | null; readonly where: string | null }
  | {
      readonly verb: "merge";
      readonly alias: string | null;
      /** The text after USING, with its alias. */
      readonly source: string;
      /** Null if it is a query without an alias. */
      readonly sourceAlias: string | null;
      readonly on: string;
      readonly whens: readonly MergeClause[];
    };

export interface Assignment {
  readonly column: string;
  readonly value: string;
}

export interface MergeClause {
  readonly rows: "matched" | "not_matched" | "not_matched_by_source";
  readonly and: string | null;
  /** `*`: every column of the target, by name. */
  readonly action:
    | "delete"
    | { readonly update: readonly Assignment[] | "*" }
    | { readonly insert: InsertValues | "*" };
}

interface InsertValues {
  /** Null: all columns of the target, in order. */
  readonly columns: readonly string[] | null;
  readonly values: readonly string[];
}

export function parseChange(sql: string): RowChange {
  const words = new TokenReader(sql);
  if (words.takes("update")) {
    words.name();
    const alias = words.alias("set");
    words.expect("set");
    const set = assignments(words.until("where"));
    return { verb: "update", alias, set, where: words.takes("where") ? words.rest().text() : null };
  }
  if (words.takes("delete")) {
    words.expect("from");
    words.name();
    const alias = words.alias("where");
    return { verb: "delete", alias, where: words.takes("where") ? words.rest().text() : null };
  }
  words.expect("merge");
  if (words.takes("with")) {
    words.expect("schema");
    words.expect("evolution");
  }
  words.expect("into");
  words.name();
  const alias = words.alias("using");
  words.expect("using");
  const source = words.until("on");
  words.expect("on");
  const on = words.until("when").text();
  const whens: MergeClause[] = [];
  while (words.takes("when")) whens.push(when(words));
  return {
    verb: "merge",
    alias,
    source: source.text(),
    sourceAlias: source.sees("(") && source.ends(")") ? null : source.lastName(),
    on,
    whens,
  };
}

function when(words: TokenReader): MergeClause {
  const isNot = words.takes("not");
  words.expect("matched");
  const isBySource = words.takes("by") && !words.takes("target") && words.takes("source");
  const rows = isNot ? (isBySource ? "not_matched_by_source" : "not_matched") : "matched";
  const and = words.takes("and") ? words.until("then").text() : null;
  words.expect("then");
  const action = words.until("when");
  if (action.takes("delete")) return { rows, and, action: "delete" };
  if (action.takes("update")) {
    action.expect("set");
    return { rows, and, action: { update: action.takes("*") ? "*" : assignments(action) } };
  }
  action.expect("insert");
  if (action.takes("*")) return { rows, and, action: { insert: "*" } };
  const columns = action.sees("(") ? action.bracket().map((column) => column.lastName()) : null;
  action.expect("values");
  return {
    rows,
    and,
    action: { insert: { columns, values: action.bracket().map((value) => value.text()) } },
  };
}

const assignments = (words: TokenReader): Assignment[] =>
  words.list().map((one) => {
    const column = one.until("=").lastName();
    one.expect("=");
    return { column, value: one.rest().text() };
  });
