import type { ServerResponse } from "node:http";
import { encodeJson } from "@lakehelm/contract/schema";
import { etag } from "../store/collection.ts";

const json = "application/json; charset=utf-8";

/** Writes a JSON answer. Headers go as one flat list: Node then has nothing to look up or copy. */
export function sendJson(
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  more: readonly string[] = [],
): void {
  const length = String(Buffer.byteLength(text));
  const headers = ["content-type", json, "content-length", length, "x-request-id", requestId];
  response.writeHead(status, more.length > 0 ? headers.concat(more) : headers);
  response.end(text);
}

export const versionHeader = (version: number | undefined): string[] =>
  version === undefined ? [] : ["etag", etag(version)];

export const detailText = (detail: unknown): string => encodeJson({ detail });
