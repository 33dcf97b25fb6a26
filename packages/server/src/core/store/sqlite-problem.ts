import { Problem, StateUnavailable, unavailable } from "../errors.ts";
import type { SqliteError } from "./sqlite-batch.ts";
import { diskFull, machineFaults } from "./sqlite-codes.js";

export function sqliteProblem(error: SqliteError): Error {
  if (error instanceof Problem || error.errcode === undefined) return error;
  const sentence = machineFaults.get(error.errcode & 0xff);
  if (sentence === undefined) return error;
  // A run that filled the disk would fill it again: a full disk fails the run, and it is not retried.
  const isFull = (error.errcode & 0xff) === diskFull;
  return isFull ? unavailable(sentence, error) : new StateUnavailable(sentence, error);
}
