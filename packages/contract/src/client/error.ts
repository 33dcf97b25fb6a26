import { decodeJson, type ValidationError } from "../schema/index.ts";

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

interface ApiErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly entries?: readonly ValidationError[];
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
  readonly entries: readonly ValidationError[];
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
  const entries = Array.isArray(detail) ? (detail as ValidationError[]) : [];
  const message = typeof detail === "string" ? detail : messageOf(entries, status);
  return new ApiError(kind, message, {
    status,
    entries,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfter(headers.get("retry-after"), now),
  });
}

function detailIn(text: string): unknown {
  const decoded = decodeJson(text);
  return "value" in decoded ? (decoded.value as { detail?: unknown } | null)?.detail : undefined;
}

function messageOf(entries: readonly ValidationError[], status: number): string {
  if (entries.length === 0) return `The server returned ${status}.`;
  return entries.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}

/** The header has seconds or a date. */
function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}
