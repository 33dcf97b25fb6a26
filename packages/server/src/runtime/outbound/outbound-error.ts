import { certificateProblem, EgressRefused } from "@lakehelm/engine/egress";

/** Why another server was not called or did not respond: a message without path, headers or body. */
export class OutboundError extends Error {
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  /** Whether the other server may have received the request. */
  readonly isSent: boolean;
  /** The message for a secret address: it does not name the host either. */
  readonly hostless: string;

  constructor(sentence: string, { retryable = false, isSent = false, hostless = sentence } = {}) {
    super(sentence);
    this.name = "OutboundError";
    this.retryable = retryable;
    this.isSent = isSent;
    this.hostless = hostless;
  }
}

export const hostError = (host: string, message: string, retryable: boolean, isSent = true): OutboundError =>
  new OutboundError(`The host ${host} ${message}`, { retryable, isSent, hostless: `Its host ${message}` });

const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: "was not found",
  EAI_AGAIN: "could not be looked up",
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection",
  EPIPE: "closed the connection",
  ETIMEDOUT: "did not respond in time",
  EHOSTUNREACH: "is unreachable",
  ENETUNREACH: "is unreachable",
};

/** Errors before a connection was made. */
const unsent = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

export function networkError(host: string, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof EgressRefused) {
    return new OutboundError(error.message, { hostless: `Its host ${error.reason}` });
  }
  const code = String((error as { code?: unknown }).code ?? "");
  const message = sentences[code];
  if (message !== undefined) return hostError(host, `${message}.`, true, !unsent.has(code));
  const problem = certificateProblem(error);
  if (problem !== undefined) return hostError(host, `cannot be used: ${problem}.`, true, false);
  const why = /TLS|SSL/.test(code) ? "speaks no TLS that this server accepts" : "failed";
  return hostError(host, `${why}${code && ` (${code})`}.`, true);
}
