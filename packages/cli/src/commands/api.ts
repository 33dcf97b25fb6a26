import { openSession } from "../connection/session.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { readDocument } from "../input/document.ts";
import { jsonIn } from "../input/json.ts";
import { type Io, write } from "../io.ts";
import { lines } from "../output/escape.ts";
import { toJson } from "../output/json.ts";
import { printValue } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";

interface ApiOptions {
  readonly file?: string;
  readonly header?: readonly string[];
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export async function api(
  io: Io,
  given: string,
  path: string,
  options: ApiOptions,
  globals: GlobalOptions,
): Promise<void> {
  const method = methods.find((one) => one === given.toUpperCase());
  if (!method) throw new UsageError(`"${given}" is not a method. Methods: ${methods.join(", ")}.`);
  // Another path could name another host, and the token would be sent there.
  if (!/^\/[\x21-\x7e]*$/.test(path))
    throw new UsageError('The path must begin with "/", such as /api/v1/connectors/.');
  const output = outputOf(globals);
  const headers = Object.fromEntries((options.header ?? []).map(headerOf));
  const document = options.file === undefined ? undefined : await readDocument(io, options.file);
  const session = await openSession(io, globals);
  const { body } = await session.bytes(
    // The client would read braces as parameters.
    { method, path: path.replaceAll("{", "%7B").replaceAll("}", "%7D") },
    {
      ...(document !== undefined && { body: toJson(document, 0) }),
      headers: {
        accept: "application/json",
        ...(document !== undefined && { "content-type": "application/json" }),
        ...(session.connection.environment !== undefined && {
          "x-environment-id": session.connection.environment,
        }),
        ...headers,
      },
    },
  );
  const text = Buffer.from(body).toString("utf8");
  const answer = jsonIn(text);
  if (answer === undefined) return write(io.stdout, io.stdout.isTTY ? lines(text) : body);
  // The unchanged answer: a table would omit parts of it.
  await printValue(
    io,
    answer,
    output.output === "table" && output.query === undefined ? { output: "json" } : output,
  );
}

function headerOf(text: string): [string, string] {
  const match = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(text);
  if (!match?.[1]) throw new UsageError(`"${text}" is not a header such as "If-Match: 3".`);
  return [match[1].toLowerCase(), match[2] ?? ""];
}
