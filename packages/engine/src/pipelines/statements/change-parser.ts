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
      /** Null if the source is a query without an alias. */
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
  const tokens = new TokenReader(sql);
  if (tokens.accept("update")) {
    tokens.name();
    const alias = tokens.alias("set");
    tokens.expect("set");
    const set = assignments(tokens.until("where"));
    return { verb: "update", alias, set, where: tokens.accept("where") ? tokens.rest().text() : null };
  }
  if (tokens.accept("delete")) {
    tokens.expect("from");
    tokens.name();
    const alias = tokens.alias("where");
    return { verb: "delete", alias, where: tokens.accept("where") ? tokens.rest().text() : null };
  }
  tokens.expect("merge");
  if (tokens.accept("with")) {
    tokens.expect("schema");
    tokens.expect("evolution");
  }
  tokens.expect("into");
  tokens.name();
  const alias = tokens.alias("using");
  tokens.expect("using");
  const source = tokens.until("on");
  tokens.expect("on");
  const on = tokens.until("when").text();
  const whens: MergeClause[] = [];
  while (tokens.accept("when")) whens.push(when(tokens));
  return {
    verb: "merge",
    alias,
    source: source.text(),
    sourceAlias: source.peek("(") && source.ends(")") ? null : source.lastName(),
    on,
    whens,
  };
}

function when(tokens: TokenReader): MergeClause {
  const isNot = tokens.accept("not");
  tokens.expect("matched");
  const isBySource = tokens.accept("by") && !tokens.accept("target") && tokens.accept("source");
  const rows = isNot ? (isBySource ? "not_matched_by_source" : "not_matched") : "matched";
  const and = tokens.accept("and") ? tokens.until("then").text() : null;
  tokens.expect("then");
  const action = tokens.until("when");
  if (action.accept("delete")) return { rows, and, action: "delete" };
  if (action.accept("update")) {
    action.expect("set");
    return { rows, and, action: { update: action.accept("*") ? "*" : assignments(action) } };
  }
  action.expect("insert");
  if (action.accept("*")) return { rows, and, action: { insert: "*" } };
  const columns = action.peek("(") ? action.bracket().map((column) => column.lastName()) : null;
  action.expect("values");
  return {
    rows,
    and,
    action: { insert: { columns, values: action.bracket().map((value) => value.text()) } },
  };
}

const assignments = (tokens: TokenReader): Assignment[] =>
  tokens.list().map((one) => {
    const column = one.until("=").lastName();
    one.expect("=");
    return { column, value: one.rest().text() };
  });
