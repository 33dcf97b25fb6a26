import { disguiseNames, revealNames } from "@lakehelm/sql";
import { Dialect, transpile } from "@polyglot-sql/sdk";

/** The library's own name of the type TIMESTAMP_NTZ. It stays in VALUES and in the columns of a table, where DuckDB does not know it. */
const localTime = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\bTIMESTAMPNTZ\b/g;

/**
 * One statement of the Databricks dialect in DuckDB's, as the library translates it. `change` gets the SQL before names
 * are restored.
 */
export function duckdbDialect(
  text: string,
  change: (sql: string) => string = (sql) => sql,
): { readonly sql: string } | { readonly error: string } {
  const { success, sql, error } = transpile(disguiseNames(text), Dialect.Databricks, Dialect.DuckDB);
  const [written] = sql ?? [];
  if (!success || written === undefined || sql?.length !== 1) return { error: error ?? "no statement" };
  const revealed = revealNames(change(written));
  // The author may have a column of this name.
  const isName = /timestampntz/i.test(text);
  return {
    sql: isName
      ? revealed
      : revealed.replace(localTime, (found) => (found === "TIMESTAMPNTZ" ? "TIMESTAMP" : found)),
  };
}
