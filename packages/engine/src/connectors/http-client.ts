import http from "node:http";
import https from "node:https";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { isConnectionHeader } from "@lakehelm/contract/connections";
import { allowedAddresses, type EgressRules, pinnedLookup } from "../egress/egress.ts";
import { DataProblem } from "../protocol/problem.ts";

export interface HttpRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Whether the body of the response stays as it was sent, compressed or not. */
  readonly isRaw?: boolean;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Decoded unless `isRaw`; reading stops the connection if it is not read to its end. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection. Call it if the body is not read. */
  discard(): void;
}

/** Idle connections are closed before servers do so, mostly after 2 or 5 seconds. */
const agentOptions = { keepAlive: true, timeout: 1_000 };
const agents = { "http:": new http.Agent(agentOptions), "https:": new https.Agent(agentOptions) };

/**
 * Sends a request to an address that the rules allow: the address that was checked is the one that is connected to.
 * Redirects are returned, not followed. Throws EgressRefused, the reason of the signal, or the error of the connection.
 */
export async function sendHttp(
  egress: EgressRules,
  { url, method = "GET", headers, body, isRaw = false, signal }: HttpRequest,
): Promise<HttpResponse> {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  if (username || password) {
    throw new DataProblem("A URL must not contain a user or a password. Send a header instead.");
  }
  const isSecure = protocol === "https:";
  const addresses = await allowedAddresses(egress, hostname, Number(port || (isSecure ? 443 : 80)));
  signal.throwIfAborted();
  const request = (isSecure ? https : http).request({
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    path: pathname + search,
    method,
    headers: sentHeaders(headers, body),
    agent: isSecure ? agents["https:"] : agents["http:"],
    lookup: pinnedLookup(addresses),
    signal,
  });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error);
    request.on("error", fail);
    // Closed without a response or an error: for example after an attempt to switch protocols.
    request.on("close", () => fail(new Error("the connection was closed without a response")));
    request.on("response", resolve);
    request.end(body);
  });
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    headers: headersOf(response),
    body: readBody(response, isRaw, signal),
    discard: () => void response.destroy(),
  };
}

function sentHeaders(given: Readonly<Record<string, string>>, body: string | Uint8Array | undefined) {
  const headers = new Headers({
    Accept: "*/*",
    "Accept-Encoding": "gzip, deflate, br",
    "User-Agent": "Lakehelm",
    ...(body !== undefined && { "Content-Length": String(Buffer.byteLength(body)) }),
  });
  for (const [name, value] of Object.entries(given)) {
    if (isConnectionHeader(name)) {
      throw new DataProblem(`The header ${name} is set by the HTTP client and cannot be overridden.`);
    }
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  return headers;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

async function* readBody(
  response: http.IncomingMessage,
  isRaw: boolean,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const decoder = isRaw
    ? undefined
    : decoders[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""]?.();
  try {
    // An error of either stream is thrown by the loop that reads the body.
    yield* decoder ? pipeline(response, decoder, () => {}) : response;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    if (!response.complete) response.destroy();
  }
}
