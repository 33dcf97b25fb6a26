import type { ProblemKind } from "../problems.ts";
import { Problem } from "../problems.ts";

/** The one table from what went wrong to its HTTP status. */
const statuses: Record<ProblemKind, number> = {
  unreadable: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  stale: 412,
  tooMany: 429,
  unavailable: 503,
};

export interface Refused {
  readonly status: number;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ours to look at: it is logged with its stack. */
  readonly unexpected: boolean;
}

/** Sentences for what Fastify itself refuses, by its error code. */
const frameworkSentences: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "The request body is too large.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The request body does not have the length that was announced.",
  METHOD_NOT_ALLOWED: "This path does not take this method.",
  FST_ERR_BAD_URL: "The path is not valid: its percent-encoding cannot be read.",
};

export function refuse(error: unknown): Refused {
  if (error instanceof Problem) return { ...refuseProblem(error), unexpected: false };
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const detail = frameworkSentences[code ?? ""] ?? "The request cannot be read.";
    return { status: statusCode === 415 ? 400 : statusCode, detail, headers: {}, unexpected: false };
  }
  const detail = "Something went wrong here. The log has the details under this request's id.";
  return { status: 500, detail, headers: {}, unexpected: true };
}

function refuseProblem(problem: Problem) {
  const headers: Record<string, string> = {};
  if (problem.kind === "unauthorized") headers["www-authenticate"] = "Bearer";
  if (problem.retryAfterSeconds !== undefined) headers["retry-after"] = String(problem.retryAfterSeconds);
  return { status: statuses[problem.kind], detail: problem.message, headers };
}
