import { Writable } from "node:stream";
import pino, { type Logger } from "pino";
import type { Settings } from "../settings.ts";

/** JSON lines in production, readable lines in development. Neither contains secrets. */
export function createLog(settings: Pick<Settings, "PLATFORM_ENV" | "PLATFORM_LOG_LEVEL">): Logger {
  const options = {
    level: settings.PLATFORM_LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ["*.authorization", "*.password", "*.token", "*.client_secret", '*["x-service-auth"]'],
      censor: "********",
    },
  };
  return settings.PLATFORM_ENV === "production" ? pino(options) : pino(options, readable(process.stdout));
}

/** `12:00:01 info  refused POST /api/v1/connectors 409 There is already … [request]` */
function readable(out: NodeJS.WritableStream): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      const { level, time, msg, request, err, ...rest } = JSON.parse(chunk.toString());
      const words = Object.values(rest).map((value) =>
        typeof value === "string" ? value : JSON.stringify(value),
      );
      const line = [time.slice(11, 19), level.padEnd(5), msg, ...words, request && `[${request}]`];
      out.write(`${line.filter(Boolean).join(" ")}\n${err ? `${err.stack}\n` : ""}`, () => done());
    },
  });
}
