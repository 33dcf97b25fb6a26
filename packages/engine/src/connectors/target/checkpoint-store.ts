import type { Mark } from "./target.ts";

/** The marks of targets that cannot keep their own: in the warehouse, written when every row was acknowledged. */
export interface Ledger {
  read(stream: string): Promise<Mark | undefined>;
  write(stream: string, mark: Mark): Promise<void>;
}
