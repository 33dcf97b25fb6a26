import { trimEnd } from "../text/trim.ts";
import { encodeJson } from "./json.ts";
import type { Operation } from "./operation.ts";

/** The argument of a call of any endpoint. */
export interface UntypedCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly environment?: string | null;
  readonly dryRun?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface PreparedRequest {
  readonly url: string;
  readonly method: Operation["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Idempotent: it may be retried. */
  readonly safe: boolean;
}

export function prepareRequest(
  operation: Operation,
  call: UntypedCall,
  baseUrl: string,
  environment: string | undefined,
): PreparedRequest {
  const { method, creates } = operation;
  const body = bodyOf(operation, call.body);
  return {
    url: trimEnd(baseUrl, /\//) + pathOf(operation.path, call.params) + searchOf(call),
    method,
    headers: { ...headersOf(operation, call, environment), ...body?.headers, ...call.headers },
    ...(body && { body: body.content }),
    safe: method === "GET" || call.dryRun === true || (creates === true && call.idempotencyKey !== undefined),
  };
}

function headersOf(operation: Operation, call: UntypedCall, environment: string | undefined) {
  const headers: Record<string, string> = { accept: acceptOf(operation) };
  const value = call.environment === undefined ? environment : call.environment;
  if (operation.environment && typeof value === "string") headers["x-environment-id"] = value;
  if (call.idempotencyKey !== undefined) headers["idempotency-key"] = call.idempotencyKey;
  if (call.ifMatch !== undefined) headers["if-match"] = call.ifMatch;
  return headers;
}

/** Errors are always JSON. */
const acceptOf = ({ reads }: Operation) =>
  reads === undefined ? "application/json" : `${reads}, application/json`;

function bodyOf({ body: kind }: Operation, body: unknown) {
  if (kind === undefined || body === undefined) return undefined;
  if (kind === "json") {
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

function searchOf({ query = {}, dryRun }: UntypedCall): string {
  const all = dryRun ? { ...query, dry_run: true } : query;
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  return sent.length === 0
    ? ""
    : `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
