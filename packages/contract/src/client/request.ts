import type { Endpoint } from "../endpoint.ts";
import { encodeJson } from "../schema/index.ts";

/** A call as it comes in, whatever the endpoint. */
export interface AnyCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly environment?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Prepared {
  readonly url: string;
  readonly method: Endpoint["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Sending it twice does what sending it once does. */
  readonly safe: boolean;
}

export function prepare(
  endpoint: Endpoint,
  call: AnyCall,
  baseUrl: string,
  environment: string | undefined,
): Prepared {
  const { method, creates } = endpoint;
  const body = bodyOf(endpoint, call.body);
  return {
    url: baseUrl.replace(/\/+$/, "") + pathOf(endpoint.path, call.params) + searchOf(call.query),
    method,
    headers: { ...headersOf(endpoint, call, environment), ...body?.headers, ...call.headers },
    ...(body && { body: body.content }),
    safe: method === "GET" || (creates === true && call.idempotencyKey !== undefined),
  };
}

function headersOf(endpoint: Endpoint, call: AnyCall, environment: string | undefined) {
  const headers: Record<string, string> = { accept: acceptOf(endpoint) };
  const place = call.environment === undefined ? environment : call.environment;
  const takesPlace = endpoint.headers !== undefined && "X-Environment-Id" in endpoint.headers;
  if (takesPlace && typeof place === "string") headers["x-environment-id"] = place;
  if (call.idempotencyKey !== undefined) headers["idempotency-key"] = call.idempotencyKey;
  if (call.ifMatch !== undefined) headers["if-match"] = call.ifMatch;
  return headers;
}

/** Events and queries have a JSON form as well, files and metrics none. Errors are JSON everywhere. */
function acceptOf({ streams, response }: Endpoint): string {
  const onlyStreams = streams !== undefined && response.jsonSchema(new Map()).type === "string";
  return onlyStreams ? `${streams}, application/json` : "application/json";
}

function bodyOf({ body: schema }: Endpoint, body: unknown) {
  if (schema === undefined || body === undefined) return undefined;
  if (schema !== "bytes") {
    return { content: encodeJson(body), headers: { "content-type": "application/json" } };
  }
  // A view may be of shared memory, which fetch does not take; a copy never is.
  const content = typeof body === "string" ? body : Uint8Array.from(body as Uint8Array);
  return { content, headers: { "content-type": "application/octet-stream" } };
}

function pathOf(path: string, params: AnyCall["params"]): string {
  return path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value = String(params?.[name] ?? "");
    const segments = rest ? value.split("/") : [value];
    return segments.map((segment) => encodeSegment(name, segment)).join("/");
  });
}

/** URLs drop `.` and `..`, even encoded: such a value would silently reach another endpoint. */
function encodeSegment(name: string, segment: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new TypeError(`${name} cannot be "${segment}" in a path.`);
  }
  return encodeURIComponent(segment);
}

function searchOf(query: AnyCall["query"] = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return sent.length === 0
    ? ""
    : `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
