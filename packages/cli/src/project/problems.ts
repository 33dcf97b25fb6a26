import { limits } from "./limits.ts";
import type { SourceText } from "./read/source-text.ts";

/** A place in a file of the project. */
export interface Place {
  readonly source: SourceText;
  /** The offset in the file's text. */
  readonly at: number;
}

export interface Problem {
  /** Relative to the folder of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly level: "error" | "warning";
  readonly message: string;
}

/** Collects all problems, so that one call reports all of them. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  /**
   * The number of problems of each file. It is limited, so that one broken file does not hide the problems of others.
   */
  readonly #byFile = new Map<string, number>();
  #more = 0;

  error(place: Place, message: string): void {
    this.#add("error", place, message);
  }
  warning(place: Place, message: string): void {
    this.#add("warning", place, message);
  }
  #add(level: Problem["level"], { source, at }: Place, message: string): void {
    // The line of a problem takes a pass over its file, so it is not computed for a problem that is not kept.
    if (this.#found.size >= limits.problems) {
      this.#more += 1;
      return;
    }
    this.add({ file: source.file, ...source.locate(at), level, message });
  }
  add(problem: Problem): void {
    const { file, line, column, message } = problem;
    const key = `${file}\n${line}\n${column}\n${message}`;
    if (this.#found.has(key)) return;
    const ofFile = (this.#byFile.get(file) ?? 0) + 1;
    this.#byFile.set(file, ofFile);
    if (this.#found.size >= limits.problems || ofFile > limits.problemsOfFile) this.#more += 1;
    else this.#found.set(key, problem);
  }
  get hasErrors(): boolean {
    return this.#found.values().some(({ level }) => level === "error");
  }
  /** The number of all problems, kept or not. */
  get count(): number {
    return this.#found.size + this.#more;
  }
  /** The number of problems that were not kept. */
  get more(): number {
    return this.#more;
  }
  /** The problems, ordered by file and position. */
  all(): Problem[] {
    return [...this.#found.values()].sort(
      (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
    );
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
