import { DataProblem } from "@lakehelm/engine";
import { grpcCodes, RpcError, SparkError } from "@lakehelm/spark-connect";
import { locatorOf } from "@lakehelm/sql";
import { Problem } from "../../../core/errors.ts";
import { isRefusedAddress } from "./clusters.ts";

/** A failure of the cluster as an error for the caller, with the place in the caller's text. */
export async function forCaller<Result>(work: () => Promise<Result>, sql?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw callersError(error, sql);
  }
}

export function callersError(error: unknown, sql?: string): unknown {
  if (error instanceof SparkError) return sparkProblem(error, sql);
  if (!(error instanceof RpcError)) return error;
  if (isRefusedAddress(error)) return new DataProblem(error.message, { cause: error });
  if (error.code === grpcCodes.unauthenticated) {
    const rest = "Check configuration.token of the environment.";
    return new DataProblem(`The Spark Connect server does not accept the token. ${rest}`, { cause: error });
  }
  const message = `The Spark cluster is not available: ${error.message}`;
  return new Problem("unavailable", message, { retryAfterSeconds: 5, cause: error });
}

/** Spark writes the place in several ways at the end of a message, and its class in front. */
const place = /[;.]? ?\(?line (\d{1,7}),? pos (\d{1,7})\)?\.?\s*$/;

/** Callers cannot change settings of the cluster. */
const settingAdvice = / ?If necessary,? set "?spark\.[\w.]+"? to "?\w+"? to bypass this error\./;

function sparkProblem(error: SparkError, sql: string | undefined): DataProblem {
  const text = error.message
    .replace(/^\[[A-Z][A-Z0-9_.]*\]\s*/, "")
    .replace(settingAdvice, "")
    .trim();
  const written = place.exec(text);
  const [first = ""] = text.replace(place, "").split("\n", 1);
  const sentence = `${first.replace(/[;.\s]+$/, "")}.${error.errorClass ? ` (${error.errorClass})` : ""}`;
  const position =
    sql === undefined
      ? undefined
      : error.at !== null
        ? locatorOf(sql)(error.at)
        : written && { line: Number(written[1]), column: Number(written[2]) + 1 };
  if (!position) return new DataProblem(sentence, { cause: error });
  const located = `Line ${position.line}, column ${position.column}: ${sentence}`;
  return new DataProblem(located, { position, cause: error });
}
