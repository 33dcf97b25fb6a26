import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { arrowStream, moreRowsHeader, rowCountHeader } from "@lakehelm/contract";
import { openSession, type Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { readInput } from "../input/document.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, write } from "../io.ts";
import { lines } from "../output/escape.ts";
import { toJson } from "../output/json.ts";
import { printValue } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";
import { ask, askAll, bodyOf, mostRows, printAnswer, type QueryOptions } from "./query-answer.ts";

export async function query(
  io: Io,
  sql: string | undefined,
  options: QueryOptions,
  globals: GlobalOptions,
): Promise<void> {
  if (sql !== undefined && options.file !== undefined)
    throw new UsageError("Give a statement or --file, not both.");
  const { output } = globals;
  const isFile = output === "arrow" || output === "parquet";
  if (isFile && options.to === undefined && io.stdout.isTTY) {
    throw new UsageError(
      `${isParquet(output) ? "Parquet" : "Arrow"} is not text. Write it to a file: --to <path>`,
    );
  }
  if (isParquet(output) && (options.limit ?? options.skip) !== undefined) {
    throw new UsageError("-o parquet has all rows: write LIMIT and OFFSET into the statement.");
  }
  if (options.safeCsv && output !== "csv") throw new UsageError("--safe-csv goes with -o csv.");
  if (globals.query !== undefined && (isFile || output === "csv"))
    throw new UsageError(`--query does not go with -o ${output}: choose rows and columns in the statement.`);
  const isInteractive = sql === undefined && options.file === undefined && io.stdin.isTTY;
  if (isInteractive) {
    const { interactiveQuery } = await import("./query-interactive.ts");
    return interactiveQuery(await openSession(io, globals), options, globals);
  }
  const statement = sql ?? (await readInput(io, options.file ?? "-")).toString("utf8");
  const session = await openSession(io, globals);
  if (isFile) return queryFile(session, statement, options, output);
  if (options.plan) return printPlan(session, statement, options, globals);
  const isWhole = options.limit === undefined && (options.to !== undefined || isForPrograms(io, globals));
  const answer = isWhole ? await askAll(session, statement, options) : await ask(session, statement, options);
  if (options.to === undefined) return printAnswer(io, answer, globals, options.safeCsv);
  const file = createWriteStream(options.to);
  await printAnswer({ ...io, stdout: file }, answer, globals, options.safeCsv);
  file.end();
  await finished(file);
}

const isForPrograms = ({ stdout }: Io, { output }: GlobalOptions): boolean =>
  output !== "table" && !stdout.isTTY;

async function printPlan(
  { client, io }: Session,
  sql: string,
  options: QueryOptions,
  { output, query: expression }: GlobalOptions,
): Promise<void> {
  const { sql: text, dialect, timeout_seconds } = bodyOf(sql, options);
  const body = { sql: text, ...(dialect && { dialect }), ...(timeout_seconds && { timeout_seconds }) };
  const plan = await client.planQuery({ body, signal: io.signal });
  if (output === "json" || output === "yaml" || output === "jsonl")
    return printValue(io, plan, { output, query: expression });
  await write(io.stdout, `${io.stdout.isTTY ? lines(plan.text) : plan.text}\n`);
}

const isParquet = (output: string) => output === "parquet";

async function queryFile(
  { bytes, io }: Session,
  sql: string,
  options: QueryOptions,
  format: "arrow" | "parquet",
): Promise<void> {
  const seconds = integerOf("--timeout-seconds", options.timeoutSeconds) ?? 60;
  const [path, accept] =
    format === "arrow"
      ? ["/api/v1/queries", arrowStream]
      : ["/api/v1/queries/parquet", "application/octet-stream"];
  const { body, header } = await bytes(
    { method: "POST", path, environment: true },
    {
      body: toJson(
        format === "arrow" ? { limit: mostRows, ...bodyOf(sql, options) } : bodyOf(sql, options),
        0,
      ),
      headers: { accept: `${accept}, application/json`, "content-type": "application/json" },
      timeoutMs: (seconds + 30) * 1000,
    },
  );
  if (format === "arrow") requireWhole(header, options);
  if (options.to === undefined) await write(io.stdout, body);
  else await writeFile(options.to, body);
}

/** Fails if rows are missing, because a file with too few rows looks complete. */
function requireWhole(header: (name: string) => string | undefined, { limit }: QueryOptions): void {
  const rows = header(rowCountHeader);
  if (rows === undefined)
    throw new Failure("The platform of this environment does not answer in Arrow. Use -o csv or -o json.");
  if (header(moreRowsHeader) !== "true" || rows === limit) return;
  throw new Failure(
    `The result has more than the ${rows} rows that fit into one Arrow answer. Nothing was written. -o parquet and -o csv have all rows; or read parts with --limit and --skip.`,
  );
}
