import { openSession } from "../connection/session.ts";
import type { GlobalOptions } from "../globals.ts";
import { outputOf } from "../globals.ts";
import { readDocument } from "../input/document.ts";
import { jsonIn } from "../input/json.ts";
import { type Io, write } from "../io.ts";
import { lines } from "../output/escape.ts";
import { toJson } from "../output/json.ts";
import { printValue } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";

export async function invoke(
  io: Io,
  agent: string,
  question: string | undefined,
  { file }: { readonly file?: string },
  globals: GlobalOptions,
): Promise<void> {
  if ((question === undefined) === (file === undefined))
    throw new UsageError("Ask a question, or send a request with -f.");
  const output = outputOf(globals);
  const request =
    file === undefined ? { messages: [{ role: "user", content: question }] } : await readDocument(io, file);
  const session = await openSession(io, globals);
  const { body } = await session.bytes(
    { method: "POST", path: "/agents/{agent_name}/invocations", environment: true },
    {
      params: { agent_name: agent },
      body: toJson(request, 0),
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
    },
  );
  const text = Buffer.from(body).toString("utf8");
  const answer = jsonIn(text);
  if (answer === undefined) return write(io.stdout, `${lines(text).trimEnd()}\n`);
  const isPlain = output.output === "table" && output.query === undefined;
  const said = (answer as { output_text?: unknown } | null)?.output_text;
  if (isPlain && typeof said === "string") return write(io.stdout, `${lines(said)}\n`);
  await printValue(io, answer, output);
}
