import { Problem, unavailable } from "../problems.ts";

export type SqliteError = Error & { errcode?: number | undefined };

/** SQLite's primary result codes that are the machine's doing, not ours. */
const sentences: Record<number, string> = {
  5: "The database is locked by another program.",
  6: "The database is locked by another program.",
  7: "The machine has no memory left for the database.",
  8: "The database cannot be written: it is read-only.",
  10: "The disk failed while the database was in use.",
  11: "The database file is damaged.",
  13: "The disk is full: nothing was written.",
  14: "The database file cannot be opened.",
  26: "The database file is not a database.",
};

const sentenceOf = ({ errcode }: SqliteError) =>
  errcode === undefined ? undefined : sentences[errcode & 0xff];

export const isMachines = (error: SqliteError): boolean => sentenceOf(error) !== undefined;

export function sqliteProblem(error: SqliteError): Error {
  if (error instanceof Problem) return error;
  const sentence = sentenceOf(error);
  return sentence === undefined ? error : unavailable(sentence, error);
}
