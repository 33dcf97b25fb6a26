import { retryAfterMs } from "../text/retry-after.ts";
import { decodeJson } from "./json.ts";

export type ApiErrorKind =
  | "badRequest"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "conflict"
  | "stale"
  | "tooLarge"
  | "invalid"
  | "tooMany"
  | "unavailable"
  /** The server or a proxy failed. */
  | "failed"
  /** The response is not the API's: another program at this URL, a proxy's page. */
  | "unexpected"
  /** No response: connection refused or reset, unknown host. */
  | "network"
  /** No complete response within `timeoutMs`. */
  | "timeout";

const kinds: Readonly<Record<number, ApiErrorKind>> = {
  400: "badRequest",
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  409: "conflict",
  412: "stale",
  413: "tooLarge",
  422: "invalid",
  429: "tooMany",
  503: "unavailable",
};

/** One problem of an invalid request. */
export interface InvalidEntry {
  /** The type of error, such as `missing`. */
  readonly type: string;
  /** `path`, `query` or `body`, then the path to the value. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** The value that was sent. Absent if it is too long. */
  readonly input?: unknown;
  /** The values in the message. `expected` describes a valid value. */
  readonly ctx?: { readonly expected?: unknown; readonly [name: string]: unknown };
}

interface ApiErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly entries?: readonly InvalidEntry[];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** What a call throws. If your signal aborts the call, it throws the signal's reason instead. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  /** One sentence for humans. */
  readonly detail: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** The validation errors if `kind` is `invalid`; otherwise empty. */
  readonly entries: readonly InvalidEntry[];
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ApiErrorKind, detail: string, details: ApiErrorDetails = {}) {
    super(detail, { cause: details.cause });
    this.kind = kind;
    this.detail = detail;
    this.status = details.status;
    this.requestId = details.requestId;
    this.entries = details.entries ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export async function errorOf(response: Response, now: number): Promise<ApiError> {
  const { status, headers } = response;
  const detail = detailIn(await response.text());
  const kind = kinds[status] ?? (status >= 500 ? "failed" : "unexpected");
  const entries = Array.isArray(detail) ? (detail as InvalidEntry[]) : [];
  const message = typeof detail === "string" ? detail : messageOf(entries, status);
  const retryAfter = retryAfterMs(headers.get("retry-after"), now);
  return new ApiError(kind, message, {
    status,
    entries,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfter === undefined ? undefined : retryAfter / 1000,
  });
}

function detailIn(text: string): unknown {
  try {
    return (decodeJson(text) as { detail?: unknown } | null)?.detail;
  } catch {
    return undefined;
  }
}

function messageOf(entries: readonly InvalidEntry[], status: number): string {
  if (entries.length === 0) return `The server returned ${status}.`;
  return entries.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}
