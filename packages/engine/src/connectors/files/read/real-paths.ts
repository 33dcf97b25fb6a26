import { DataProblem } from "../../../protocol/problem.ts";
import type { OpenedFile } from "./file-store.ts";

/** Replaces the paths by which files were opened with their real paths in the message of an error. */
export function withRealPaths(error: unknown, files: readonly OpenedFile[]): unknown {
  if (!(error instanceof Error)) return error;
  // Longest first: one path may be the beginning of another.
  const named = files
    .filter(({ path }) => error.message.includes(path))
    .sort((one, other) => other.path.length - one.path.length);
  if (named.length === 0) return error;
  const message = named.reduce((text, { path, realPath }) => text.replaceAll(path, realPath), error.message);
  return error instanceof DataProblem
    ? new DataProblem(message, { retryable: error.retryable, cause: error })
    : new Error(message, { cause: error });
}
