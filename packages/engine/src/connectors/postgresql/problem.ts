import { certificateProblem } from "@lakehelm/spark-connect";
import pg from "pg";
import { EgressRefused } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { valuelessMessage } from "./refusal.ts";

/**
 * SQLSTATE classes of errors that may go away: connection, resources, operator intervention, conflicts, cancelled
 * statements (appendix A of PostgreSQL's manual).
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
  // Retryable: a name server that restarts, or has lost a zone for a moment, gives the same answer as for an unknown
  // name.
  "ENOTFOUND",
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * An error of the driver or the server as a DataProblem that begins with the failed action. Other errors are returned
 * unchanged.
 */
export function postgresProblem(error: unknown, action: string): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem) return error;
  if (error instanceof EgressRefused) return new DataProblem(`${action}. ${error.message}`);
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) {
    return new DataProblem(`${action}: ${valuelessMessage(error)}.`, {
      retryable: retryableStates.test(code),
      cause: error,
    });
  }
  if (retryableCodes.has(code))
    return new DataProblem(`${action}: ${connectionErrors[code] ?? code}.`, { retryable: true });
  if (
    /^(Connection terminated|timeout expired|Client has encountered a connection error)/.test(error.message)
  ) {
    return new DataProblem(`${action}: the connection was lost.`, { retryable: true });
  }
  const certificate = certificateProblem(error);
  if (certificate !== undefined) return new DataProblem(`${action}: ${certificate}.`, { cause: error });
  if (/SSL|certificate|self-signed/i.test(error.message) || code.startsWith("ERR_TLS")) {
    return new DataProblem(`${action}: ${error.message}.`);
  }
  return error;
}

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  ETIMEDOUT: "connection timed out",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  EAI_AGAIN: "the host name could not be resolved",
  ENOTFOUND: "unknown host",
};
