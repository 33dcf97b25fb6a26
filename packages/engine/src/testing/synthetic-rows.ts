/** What the thread that counts is told. */
export interface SyntheticRows {
  readonly count: number;
  /** Waits so long before that row. */
  readonly pauseAt?: number;
  readonly pauseMs?: number;
  /** So many before the first row. */
  readonly rejects?: number;
  /** `leave`: it goes without having ended its rows. */
  readonly ending: "end" | "fail" | "break" | "leave";
}

/** Short, long, and now and then longer than the place for all texts of a part. */
export function textOf(n: number): string {
  if (n % 20_000 === 1) return `${n}`.repeat(300_000);
  return n % 3 === 0 ? "é".repeat(n % 9) : `row ${n} ${"ü".repeat(n % 50)}`;
}

/** Never UTF-8. */
export const rawOf = (n: number): Uint8Array => new Uint8Array(1 + (n % 30)).fill(255);
