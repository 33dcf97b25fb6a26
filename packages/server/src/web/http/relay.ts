import { createHmac } from "node:crypto";
import { type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { request as sendSecurely } from "node:https";
import { pipeline } from "node:stream/promises";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { forbidden, unavailable } from "../../core/errors.ts";
import { equalInConstantTime } from "../../core/secrets/vault.ts";
import { forwardedHeaders, forwardedRequestHeaders, hasBody } from "./connection-headers.ts";
import { responseTo } from "./response-to.ts";

/** Marks a forwarded request with its client and time, signed with a key that all servers of a database derive. */
export const relayHeader = "x-lakehelm-relay";

/** Longer than any query may take before the first byte of its answer. */
const responseTimeoutMs = 120_000;
/** How old a signature may be. Clocks of servers differ by seconds at most, or leases would not work. */
const signatureMs = 60_000;

export interface Relay {
  /**
   * Forwards a request to the holder of the data folder and streams its response back. Returns false if this server is
   * the holder.
   */
  forward(
    holder: DataFolderHolder,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<boolean>;
  /** Throws if the request claims to be forwarded, but no server of this database has signed it. */
  requireGenuine(request: IncomingMessage): void;
  /** The address of the client, also of a forwarded request. */
  addressOf(request: IncomingMessage): string;
}

export interface RelayOptions {
  readonly now: () => Date;
  /** The address of a client that is connected to this server, or to a proxy in front of it. */
  readonly addressOf: (request: IncomingMessage) => string;
}

export function createRelay(key: Buffer, { now, addressOf }: RelayOptions): Relay {
  const macOf = (time: string, client: string, { method, url }: IncomingMessage, requestId: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([time, client, method, url, requestId]))
      .digest();

  function signatureOf(request: IncomingMessage, requestId: string): string {
    const time = String(now().getTime());
    const client = addressOf(request) || "-";
    return `${time} ${client} ${macOf(time, client, request, requestId).toString("base64url")}`;
  }

  function clientOf(request: IncomingMessage): string {
    const [time = "", client = "", mac = ""] = String(request.headers[relayHeader]).split(" ");
    const expected = macOf(time, client, request, String(request.headers["x-request-id"]));
    const isGenuine = equalInConstantTime(Buffer.from(mac, "base64url"), expected);
    if (isGenuine && Math.abs(now().getTime() - Number(time)) <= signatureMs) return client;
    throw forbidden(`The header ${relayHeader} is reserved for servers that share a database.`);
  }

  return {
    async forward(holder, request, response, requestId) {
      if (holder === "here") return false;
      if (holder === undefined || request.headers[relayHeader] !== undefined) {
        throw unavailable(
          "No server holds the data folder at the moment; one takes over within seconds. Try again.",
        );
      }
      const { protocol, hostname, port } = new URL(holder.url);
      const { host, ...headers } = forwardedRequestHeaders(request);
      const out = (protocol === "https:" ? sendSecurely : send)({
        hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
        port,
        method: request.method,
        // Only a path and a query, never a URL: the caller does not decide where the request goes.
        path: request.url,
        headers: { ...headers, [relayHeader]: signatureOf(request, requestId), "x-request-id": requestId },
        // A separate connection: if the servers disagree on the end of the body, no other request follows on the
        // connection.
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
    },

    requireGenuine: (request) => void clientOf(request),
    addressOf: (request) =>
      request.headers[relayHeader] === undefined ? addressOf(request) : clientOf(request),
  };
}
