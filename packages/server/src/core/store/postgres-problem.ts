import { Problem, StateUnavailable } from "../errors.ts";

const unreachable = "The database is unreachable.";

/** SQLSTATE classes (and one code) caused by the server or the network, not by our code. */
const sentences: Record<string, string> = {
  "08": unreachable,
  "25006": "The database cannot be written: it is read-only.",
  "28": "The database does not accept the user or password of DATABASE_URL.",
  "3D": "The database that DATABASE_URL names does not exist.",
  "53": "The database has no disk space or connections left.",
  "57": unreachable,
  "58": unreachable,
};

/**
 * An error without an SQLSTATE comes from the network. (Node's own codes, such as EPIPE, start with E; no SQLSTATE
 * does.)
 */
export function postgresProblem(error: unknown): Error {
  if (error instanceof Problem) return error;
  const code = (error as { code?: string }).code ?? "";
  if (!/^[0-9FHPX][0-9A-Z]{4}$/.test(code)) return new StateUnavailable(unreachable, error);
  const sentence = sentences[code] ?? sentences[code.slice(0, 2)];
  return sentence === undefined ? (error as Error) : new StateUnavailable(sentence, error);
}
