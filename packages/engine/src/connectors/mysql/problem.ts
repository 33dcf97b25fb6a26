import { certificateProblem } from "@lakehelm/spark-connect";
import { EgressRefused } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { valuelessMessage } from "./refusal.ts";
import { type MysqlSettings, serverAddress } from "./settings.ts";

const messages: Readonly<Record<string, (settings: MysqlSettings) => string>> = {
  ER_ACCESS_DENIED_ERROR: (settings) =>
    `${serverAddress(settings)} rejects the user ${settings.user ?? "(none)"}: wrong user name or password.`,
  ER_DBACCESS_DENIED_ERROR: ({ user, database }) => `The user ${user} may not use the database ${database}.`,
  ER_BAD_DB_ERROR: (settings) => `There is no database ${settings.database} at ${serverAddress(settings)}.`,
};

/** Errors of the connection, or of an overloaded server. */
const retryableCodes =
  /^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|EAI_AGAIN|ENOTFOUND|PROTOCOL_|ER_LOCK_|ER_CON_COUNT|ER_SERVER_SHUTDOWN|ER_TOO_MANY_USER|ER_QUERY_INTERRUPTED)/;

/** A driver error as a problem of the server. */
export function mysqlProblem(settings: MysqlSettings, error: unknown): unknown {
  if (error instanceof EgressRefused) {
    return new DataProblem(`${serverAddress(settings)} cannot be reached. ${error.message}`, {
      cause: error,
    });
  }
  if (!(error instanceof Error) || !("code" in error) || error instanceof DataProblem) return error;
  const code = String(error.code);
  const certificate = certificateProblem(error);
  if (certificate !== undefined) {
    return new DataProblem(`${serverAddress(settings)} cannot be reached: ${certificate}.`, { cause: error });
  }
  const sentence = messages[code]?.(settings);
  if (sentence) return new DataProblem(sentence, { cause: error });
  if (/^(E[A-Z]+|PROTOCOL_CONNECTION_LOST)$/.test(code)) {
    return new DataProblem(`${serverAddress(settings)} cannot be reached: ${error.message || code}.`, {
      retryable: retryableCodes.test(code),
      cause: error,
    });
  }
  return new DataProblem(`${serverAddress(settings)} reports: ${valuelessMessage(error)}.`, {
    retryable: retryableCodes.test(code),
    cause: error,
  });
}
