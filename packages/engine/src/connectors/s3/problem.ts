import { certificateProblem } from "@lakehelm/spark-connect";
import { EgressRefused } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { S3Settings } from "./settings.ts";

/** An answer of the server other than success. */
export class S3Failure extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  /** The region of the bucket, if it is in another one. */
  readonly region: string | undefined;

  constructor(
    { status, code, message }: { status: number; code: string; message: string },
    { retryAfterMs, region }: { retryAfterMs?: number | undefined; region?: string | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.region = region;
  }
}

const busy = new Set([
  "SlowDown",
  "ServiceUnavailable",
  "InternalError",
  "RequestTimeout",
  "Throttling",
  "OperationAborted",
]);

/** Whether the same request may succeed later. */
export const isBusy = ({ status, code }: S3Failure): boolean =>
  busy.has(code) || [429, 500, 502, 503, 504].includes(status);

const reasons: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the access key is unknown. Check access_key_id",
  SignatureDoesNotMatch: "the secret key is wrong. Check secret_access_key",
  ExpiredToken: "the session token has expired. Store a new one",
  InvalidToken: "the session token is wrong. Check session_token",
  AccessDenied: "access is denied. Check the permissions of the access key",
  RequestTimeTooSkewed: "the clock of this server differs by more than 15 minutes. Set the clock",
  InvalidObjectState: "it is archived. Restore it first",
};

/** A failed request as a sentence about what was requested. */
export function s3Problem(what: string, { bucket, region }: S3Settings, error: unknown): DataProblem {
  if (error instanceof DataProblem) return error;
  const problem = (sentence: string, retryable = false) =>
    new DataProblem(`${what} cannot be ${sentence}.`, { retryable, cause: error });
  if (error instanceof EgressRefused) return problem(`reached: ${error.message.replace(/\.$/, "")}`);
  if (!(error instanceof S3Failure)) {
    const said = error instanceof Error ? error.message || error.name : String(error);
    const reason = certificateProblem(error) ?? said;
    return problem(
      error instanceof Error && error.name === "TimeoutError"
        ? "reached: the server does not respond in time"
        : `reached: ${reason}`,
      true,
    );
  }
  const { status, code } = error;
  if (error.region !== undefined && error.region !== region) {
    return problem(
      `used: the bucket is in the region ${error.region}, not in ${region}. Set region to ${error.region}`,
    );
  }
  if (status >= 300 && status < 400) {
    return problem(
      "used: the server redirects to another address, which would receive the credentials. Set region, endpoint and path_style of the bucket",
    );
  }
  if (status === 412) return problem("used: it was replaced while it was read. Try again", true);
  if (code === "NoSuchBucket") return problem(`used: there is no bucket ${bucket}`);
  if (isBusy(error)) return problem(`used now: the server is busy (${status} ${code})`, true);
  const reason = reasons[code] ?? (status === 403 ? reasons.AccessDenied : undefined);
  if (reason !== undefined) return problem(`used: ${reason}`);
  if (code === "NoSuchKey" || (status === 404 && code === "")) return problem("used: it does not exist");
  return problem(
    `used: the server responds with ${status} ${code}${error.message === "" ? "" : `, ${error.message}`}`,
  );
}
