import { type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { request as sendSecurely } from "node:https";
import { pipeline } from "node:stream/promises";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { unavailable } from "../../core/errors.ts";
import { forwardedHeaders, forwardedRequestHeaders, hasBody } from "./connection-headers.ts";
import { responseTo } from "./response-to.ts";

/** Marks a forwarded request: it is not forwarded again. */
const forwardedMark = "x-lakehelm-passed-on";

/** Longer than any query may take before the first byte of its answer. */
const responseTimeoutMs = 120_000;

/**
 * Forwards a request to the holder of the data folder and streams its response back. Returns false if this server is the
 * holder.
 */
export async function relay(
  holder: DataFolderHolder,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  if (holder === "here") return false;
  if (holder === undefined || request.headers[forwardedMark] !== undefined) {
    throw unavailable(
      "No server holds the data folder at the moment; one takes over within seconds. Try again.",
    );
  }
  const target = new URL(request.url ?? "/", holder.url);
  const { host, ...headers } = forwardedRequestHeaders(request);
  const out = (target.protocol === "https:" ? sendSecurely : send)(target, {
    method: request.method,
    headers: { ...headers, [forwardedMark]: "1", "x-request-id": requestId },
    // A separate connection: if both servers disagree on the end of the body, no other request follows on it.
    ...(hasBody(request) && { agent: false as const }),
  });
  out.setTimeout(responseTimeoutMs, () => out.destroy(new Error(`no data for ${responseTimeoutMs} ms`)));
  // If the caller disconnects, the forwarded request is aborted.
  response.once("close", () => out.destroy());
  const answered = responseTo(out);
  request.pipe(out);
  const answer = await answered.catch((error) => {
    throw unavailable("The server that holds the data folder does not respond. Try again.", error);
  });
  response.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer.headers));
  await pipeline(answer, response).catch(() => response.destroy());
  return true;
}
