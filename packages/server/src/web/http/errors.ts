import { shortened } from "@lakehelm/contract/text";
import { Problem, type ProblemKind } from "../../core/errors.ts";
import { VersionConflict } from "../../core/store/store.ts";

/** Maps each kind of error to its HTTP status. */
const statuses: Record<ProblemKind, number> = {
  unreadable: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  conflict: 409,
  gone: 410,
  stale: 412,
  tooLarge: 413,
  tooMany: 429,
  unavailable: 503,
};

/** The limit of a sentence, which may quote what the caller sent: up to a whole body. */
const maxDetail = 4_000;

export interface ErrorResponse {
  readonly status: number;
  readonly detail: string;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  /** A bug of ours: logged with its stack. */
  readonly unexpected: boolean;
}

export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof Problem) {
    return {
      status: statuses[error.kind],
      detail: shortened(error.message, maxDetail),
      headers: headersOf(error),
      unexpected: false,
    };
  }
  if (error instanceof VersionConflict) {
    const detail = "Too many concurrent changes. Try again.";
    return { status: statuses.conflict, detail, headers: [], unexpected: false };
  }
  const detail = "Internal error. The server log has the details under this request id.";
  return { status: 500, detail, headers: [], unexpected: true };
}

function headersOf({ kind, headers, retryAfterSeconds }: Problem): readonly string[] {
  if (kind === "unauthorized") return ["www-authenticate", "Bearer"];
  return retryAfterSeconds === undefined ? headers : [...headers, "retry-after", String(retryAfterSeconds)];
}
