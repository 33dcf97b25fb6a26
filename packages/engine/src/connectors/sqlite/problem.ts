import { existsSync } from "node:fs";
import { DataProblem } from "../../protocol/problem.ts";

const codes: Readonly<Record<number, string>> = {
  1: "its schema is not as expected",
  5: "another process is writing to it",
  6: "another process is writing to it",
  8: "it cannot be opened for reading: the folder of a database in WAL mode must be writable",
  10: "it could not be read from disk",
  11: "it is damaged",
  14: "it cannot be opened",
  26: "it is not a SQLite database",
};
const retryableCodes = [5, 6, 10];

/** A SQLite error as a problem of the file. */
export function sqliteProblem(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const code = Number(error.errcode) & 0xff;
  const reason = existsSync(path) ? (codes[code] ?? "it could not be read") : "there is no such file";
  return new DataProblem(`${path}: ${reason} (SQLite: ${error.message}).`, {
    retryable: retryableCodes.includes(code),
    cause: error,
  });
}
