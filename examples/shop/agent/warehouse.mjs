/** The warehouse, through the API, with the token that Lakehelm keeps fresh in a file for this process. */
import { readFile } from "node:fs/promises";

const { LAKEHELM_URL, LAKEHELM_TOKEN_FILE, LAKEHELM_ENVIRONMENT } = process.env;

/** The rows of a statement, as objects. */
export async function query(sql) {
  const response = await fetch(`${LAKEHELM_URL}/api/v1/queries`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await readFile(LAKEHELM_TOKEN_FILE, "utf8")).trim()}`,
      "content-type": "application/json",
      "x-environment-id": LAKEHELM_ENVIRONMENT,
    },
    body: JSON.stringify({ sql, dialect: "duckdb" }),
  });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(`The warehouse answered ${response.status}: ${JSON.stringify(answer.detail)}`);
  const names = answer.columns.map(({ name }) => name);
  return answer.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

/** A text within a statement: DuckDB knows no other escape than the doubled quote. */
export const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
