import { shortened } from "@lakehelm/contract/text";
import pino, { type Logger, type LoggerOptions } from "pino";
import type { Settings } from "../settings.ts";
import { isStateUnavailable } from "./errors.ts";
import { createLogOutput, type LogOutput, standardOutput } from "./log-output.ts";

/** A line is at most a little longer than this, whatever a caller sent. */
const maxLineLength = 8_000;
const maxValueLength = 2_000;
const maxItems = 20;
const maxDepth = 4;
const outageMs = 60_000;

/** The log, and the output it writes to. */
interface ServerLog {
  readonly log: Logger;
  readonly output: LogOutput;
}

/** JSON lines in production, readable lines in development. Neither contains secrets. */
export function createLog(settings: Pick<Settings, "PLATFORM_ENV" | "PLATFORM_LOG_LEVEL">): ServerLog {
  const options = {
    level: settings.PLATFORM_LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: limitedFields },
    hooks: { logMethod: quietOutages(() => performance.now()) },
    redact: {
      paths: ["*.authorization", "*.password", "*.token", "*.client_secret", '*["x-service-auth"]'],
      censor: "********",
    },
  };
  const isProduction = settings.PLATFORM_ENV === "production";
  const print = isProduction ? (line: string) => line : readable;
  const output = createLogOutput(standardOutput(), (dropped) => {
    const time = new Date().toISOString();
    return print(`${JSON.stringify({ level: "warn", time, dropped, msg: "log lines were dropped" })}\n`);
  });
  return { log: pino(options, { write: (line: string) => output.write(print(line)) }), output };
}

/** While the database is away, every background task fails several times a second: each says so once a minute, without a stack. */
export function quietOutages(
  nowMs: () => number,
): NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]> {
  const lastMs = new Map<string, number>();
  return function log(args, method) {
    const [about, message] = args as [unknown, unknown];
    const err = (about as { readonly err?: unknown } | null)?.err;
    if (!isStateUnavailable(err)) return method.apply(this, args);
    const now = nowMs();
    const task = String(message);
    if (now - (lastMs.get(task) ?? Number.NEGATIVE_INFINITY) < outageMs) return;
    lastMs.set(task, now);
    const cause = err.cause instanceof Error ? ` (${err.cause.message})` : "";
    method.apply(this, [{ ...(about as object), err: undefined, reason: `${err.message}${cause}` }, task]);
  };
}

/** `12:00:01 info  refused POST /api/v1/connectors 409 There is already … [request]` */
function readable(json: string): string {
  const { level, time, msg, request, err, ...rest } = JSON.parse(json);
  const words = Object.values(rest).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  const line = [time.slice(11, 19), level.padEnd(5), msg, ...words, request && `[${request}]`];
  return `${line.filter(Boolean).join(" ")}\n${err ? `${err.stack}\n` : ""}`;
}

/** The fields of a line, shortened before they are printed: in total to 8,000 characters. */
function limitedFields(fields: object): Record<string, unknown> {
  let left = maxLineLength;

  function limited(value: unknown, depth: number): unknown {
    if (typeof value === "string") {
      const text = shortened(value, Math.max(1, Math.min(maxValueLength, left)));
      left -= text.length;
      return text;
    }
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Error) return limited(pino.stdSerializers.err(value), depth);
    if (depth === maxDepth || left <= 0) return "…";
    if (Array.isArray(value)) {
      const items = value.slice(0, maxItems).map((item) => limited(item, depth + 1));
      return value.length > maxItems ? [...items, `… ${value.length - maxItems} more`] : items;
    }
    const entries = Object.entries(value).slice(0, maxItems);
    left -= entries.reduce((sum, [key]) => sum + Math.min(key.length, maxValueLength), 0);
    return Object.fromEntries(
      entries.map(([key, item]) => [shortened(key, maxValueLength), limited(item, depth + 1)]),
    );
  }

  return limited(fields, 0) as Record<string, unknown>;
}
