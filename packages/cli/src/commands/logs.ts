import { shown } from "@lakehelm/contract/text";
import { openSession, type Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, tell } from "../io.ts";
import { resolveId } from "../names.ts";
import { oneLine } from "../output/escape.ts";
import { type OutputOptions, printItems } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";

interface LogOptions {
  readonly follow?: true;
  readonly limit?: string;
}

interface LogLine {
  readonly n: number;
  readonly line: string;
  readonly time?: string;
  readonly level?: string;
}

interface LogPage {
  readonly lines: readonly LogLine[];
  readonly next_after: number;
}

const pageSize = 1000;

export async function runLogs(
  io: Io,
  run: string,
  { follow }: LogOptions,
  globals: GlobalOptions,
): Promise<void> {
  const output = outputOf(globals);
  const session = await openSession(io, globals);
  const run_id = await lastRun(session, run);
  const { signal } = io;
  const params = { run_id };
  if (follow)
    return printLog(io, session.client.followLog("readRunLog", { params, after: 0, signal }), output);
  const read = (after: number | undefined): Promise<LogPage> =>
    session.client.readRunLog({
      params,
      query: { after: after ?? 0, limit: pageSize },
      signal,
    });
  await printLog(io, logLines(read), output);
}

/** The last run of the job with this name, unless the argument is the id of a run. */
export async function lastRun(
  { client, connection, io: { signal } }: Session,
  given: string,
): Promise<string> {
  if (/^[\da-f]{8}-[\da-f-]{27}$/i.test(given)) return given;
  const { runs } = await client.listRuns({ query: { name: given, limit: 1 }, signal });
  if (runs[0]) return runs[0].id;
  const where =
    connection.environment === undefined ? "" : ` in the environment ${shown(connection.environment)}`;
  throw new Failure(
    `There is no run of anything named ${shown(given)}${where}. To see runs: lakehelm runs list`,
  );
}

export async function processLogs(
  io: Io,
  kind: "agents" | "apps",
  name: string,
  { follow, limit = "200" }: LogOptions,
  globals: GlobalOptions,
): Promise<void> {
  const output = outputOf(globals);
  if (!/^[1-9]\d{0,4}$/.test(limit))
    throw new UsageError(`--limit must be an integer from 1 to 10000, not "${limit}".`);
  const session = await openSession(io, globals);
  const { client } = session;
  const app_id = kind === "apps" ? await resolveId(session, "app_id", name) : "";
  const { signal } = io;
  const query = { limit: Number(limit) };
  const last: LogPage =
    kind === "apps"
      ? await client.readAppLog({ params: { app_id }, query, signal })
      : await client.readAgentLog({ params: { agent_id: name }, query, signal });
  const after = last.next_after;
  const fresh = () =>
    kind === "apps"
      ? client.followLog("readAppLog", { params: { app_id }, after, signal })
      : client.followLog("readAgentLog", { params: { agent_id: name }, after, signal });
  await printLog(io, joined(last.lines, follow ? fresh() : []), output);
}

async function* joined(first: readonly LogLine[], rest: AsyncIterable<LogLine> | readonly LogLine[]) {
  yield* first;
  yield* rest;
}

/** All lines, page by page. */
async function* logLines(
  read: (after: number | undefined) => Promise<LogPage>,
): AsyncGenerator<LogLine, void, undefined> {
  let after: number | undefined;
  for (;;) {
    const { lines, next_after } = await read(after);
    yield* lines;
    after = next_after;
    if (lines.length < pageSize) return;
  }
}

async function printLog(io: Io, log: AsyncIterable<LogLine>, output: OutputOptions): Promise<void> {
  if (output.output !== "table" || output.query !== undefined) return printItems(io, log, output);
  for await (const line of log) await tell(io, `${lineText(line)}\n`);
}

/** A line of a log. Programs write logs, so their control characters are escaped. */
export function lineText({ time, level, line }: LogLine): string {
  const about = time === undefined ? "" : `${time.slice(11, 19)} ${(level ?? "").padEnd(5)} `;
  const indent = `\n${" ".repeat(about.length)}`;
  return (
    about +
    line
      .trimEnd()
      .split(/\r?\n/)
      .map((part) => oneLine(part).replaceAll("\\t", "  "))
      .join(indent)
  );
}
