import { signal } from "@preact/signals";
import type { Statement } from "./statement.ts";

export interface Past extends Statement {
  readonly at: string;
  readonly seconds?: number;
  readonly rows?: number;
  readonly more?: boolean;
  readonly problem?: string;
}

const most = 100;

/** The statements of this session, newest first. A reload forgets them; the address keeps the last one. */
export const history = signal<readonly Past[]>([]);

export function remember(statement: Statement, outcome: Omit<Past, keyof Statement | "at">): void {
  history.value = [{ ...statement, ...outcome, at: new Date().toISOString() }, ...history.value].slice(
    0,
    most,
  );
}
