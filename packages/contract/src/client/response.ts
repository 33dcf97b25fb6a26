import { ApiError } from "./error.ts";
import { decodeJson } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { FullResponse } from "./options.ts";

export async function readResponse({ reads }: Operation, response: Response): Promise<FullResponse<unknown>> {
  const { status, headers } = response;
  return {
    body: await readBody(reads, response),
    status,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    header: (name) => headers.get(name) ?? undefined,
  };
}

async function readBody(reads: string | undefined, response: Response): Promise<unknown> {
  if (reads === "application/octet-stream") return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  return reads === "text/plain" ? text : parseJson(text, response);
}

/** Integers beyond 2^53 become bigints, because a number would round them. */
export function parseJson(text: string, { status, headers }: Pick<Response, "status" | "headers">): unknown {
  try {
    if (!/\d{16}/.test(text)) return JSON.parse(text);
    return decodeJson(text);
  } catch {
    const requestId = headers.get("x-request-id") ?? undefined;
    throw new ApiError("unexpected", "The response is not JSON.", { status, requestId });
  }
}
