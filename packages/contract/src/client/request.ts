import type { Endpoint } from "../endpoint.ts";
import { encodeJson } from "../schema/index.ts";
import { trimEnd } from "../text/trim.ts";

/** The argument of a call of any endpoint. */
export interface UntypedCall {
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

export interface PreparedRequest {
  readonly url: string;
  readonly method: Endpoint["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Idempotent: it may be retried. */
  readonly safe: boolean;
}

export function prepareRequest(
  endpoint: Endpoint,
  call: UntypedCall,
  baseUrl: string,
  environment: string | undefined,
): PreparedRequest {
  const { method, creates } = endpoint;
  const body = bodyOf(endpoint, call.body);
  return {
    url: trimEnd(baseUrl, /\//) + pathOf(endpoint.path, call.params) + searchOf(call.query),
    method,
    headers: { ...headersOf(endpoint, call, environment), ...body?.headers, ...call.headers },
    ...(body && { body: body.content }),
    safe: method === "GET" || (creates === true && call.idempotencyKey !== undefined),
  };
}

function headersOf(endpoint: Endpoint, call: UntypedCall, environment: string | undefined) {
  const headers: Record<string, string> = { accept: acceptOf(endpoint) };
  const value = call.environment === undefined ? environment : call.environment;
  const accepted = endpoint.headers !== undefined && "X-Environment-Id" in endpoint.headers;
  if (accepted && typeof value === "string") headers["x-environment-id"] = value;
  if (call.idempotencyKey !== undefined) headers["idempotency-key"] = call.idempotencyKey;
  if (call.ifMatch !== undefined) headers["if-match"] = call.ifMatch;
  return headers;
}

/** Events and queries also have a JSON form; files and metrics have none. Errors are always JSON. */
function acceptOf({ streams, response }: Endpoint): string {
  const onlyStreams = streams !== undefined && response.jsonSchema(new Map()).type === "string";
  return onlyStreams ? `${streams}, application/json` : "application/json";
}

function bodyOf({ body: schema }: Endpoint, body: unknown) {
  if (schema === undefined || body === undefined) return undefined;
  if (schema !== "bytes") {
    return { content: encodeJson(body), headers: { "content-type": "application/json" } };
  }
  // fetch rejects a view of shared memory, so the bytes are copied.
  const content = typeof body === "string" ? body : Uint8Array.from(body as Uint8Array);
  return { content, headers: { "content-type": "application/octet-stream" } };
}

function pathOf(path: string, params: UntypedCall["params"]): string {
  return path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value = String(params?.[name] ?? "");
    const segments = rest ? value.split("/") : [value];
    return segments.map((segment) => encodeSegment(name, segment)).join("/");
  });
}

/** URLs normalize `.` and `..`, even encoded: the call would silently reach another endpoint. */
function encodeSegment(name: string, segment: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new TypeError(`${name} cannot be "${segment}" in a path.`);
  }
  return encodeURIComponent(segment);
}

function searchOf(query: UntypedCall["query"] = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return sent.length === 0
    ? ""
    : `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
