import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";

/**
 * SQLSTATE of what may be gone by itself: connection, no room, the operator's doing, conflicts with others, and what the
 * server was told to stop (appendix A of PostgreSQL's manual).
 */
const retryableStates = /^(08|53|57|40|55P03|55006|25006|58)/;
const retryableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** An error of the driver or the server, as a sentence that begins with what was being done. Mistakes of ours stay as they are. */
export function postgresProblem(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem) return error;
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) {
    const detail = error.detail ? ` ${error.detail}` : "";
    return new DataProblem(`${doing}: ${error.message}.${detail}`, {
      retryable: retryableStates.test(code),
      cause: error,
    });
  }
  if (retryableCodes.has(code))
    return new DataProblem(`${doing}: ${inWords[code] ?? code}.`, { retryable: true });
  if (code === "ENOTFOUND") return new DataProblem(`${doing}: there is no such host.`);
  if (
    /^(Connection terminated|timeout expired|Client has encountered a connection error)/.test(error.message)
  ) {
    return new DataProblem(`${doing}: the connection was lost.`, { retryable: true });
  }
  if (/SSL|certificate|self-signed/i.test(error.message) || code.startsWith("ERR_TLS")) {
    return new DataProblem(`${doing}: ${error.message}.`);
  }
  return error;
}

const inWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  ETIMEDOUT: "there is no answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EAI_AGAIN: "the name of the host could not be looked up",
};
