/** Queries the warehouse through the API. Lakehelm renews the token of this process in a file. */
import { readFile } from "node:fs/promises";

const { LAKEHELM_URL, LAKEHELM_TOKEN_FILE, LAKEHELM_ENVIRONMENT } = process.env;

/** The rows of a query, as objects. */
export async function query(sql) {
  const response = await fetch(`${LAKEHELM_URL}/api/v1/queries`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await readFile(LAKEHELM_TOKEN_FILE, "utf8")).trim()}`,
      "content-type": "application/json",
      "x-environment-id": LAKEHELM_ENVIRONMENT,
    },
    body: JSON.stringify({ sql }),
  });
  const result = await response.json();
  if (!response.ok)
    throw new Error(`The warehouse answered ${response.status}: ${JSON.stringify(result.detail)}`);
  const names = result.columns.map(({ name }) => name);
  return result.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

/** A string literal of Databricks SQL, which every platform understands. */
export const quoted = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
