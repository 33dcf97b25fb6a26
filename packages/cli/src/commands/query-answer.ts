import type { Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, note, write } from "../io.ts";
import { csvLine } from "../output/csv.ts";
import { lines } from "../output/escape.ts";
import { isColored, printValue } from "../output/print.ts";
import { createTable } from "../output/table.ts";

export interface QueryOptions {
  readonly file?: string;
  readonly dialect?: "databricks" | "duckdb";
  readonly limit?: string;
  readonly skip?: string;
  readonly timeoutSeconds?: string;
  readonly to?: string;
  readonly plan?: boolean;
  readonly safeCsv?: boolean;
}

export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly more: boolean;
  readonly seconds: number;
}

export async function ask({ client, io }: Session, sql: string, options: QueryOptions): Promise<QueryAnswer> {
  const seconds = integerOf("--timeout-seconds", options.timeoutSeconds);
  return client.runQuery({
    body: bodyOf(sql, options),
    signal: io.signal,
    timeoutMs: ((seconds ?? 60) + 30) * 1000,
  });
}

/** The largest page of the server. */
export const mostRows = 10_000;

/** Reads all rows, page by page. The server returns them in the same order for each page. */
export async function askAll(session: Session, sql: string, options: QueryOptions): Promise<QueryAnswer> {
  const from = integerOf("--skip", options.skip) ?? 0;
  let whole: QueryAnswer | undefined;
  for (;;) {
    const read: number = whole?.rows.length ?? 0;
    const page = await ask(session, sql, { ...options, limit: String(mostRows), skip: String(from + read) });
    const rows = whole ? [...whole.rows, ...page.rows] : page.rows;
    whole = { ...page, rows };
    if (!page.more) return whole;
    if (page.rows.length === 0) throw new Failure(`The server returned no more rows after ${from + read}.`);
  }
}

export function bodyOf(sql: string, options: QueryOptions) {
  const { dialect } = options;
  const limit = integerOf("--limit", options.limit);
  const skip = integerOf("--skip", options.skip);
  const timeout_seconds = integerOf("--timeout-seconds", options.timeoutSeconds);
  return {
    sql: sql.trim().replace(/;$/, ""),
    ...(dialect && { dialect }),
    ...(limit !== undefined && { limit }),
    ...(skip !== undefined && { skip }),
    ...(timeout_seconds !== undefined && { timeout_seconds }),
  };
}

export async function printAnswer(
  io: Io,
  answer: QueryAnswer,
  { output, query: expression }: GlobalOptions,
  isSafe = false,
): Promise<void> {
  const { columns, rows, more } = answer;
  const names = uniqueNames(columns.map(({ name }) => name));
  if (output === "csv") {
    const safe = io.stdout.isTTY ? lines : (text: string) => text;
    await write(io.stdout, safe(csvLine(names, isSafe)));
    for (const row of rows) await write(io.stdout, safe(csvLine(row, isSafe)));
  } else if (output === "table" && expression === undefined) {
    const bold = isColored(io) ? (text: string) => `\u001b[1m${text}\u001b[22m` : (text: string) => text;
    const table = createTable(names, {
      longestCell: io.stdout.isTTY ? 60 : undefined,
      bold,
      heads: "as they are",
    });
    await write(io.stdout, table(rows));
  } else if (output !== "arrow" && output !== "parquet") {
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    await printValue(io, objects, { output, query: expression });
  }
  if (more)
    note(
      io,
      `There are more rows than these ${rows.length}. For all of them: -o csv --to <file>. For more here: --limit (up to 10,000) and --skip.`,
    );
}

/** Makes names unique for JSON and CSV: the second `id` becomes `id_2`. */
function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; used.has(unique); n++) unique = `${name}_${n}`;
    used.add(unique);
    return unique;
  });
}
