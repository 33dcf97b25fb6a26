/** Lines and characters that are kept of the beginning of a log, and as many again of its end. */
export const keptLines = 5_000;
export const keptCharacters = 512 * 1024;

interface LineSize {
  readonly n: number;
  readonly length: number;
}

/** Lines of a log that are left out, by their numbers. */
export interface LeftOut {
  readonly from: number;
  readonly to: number;
}

/** Decides which lines of a log stay: the first ones, which say how it began, and the last ones, which say how it ended. */
export class KeptLines {
  #last = 0;
  #head = { lines: 0, characters: 0, end: undefined as number | undefined };
  /** Lines after the head, the oldest first; those before `#start` are left out. */
  #tail: LineSize[] = [];
  #start = 0;
  #tailCharacters = 0;
  #leftOut: LeftOut | undefined;

  /** Reads a stored log. Where numbers are missing, lines were left out, and the line before the gap says so. */
  static of(stored: readonly LineSize[]): KeptLines {
    const kept = new KeptLines();
    for (const line of stored) {
      if (line.n > kept.#last + 1) kept.#resume(line.n);
      kept.add(line);
    }
    return kept;
  }

  get last(): number {
    return this.#last;
  }

  get leftOut(): LeftOut | undefined {
    return this.#leftOut;
  }

  add(line: LineSize): void {
    this.#last = line.n;
    const head = this.#head;
    if (head.end === undefined) {
      head.lines += 1;
      head.characters += line.length;
      if (head.lines >= keptLines || head.characters >= keptCharacters) head.end = line.n;
      return;
    }
    this.#tail.push(line);
    this.#tailCharacters += line.length;
    while (this.#tail.length - this.#start > keptLines || this.#tailCharacters > keptCharacters) {
      const oldest = this.#tail[this.#start];
      if (!oldest || oldest === line) break;
      this.#start += 1;
      this.#tailCharacters -= oldest.length;
      this.#leftOut = { from: head.end + 1, to: oldest.n };
    }
    if (this.#start > keptLines) {
      this.#tail = this.#tail.slice(this.#start);
      this.#start = 0;
    }
  }

  #resume(next: number): void {
    // The line before is the note about the lines that are missing.
    this.#head.end = Math.min(this.#head.end ?? Number.POSITIVE_INFINITY, this.#last - 1);
    this.#leftOut = { from: this.#head.end + 1, to: next - 1 };
    this.#tail = [];
    this.#start = 0;
    this.#tailCharacters = 0;
  }
}
