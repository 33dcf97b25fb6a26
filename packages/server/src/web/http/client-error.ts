import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";

const answers: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["413 Payload Too Large", "The request's chunk extensions are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
  HPE_INVALID_METHOD: ["405 Method Not Allowed", "Unknown HTTP method."],
};

/** Where Node keeps the current response of a connection. */
type Connection = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Answers requests that Node's parser rejects in our error format. */
export function createClientErrorAnswer(
  newId: () => string,
  log: Logger,
): (error: { readonly code?: string }, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();

  function answer(code: string, socket: Connection): void {
    const before = socket._httpMessage;
    // Complete requests before this one are answered first.
    if (before?.req.complete) return void before.once("finish", () => setImmediate(answer, code, socket));
    // A response in the middle of another response would be read as its body.
    if (!socket.writable || before?.headersSent) return void socket.destroy();
    const [status, detail] = answers[code] ?? ["400 Bad Request", "The request is not valid HTTP."];
    const id = newId();
    log.info({ request: id, status: Number(status.slice(0, 3)), detail, code }, "refused");
    const body = JSON.stringify({ detail });
    const allow = code === "HPE_INVALID_METHOD" ? "Allow: DELETE, GET, HEAD, PATCH, POST, PUT\r\n" : "";
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `X-Request-Id: ${id}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n${allow}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  return ({ code = "" }, socket) => {
    if (code === "ECONNRESET") return void socket.destroy();
    // The parser rejects everything that follows, too; one answer is enough.
    if (refused.has(socket)) return;
    refused.add(socket);
    answer(code, socket);
  };
}
