import { ApiError } from "@lakehelm/contract/client";
import { api, postStream } from "../../app/client.ts";
import { saveFile } from "../../ui/save-file.ts";
import type { Statement } from "./statement.ts";
import { readRows, timeoutSeconds } from "./use-statement.ts";
import { type Cell, type ResultColumn, textOf } from "./values.ts";

/** The most rows that one request returns. */
export const pageRows = 10_000;
const arrowStream = "application/vnd.apache.arrow.stream";

/** All rows, page by page. */
async function* allPages(statement: Statement, signal: AbortSignal) {
  for (let skip = 0, more = true; more; ) {
    const page = await readRows(statement, skip, pageRows, signal);
    yield page;
    skip += page.rows.length;
    more = page.more && page.rows.length > 0;
  }
}

/** Quotes a text that contains a comma, a quote or a line break. */
const csvCell = (value: Cell) => {
  const text = textOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csvLine = (values: readonly Cell[]) => `${values.map(csvCell).join(",")}\r\n`;

export async function saveCsv(statement: Statement, signal: AbortSignal): Promise<void> {
  const parts: string[] = [];
  for await (const { columns, rows } of allPages(statement, signal)) {
    if (parts.length === 0) parts.push(csvLine(columns.map(({ name }) => name)));
    parts.push(rows.map(csvLine).join(""));
  }
  saveFile("result.csv", parts, "text/csv");
}

/** A list of objects by column. */
export async function saveJson(statement: Statement, signal: AbortSignal): Promise<void> {
  const parts: string[] = [];
  for await (const { columns, rows } of allPages(statement, signal))
    for (const row of rows) parts.push(parts.length === 0 ? "[\n" : ",\n", jsonRow(columns, row));
  saveFile("result.json", parts.length === 0 ? ["[]\n"] : [...parts, "\n]\n"], "application/json");
}

const jsonRow = (columns: readonly ResultColumn[], row: readonly Cell[]) =>
  JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])), (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );

/** Saves the first rows: the API's Arrow stream has a single page. */
export async function saveArrow(statement: Statement, signal: AbortSignal): Promise<void> {
  const { sql, dialect, environment } = statement;
  const body = { sql, dialect, limit: pageRows };
  const response = await postStream("/api/v1/queries", body, environment, signal, arrowStream);
  if (!response.ok) {
    const { status, headers } = response;
    const { detail } = (await response.json().catch(() => ({}))) as { readonly detail?: unknown };
    const requestId = headers.get("x-request-id") ?? undefined;
    throw new ApiError("failed", String(detail ?? "The download failed."), { status, requestId });
  }
  saveFile("result.arrows", [await response.arrayBuffer()], arrowStream);
}

/** Saves all rows, as the warehouse writes them. The server limits the size of the file. */
export async function saveParquet(statement: Statement, signal: AbortSignal): Promise<void> {
  const { sql, dialect, environment } = statement;
  const file = await api.downloadQuery({
    body: { sql, dialect, timeout_seconds: timeoutSeconds },
    environment,
    signal,
    timeoutMs: (timeoutSeconds + 10) * 1_000,
  });
  saveFile("result.parquet", [file as Uint8Array<ArrayBuffer>], "application/vnd.apache.parquet");
}
