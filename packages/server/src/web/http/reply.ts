import type { IncomingMessage, ServerResponse } from "node:http";
import { encodeJson } from "@lakehelm/contract/schema";
import { etag } from "../../core/store/collection.ts";

const json = "application/json; charset=utf-8";

/** Writes a JSON answer. Headers go as one flat list: Node then has nothing to look up or copy. */
export function sendJson(
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  more: readonly string[] = [],
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, headersOf(length, requestId, more));
  // As many bytes as characters: all of it is ASCII, and Latin-1 then writes the same bytes in a quarter of the time.
  response.end(text, length === text.length ? "latin1" : "utf8");
}

function headersOf(length: number, requestId: string, more: readonly string[]): string[] {
  const headers = ["content-type", json, "content-length", String(length), "x-request-id", requestId];
  for (const word of more) headers.push(word);
  return headers;
}

/** How long the rest of a body is read that nobody wants. */
const lingerMs = 2000;

/**
 * Answers while the body is still on its way. A connection that is closed then is reset by what arrives next,
 * and the answer is lost with it: so the rest is read and thrown away for a moment first.
 */
export function sendEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  more: readonly string[],
): void {
  const headers = headersOf(Buffer.byteLength(text), requestId, [...more, "connection", "close"]);
  response.writeHead(status, headers);
  response.write(text);
  const close = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(close, lingerMs);
  request.once("end", close);
  request.once("close", close);
  request.resume();
}

export const versionHeader = (version: number | undefined): string[] =>
  version === undefined ? [] : ["etag", etag(version)];

export const detailText = (detail: unknown): string => encodeJson({ detail });
