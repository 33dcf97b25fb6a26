/** The options of synthetic-rows-thread.ts. */
export interface SyntheticRows {
  readonly count: number;
  /** Waits `pauseMs` before this row. */
  readonly pauseAt?: number;
  readonly pauseMs?: number;
  /** The number of rejects before the first row. */
  readonly rejects?: number;
  /** `fail`: with a DataProblem. `break`: with another error. `leave`: without a call of `end`. */
  readonly ending: "end" | "fail" | "break" | "leave" | "exit";
}

/** A short or long text. Every 20,000th text is longer than the text heap of a batch. */
export function textOf(n: number): string {
  if (n % 20_000 === 1) return `${n}`.repeat(300_000);
  return n % 3 === 0 ? "é".repeat(n % 9) : `row ${n} ${"ü".repeat(n % 50)}`;
}

/** Bytes that are never UTF-8. */
export const rawOf = (n: number): Uint8Array => new Uint8Array(1 + (n % 30)).fill(255);
