import type { FetchErrorDetailsResponse } from "./protocol/spark_connect_pb.ts";

/** An error of a statement that Spark refused or that failed. */
export class SparkError extends Error {
  /** `TABLE_OR_VIEW_NOT_FOUND`; null if Spark gave none. */
  readonly errorClass: string | null;
  readonly sqlState: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** The offset in the text, counted from 0; null: unknown. */
  readonly at: number | null;

  constructor(
    message: string,
    details: Partial<Pick<SparkError, "errorClass" | "sqlState" | "parameters" | "at">> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "SparkError";
    this.errorClass = details.errorClass ?? null;
    this.sqlState = details.sqlState ?? null;
    this.parameters = details.parameters ?? {};
    this.at = details.at ?? null;
  }
}

/** The operation was cancelled on purpose. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof SparkError && error.errorClass === "OPERATION_CANCELED";

const lostSession = /^INVALID_HANDLE\.SESSION_(?:NOT_FOUND|CLOSED|CHANGED)$/;

/** The server no longer has the session: the server was restarted, or the session was idle for too long. */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof SparkError && lostSession.test(error.errorClass ?? "");

/** The server has lost a session or an operation: its result is unknown, but can be requested again. */
export const isHandleLost = (error: unknown): boolean =>
  error instanceof SparkError && /^INVALID_(?:HANDLE|CURSOR)/.test(error.errorClass ?? "");

/** The table does not exist, or is not a Delta table. A session that is not found is another error. */
export const isNoTable = (error: unknown): boolean =>
  error instanceof SparkError &&
  !isHandleLost(error) &&
  /NOT_FOUND|DELTA_MISSING_DELTA_TABLE|NOT_A_DELTA_TABLE|DELTA_ONLY_OPERATION/.test(error.errorClass ?? "");

/** The first error with an error class, starting at the root error. */
export function sparkErrorOf(
  { errors, rootErrorIdx }: FetchErrorDetailsResponse,
  cause: Error,
): SparkError | undefined {
  const seen = new Set<number>();
  let at: number | undefined = rootErrorIdx;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const error: (typeof errors)[number] | undefined = errors[at];
    if (!error) return undefined;
    const { sparkThrowable } = error;
    if (sparkThrowable) {
      const { errorClass, sqlState, messageParameters, queryContexts } = sparkThrowable;
      return new SparkError(
        firstPart(error.message),
        {
          errorClass: errorClass ?? null,
          sqlState: sqlState ?? null,
          parameters: messageParameters,
          at: queryContexts[0]?.startIndex ?? null,
        },
        { cause },
      );
    }
    at = error.causeIdx;
  }
  return undefined;
}

/** Spark repeats the text of the statement after `== SQL … ==`, and adds `SQLSTATE: …`. */
export function firstPart(message: string): string {
  const end = message.search(/\n== (?:SQL|DataFrame)|\n\nJVM stacktrace|;\n'/);
  const text = end >= 0 ? message.slice(0, end) : message;
  return text
    .replace(/\s*SQLSTATE: \w{5}\s*/g, " ")
    .trim()
    .slice(0, 4_000);
}
