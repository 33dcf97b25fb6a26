import { type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { request as sendSecurely } from "node:https";
import { pipeline } from "node:stream/promises";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { unavailable } from "../../core/errors.ts";
import { answerTo } from "./answer.ts";
import { hasBody, passedHeaders, passedRequestHeaders } from "./connection-headers.ts";

/** Set on a request that was passed on once: it is not passed on again. */
const passedOn = "x-lakehelm-passed-on";

/** Longer than any query may take without a byte of its answer. */
const silenceMs = 120_000;

/**
 * Passes a request on to the server that holds the data folder, and its answer back; as they are, streams included.
 * Answers false if it is to be served here.
 */
export async function relay(
  holder: DataFolderHolder,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  if (holder === "here") return false;
  if (holder === undefined || request.headers[passedOn] !== undefined) {
    throw unavailable(
      "No server holds the data folder at the moment; one takes over within seconds. Try again.",
    );
  }
  const target = new URL(request.url ?? "/", holder.url);
  const { host, ...headers } = passedRequestHeaders(request);
  const out = (target.protocol === "https:" ? sendSecurely : send)(target, {
    method: request.method,
    headers: { ...headers, [passedOn]: "1", "x-request-id": requestId },
    // Where two servers see the end of a body differently, no other caller's request is behind it.
    ...(hasBody(request) && { agent: false as const }),
  });
  out.setTimeout(silenceMs, () => out.destroy(new Error(`nothing came for ${silenceMs} ms`)));
  // A caller that goes away takes the request with it.
  response.once("close", () => out.destroy());
  const answered = answerTo(out);
  request.pipe(out);
  const answer = await answered.catch((error) => {
    throw unavailable("The server that holds the data folder does not answer. Try again.", error);
  });
  response.writeHead(answer.statusCode ?? 502, passedHeaders(answer.headers));
  await pipeline(answer, response).catch(() => response.destroy());
  return true;
}
