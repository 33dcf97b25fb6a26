import { limits } from "./limits.ts";
import type { SourceText } from "./read/source-text.ts";

/** A place in a file of the project. */
export interface Place {
  readonly source: SourceText;
  /** Offset in its text. */
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

/** Collects everything that is wrong, so that one look shows all of it. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  /** One broken file does not hide what is wrong with the others. */
  readonly #byFile = new Map<string, number>();
  #more = 0;

  error(place: Place, message: string): void {
    this.#add("error", place, message);
  }
  warning(place: Place, message: string): void {
    this.#add("warning", place, message);
  }
  #add(level: Problem["level"], { source, at }: Place, message: string): void {
    // Nobody asks for the line of a problem that is not kept: each takes a pass over its file.
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
  /** Of all, kept or not. */
  get count(): number {
    return this.#found.size + this.#more;
  }
  /** Those that were not kept. */
  get more(): number {
    return this.#more;
  }
  /** By file and position. */
  all(): Problem[] {
    return [...this.#found.values()].sort(
      (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
    );
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
