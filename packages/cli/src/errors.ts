import { styleText } from "node:util";
import { ApiError } from "@lakehelm/contract/client";
import { defaultUrl } from "./connection/connection.ts";
import { type ErrorFormat, errorJson } from "./error-format.ts";
import { exitCodes } from "./exit-codes.ts";
import { Exit, Failure } from "./failure.ts";
import { InterruptedError } from "./input/prompt.ts";
import { invalidValueText } from "./invalid-value.ts";
import type { Io } from "./io.ts";
import { lines, oneLine } from "./output/escape.ts";
import { withOptions } from "./repeated-options.ts";
import { UsageError } from "./usage-error.ts";

/** Writes the error to the standard error. Returns the exit code. */
export function reportError(io: Io, error: unknown, format: ErrorFormat = "text"): number {
  if (error instanceof InterruptedError || io.signal.aborted) return exitCodes.interrupted;
  if (error instanceof Exit) return error.code;
  const { stderr, env, repeated } = io;
  const colored = stderr.isTTY === true && !env.NO_COLOR && !env.CI;
  const word = colored ? styleText("red", "Error:", { validateStream: false }) : "Error:";
  const say = (text: string) => {
    const message = withOptions(text, repeated);
    stderr.write(
      format === "json" ? `${errorJson({ message, ...aboutApi(error) })}\n` : `${word} ${message}\n`,
    );
  };
  if (error instanceof UsageError || error instanceof Failure) {
    say(lines(error.message));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
  if (error instanceof ApiError) {
    const isUnknown = error.status === 404 && /^There is no environment "[^"]*"\.$/.test(error.detail);
    say(isUnknown ? `${lines(error.detail)} To see all: lakehelm environments list` : describe(error));
    if (isUnknown) return exitCodes.usage;
    return error.status === 403 ? exitCodes.refused : exitCodes.failed;
  }
  say(
    error instanceof Error
      ? lines(env.LAKEHELM_DEBUG ? (error.stack ?? error.message) : error.message)
      : String(error),
  );
  return exitCodes.failed;
}

function aboutApi(error: unknown) {
  if (!(error instanceof ApiError)) return {};
  const { status, requestId, entries } = error;
  const fields = entries.map(({ loc, msg }) => ({ path: loc.join("."), message: msg }));
  return { status, request_id: requestId, ...(fields.length > 0 && { fields }) };
}

function describe(error: ApiError): string {
  const { kind, status, entries, detail, requestId } = error;
  if (kind === "network") return unreachable(error);
  const about = requestId === undefined ? "" : `\nRequest id: ${oneLine(requestId)}`;
  if (entries.length > 0) {
    const fields = entries.map(({ loc, msg: text, input, ctx }) => {
      const msg = invalidValueText({ msg: text, input, ...(ctx && { ctx }) });
      const expected =
        typeof ctx?.expected === "string" && !msg.includes(ctx.expected)
          ? ` (expected: ${ctx.expected})`
          : "";
      return `\n  ${oneLine(`${loc.join(".")}: ${msg}${expected}`)}`;
    });
    return `The server refused the request (${status}).${fields.join("")}${about}`;
  }
  const login =
    kind === "unauthorized"
      ? '\nLog in with "lakehelm login", or set LAKEHELM_TOKEN. "lakehelm login --help" says how.'
      : "";
  const shownStatus = status === undefined ? "" : ` (${status})`;
  return `${lines(detail)}${shownStatus}${about}${login}`;
}

/** One sentence: which server did not answer, why, and what to do. */
function unreachable({ detail, cause }: ApiError): string {
  const server = URL.parse(/https?:\/\/\S+/.exec(detail)?.[0] ?? "")?.origin ?? "the server";
  const code = codeOf(cause);
  if (code === "ECONNREFUSED") {
    const dev = ' "lakehelm dev" starts one for a project, and prints how to log in to it.';
    return `No server listens at ${server}: start it, or choose another one with --url or LAKEHELM_URL.${server === defaultUrl ? dev : ""}`;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host of ${server} is unknown.`;
  if (isTimeout(cause)) {
    return `No answer from ${server} in time. Raise --timeout for a request that takes long. What it has started may still be running: "lakehelm runs list" shows it, and "lakehelm runs watch <run>" follows it.`;
  }
  return `No answer from ${server}${code === undefined ? "" : ` (${oneLine(code)})`}.`;
}

function isTimeout(cause: unknown): boolean {
  for (let inner: unknown = cause; inner instanceof Error; inner = inner.cause) {
    if (inner.name === "TimeoutError") return true;
  }
  return false;
}

/** The code of the innermost cause, because `fetch` wraps errors. */
function codeOf(cause: unknown): string | undefined {
  let code: string | undefined;
  for (let inner: unknown = cause; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") code = inner.code;
  }
  return code;
}
