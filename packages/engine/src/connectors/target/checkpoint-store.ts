import type { Checkpoint } from "./target.ts";

/** The marks of targets that cannot keep their own: in the warehouse, written when every row was acknowledged. */
export interface CheckpointStore {
  read(stream: string): Promise<Checkpoint | undefined>;
  write(stream: string, mark: Checkpoint): Promise<void>;
}
