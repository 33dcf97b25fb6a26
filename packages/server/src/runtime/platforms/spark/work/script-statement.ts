import { encodeJson } from "@lakehelm/contract/schema";
import { DataProblem } from "@lakehelm/engine";
import { SparkError } from "@lakehelm/spark-connect";
import { tokenize, unsafeCall } from "@lakehelm/sql";
import { sqlString } from "@lakehelm/sql/names";
import { locateInFile, type ScriptStatement } from "@lakehelm/sql/pipelines";
import { callersError } from "../for-caller.ts";

/** The text that Spark runs: parameters are literals in it. */
export function textOf(
  { sql, parameters }: Pick<ScriptStatement, "sql" | "parameters">,
  values: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, string>> = {},
): string {
  return parameters
    .toReversed()
    .reduce(
      (text, { name, from, to }) =>
        `${text.slice(0, from)}${literalOf(values[name], types[name])}${text.slice(to)}`,
      sql,
    );
}

const numberType = /^(?:TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/;

function literalOf(value: unknown, type: string | undefined): string {
  const known = numberType.exec(type ?? "")?.[0];
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return String(value);
  const isText = known !== undefined && typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value);
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
  if (isText || isNumber) {
    const number = String(value).replace("e+", "e");
    return known ? `CAST(${number} AS ${known})` : `(${number})`;
  }
  return sqlString(typeof value === "string" ? value : encodeJson(value));
}

/** A second check besides the parser's: nothing that reaches beyond tables is sent to a cluster. */
export function requireSafe(text: string): void {
  const unsafe = unsafeCall(
    tokenize(text).tokens.filter(({ kind, value }) => kind !== "word" || value !== "insert"),
  );
  if (unsafe) throw new DataProblem(unsafe.message);
}

/** Errors of Spark with their place in the file of the author. */
export function authorError(
  error: unknown,
  statement: Pick<ScriptStatement, "sql" | "segments" | "location">,
  sent: string,
): unknown {
  if (!(error instanceof SparkError)) return error;
  const known = callersError(error, sent);
  if (!(known instanceof DataProblem)) return known;
  const { position } = known;
  const text = known.message.replace(/^Line \d+, column \d+: /, "");
  const offset = position && sent === statement.sql ? offsetOf(sent, position) : 0;
  const { line, column } = locateInFile(statement.sql, statement.segments, offset);
  return new DataProblem(`Line ${line}, column ${column}: ${text}`, {
    position: { line, column },
    cause: error,
  });
}

function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) break;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}
