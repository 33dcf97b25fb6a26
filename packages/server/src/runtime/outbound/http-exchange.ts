import * as http from "node:http";
import * as https from "node:https";
import { isConnectionHeader } from "@lakehelm/contract/connections";
import { type HostAddress, pinnedLookup, plainHost } from "@lakehelm/engine/egress";
import { hostError, networkError, OutboundError } from "./outbound-error.ts";
import type { OutboundRequest, OutboundResponse } from "./outbound-request.ts";

const maxResponseBytes = 1024 * 1024;

/** Connections that are kept for later requests to the same host. */
export interface Connections {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** Idle connections are closed before most servers do so. */
export function keepConnections(): Connections {
  const options = { keepAlive: true, timeout: 4_000 };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** Sends one request to one of these addresses, on a connection of its own; the response is read while it arrives. */
export function openExchange(
  url: URL,
  addresses: readonly HostAddress[],
  { method, headers, body, signal, timeoutMs }: Omit<OutboundRequest, "url" | "maxBytes">,
): Promise<http.IncomingMessage> {
  requireSendable(method, headers);
  const request = (url.protocol === "https:" ? https : http).request(url, {
    method,
    lookup: pinnedLookup(addresses),
    agent: false,
    headers: sentHeaders(headers, body),
    ...(signal && { signal }),
  });
  const host = plainHost(url.hostname);
  request.setTimeout(timeoutMs, () =>
    request.destroy(hostError(host, `sent nothing for ${timeoutMs / 1000} s.`, true)),
  );
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("close", () => reject(networkError(host, { code: "ECONNRESET" })));
    request.on("response", resolve);
    request.end(body);
  });
}

const sentHeaders = (headers: OutboundRequest["headers"], body: OutboundRequest["body"]) => ({
  "user-agent": "Lakehelm",
  "accept-encoding": "identity",
  ...headers,
  ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
});

/** Sends one request to one of these addresses, and reads the response up to its limit. */
export function exchange(
  url: URL,
  addresses: readonly HostAddress[],
  { method, headers, body, signal, maxBytes }: Omit<OutboundRequest, "url" | "timeoutMs">,
  connections?: Connections,
): Promise<OutboundResponse> {
  requireSendable(method, headers);
  const options = {
    method,
    lookup: pinnedLookup(addresses),
    // Without kept connections, each request has its own: no connection is reused that was opened when the name had
    // another address.
    agent: connections
      ? url.protocol === "https:"
        ? connections.https
        : connections.http
      : (false as const),
    headers: sentHeaders(headers, body),
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(networkError(plainHost(url.hostname), error));
    const request = (url.protocol === "https:" ? https : http).request(url, options);
    request.on("error", fail);
    // Closed without a response or an error: for example after an attempt to switch protocols.
    const closed = () => fail({ code: "ECONNRESET" });
    request.on("close", closed);
    request.on("response", (response) => {
      // From here on the body says whether it is complete.
      request.off("close", closed);
      readBody(response, maxBytes).then((text) => {
        if (text === undefined) {
          fail(hostError(plainHost(url.hostname), `sent more than ${maxBytes} bytes.`, false));
        } else {
          resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: text });
        }
        // A connection that is kept is free for the next request once the response has ended.
        if (!connections || !response.complete) request.destroy();
      }, fail);
    });
    request.end(body);
  });
}

/** Undefined: the body is longer than `maxBytes`. */
async function readBody(
  response: http.IncomingMessage,
  maxBytes: number | undefined,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (maxBytes !== undefined && size > maxBytes) return undefined;
    if (maxBytes === undefined && size >= maxResponseBytes) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, maxBytes ?? maxResponseBytes)
    .toString("utf8");
}

const headersOf = ({ headers }: http.IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : `${value}`,
    ]),
  );

function requireSendable(method: string, headers: Readonly<Record<string, string>>): void {
  if (!/^[A-Z]+$/.test(method) || method === "CONNECT") {
    throw new OutboundError(`${JSON.stringify(method)} is not a supported HTTP method.`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (isConnectionHeader(name)) {
      throw new OutboundError(`The header ${name} is set by the HTTP client and cannot be overridden.`);
    }
    try {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
    } catch {
      throw new OutboundError(
        `The header ${JSON.stringify(name)} has characters that are not allowed in a header.`,
      );
    }
  }
}
