import type { Endpoint } from "../endpoint.ts";
import { decodeJson } from "../schema/index.ts";
import { ApiError } from "./error.ts";
import type { FullResponse } from "./types.ts";

export async function readResponse(endpoint: Endpoint, response: Response): Promise<FullResponse<unknown>> {
  const { status, headers } = response;
  return {
    body: await readBody(endpoint, response),
    status,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
  };
}

async function readBody({ streams }: Endpoint, response: Response): Promise<unknown> {
  if (streams === "application/octet-stream") return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  return streams === "text/plain" ? text : parseJson(text, response);
}

/** Integers beyond 2^53 become bigints, because a number would round them. */
export function parseJson(text: string, { status, headers }: Pick<Response, "status" | "headers">): unknown {
  try {
    if (!/\d{16}/.test(text)) return JSON.parse(text);
    const decoded = decodeJson(text);
    if ("value" in decoded) return decoded.value;
  } catch {
    // Both parsers report the error below.
  }
  const requestId = headers.get("x-request-id") ?? undefined;
  throw new ApiError("unexpected", "The response is not JSON.", { status, requestId });
}
