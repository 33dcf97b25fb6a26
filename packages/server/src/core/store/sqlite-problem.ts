import { Problem, unavailable } from "../errors.ts";
import type { SqliteError } from "./sqlite-batch.ts";
import { machineFaults } from "./sqlite-codes.js";

export function sqliteProblem(error: SqliteError): Error {
  if (error instanceof Problem || error.errcode === undefined) return error;
  const sentence = machineFaults.get(error.errcode & 0xff);
  return sentence === undefined ? error : unavailable(sentence, error);
}
