import { Problem, type ProblemKind } from "../../core/errors.ts";
import { VersionConflict } from "../../core/store/store.ts";

/** The one table from what went wrong to its HTTP status. */
const statuses: Record<ProblemKind, number> = {
  unreadable: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  conflict: 409,
  stale: 412,
  tooLarge: 413,
  tooMany: 429,
  unavailable: 503,
};

export interface Refused {
  readonly status: number;
  readonly detail: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Ours to look at: it is logged with its stack. */
  readonly unexpected: boolean;
}

export function refuse(error: unknown): Refused {
  if (error instanceof Problem) {
    return {
      status: statuses[error.kind],
      detail: error.message,
      headers: headersOf(error),
      unexpected: false,
    };
  }
  if (error instanceof VersionConflict) {
    const detail = "Too many concurrent changes. Try again.";
    return { status: statuses.conflict, detail, headers: [], unexpected: false };
  }
  const detail = "Something went wrong here. The log has the details under this request's id.";
  return { status: 500, detail, headers: [], unexpected: true };
}

function headersOf({ kind, headers, retryAfterSeconds }: Problem): readonly string[] {
  if (kind === "unauthorized") return ["www-authenticate", "Bearer"];
  return retryAfterSeconds === undefined ? headers : [...headers, "retry-after", String(retryAfterSeconds)];
}
