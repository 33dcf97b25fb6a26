import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { arrowStream } from "@lakehelm/contract";
import { openSession, type Session } from "../connection/session.ts";
import type { GlobalOptions } from "../globals.ts";
import { readInput } from "../input/document.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, write } from "../io.ts";
import { toJson } from "../output/json.ts";
import { UsageError } from "../usage-error.ts";
import { ask, bodyOf, printAnswer, type QueryOptions } from "./query-answer.ts";

export async function query(
  io: Io,
  sql: string | undefined,
  options: QueryOptions,
  globals: GlobalOptions,
): Promise<void> {
  if (sql !== undefined && options.file !== undefined)
    throw new UsageError("Give a statement or --file, not both.");
  const { output } = globals;
  if (output === "arrow" && options.to === undefined && io.stdout.isTTY) {
    throw new UsageError("Arrow is not text. Write it to a file: --to <path>");
  }
  const isInteractive = sql === undefined && options.file === undefined && io.stdin.isTTY;
  if (isInteractive) {
    const { interactiveQuery } = await import("./query-interactive.ts");
    return interactiveQuery(await openSession(io, globals), options, globals);
  }
  const statement = sql ?? (await readInput(io, options.file ?? "-")).toString("utf8");
  const session = await openSession(io, globals);
  if (output === "arrow") return queryArrow(session, statement, options);
  const answer = await ask(session, statement, options);
  if (options.to === undefined) return printAnswer(io, answer, globals);
  const file = createWriteStream(options.to);
  await printAnswer({ ...io, stdout: file }, answer, globals);
  file.end();
  await finished(file);
}

async function queryArrow({ bytes, io }: Session, sql: string, options: QueryOptions): Promise<void> {
  const seconds = integerOf("--timeout-seconds", options.timeoutSeconds) ?? 60;
  const { body } = await bytes(
    { method: "POST", path: "/api/v1/queries", environment: true },
    {
      body: toJson(bodyOf(sql, options), 0),
      headers: { accept: `${arrowStream}, application/json`, "content-type": "application/json" },
      timeoutMs: (seconds + 30) * 1000,
    },
  );
  if (options.to === undefined) await write(io.stdout, body);
  else await writeFile(options.to, body);
}
