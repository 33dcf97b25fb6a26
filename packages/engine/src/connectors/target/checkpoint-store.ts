import type { Checkpoint } from "./target.ts";

/** Stores the checkpoints of targets that cannot store their own, in the warehouse. Written when all rows are acknowledged. */
export interface CheckpointStore {
  read(stream: string): Promise<Checkpoint | undefined>;
  write(stream: string, checkpoint: Checkpoint): Promise<void>;
}
