import type { FileLocation, PipelineProblem } from "./plan.ts";

/** More problems would not help a reader, and finding each one takes time. */
const maxProblems = 100;

/** Collects one problem for each location, because the first one explains the others. */
export interface ProblemList {
  add(location: FileLocation, message: string): void;
  readonly isFull: boolean;
  /** The problems in the order of the files and of their text. */
  all(paths: readonly string[]): readonly PipelineProblem[];
}

export function problemList(): ProblemList {
  const found = new Map<string, PipelineProblem>();
  return {
    add({ path, line, column }, message) {
      const key = JSON.stringify([path, line, column]);
      if (!found.has(key) && found.size < maxProblems) found.set(key, { path, line, column, message });
    },
    get isFull() {
      return found.size >= maxProblems;
    },
    all: (paths) =>
      [...found.values()].toSorted(
        (left, right) =>
          paths.indexOf(left.path) - paths.indexOf(right.path) ||
          left.line - right.line ||
          left.column - right.column,
      ),
  };
}
