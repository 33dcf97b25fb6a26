import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { encodeJson } from "@lakehelm/contract/schema";
import { etag, type JoinedPage, type Text, textOf } from "../../core/store/collection.ts";

export const json = "application/json; charset=utf-8";

/** No answer of the API is stored by a cache, or interpreted as another type than the declared one. */
export const apiHeaders: readonly string[] = [
  "cache-control",
  "no-store",
  "x-content-type-options",
  "nosniff",
];

/** Writes a JSON answer. Headers are a flat list, which Node writes without lookups or copies. */
export function sendJson(
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  more: readonly string[] = [],
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, headersOf(json, length, requestId, more));
  // If the text has as many bytes as characters, it is ASCII, and writing it as Latin-1 takes a quarter of the time.
  response.end(text, length === text.length ? "latin1" : "utf8");
}

export const headersOf = (
  contentType: string,
  length: number,
  requestId: string,
  more: readonly string[],
): string[] => [
  "content-type",
  contentType,
  "content-length",
  String(length),
  "x-request-id",
  requestId,
  ...apiHeaders,
  ...more,
];

/** How long the rest of an unwanted body is drained. */
const lingerMs = 2000;

/**
 * Answers before the body has arrived. Closing the connection at once would reset it and lose the answer, so the rest of
 * the body is drained for a moment first.
 */
export function sendEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  more: readonly string[],
): void {
  const headers = headersOf(json, Buffer.byteLength(text), requestId, [...more, "connection", "close"]);
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

/** The entity tag of an answer that can change while the version of its resource stays. */
export const computedTag = (version: number, text: string): string =>
  `"${version}-${hash("sha256", text, "base64url").slice(0, 22)}"`;

/** 304: the caller has the answer already. */
export function sendNotModified(response: ServerResponse, requestId: string, tag: string): void {
  response.writeHead(304, ["etag", tag, "x-request-id", requestId, ...apiHeaders]);
  response.end();
}

export const detailText = (detail: unknown): string => encodeJson({ detail });

/** The answer with a stored resource: its stored text. */
export const answerWith = <T extends object>({
  doc,
  version,
}: {
  readonly doc: T;
  readonly version: number;
}) => ({
  text: textOf(doc),
  version,
});

/** The answer of a list, joined from the texts of its items. */
export function listText<Key extends string, T>(
  key: Key,
  page: JoinedPage<T>,
): Text<Record<Key, T[]> & { total: number }> {
  const next = page.next === undefined ? "" : `,"next_cursor":${JSON.stringify(page.next)}`;
  return `{"${key}":[${page.joined}],"total":${page.total}${next}}`;
}
