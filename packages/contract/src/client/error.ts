import { decodeJson, type Entry } from "../schema/index.ts";

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
  /** The server failed, or something before it did. */
  | "failed"
  /** An answer that is not the API's: another program at this address, a proxy's page. */
  | "unexpected"
  /** No answer came: refused, reset, unknown host. */
  | "network"
  /** No whole answer came within `timeoutMs`. */
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

interface ApiErrorFacts {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly entries?: readonly Entry[];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** What a call throws unless its own signal ended it: then it throws that signal's reason. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  /** One sentence for people. */
  readonly detail: string;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  /** What is wrong with the request, where `kind` is `invalid`; otherwise none. */
  readonly entries: readonly Entry[];
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ApiErrorKind, detail: string, facts: ApiErrorFacts = {}) {
    super(detail, { cause: facts.cause });
    this.kind = kind;
    this.detail = detail;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.entries = facts.entries ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

export async function errorOf(response: Response, now: number): Promise<ApiError> {
  const { status, headers } = response;
  const detail = detailIn(await response.text());
  const kind = kinds[status] ?? (status >= 500 ? "failed" : "unexpected");
  const entries = Array.isArray(detail) ? (detail as Entry[]) : [];
  const sentence = typeof detail === "string" ? detail : sentenceOf(entries, status);
  return new ApiError(kind, sentence, {
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

function sentenceOf(entries: readonly Entry[], status: number): string {
  if (entries.length === 0) return `The server answered ${status}.`;
  return entries.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}

/** Seconds, or a date. */
function retryAfter(sent: string | null, now: number): number | undefined {
  if (sent === null) return undefined;
  if (/^\d+$/.test(sent.trim())) return Number(sent);
  const at = Date.parse(sent);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}
