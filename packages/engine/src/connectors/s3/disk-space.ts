import { DataProblem } from "../../protocol/problem.ts";
import { freeMb } from "../../warehouse/warehouse.ts";

/** Throws a DataProblem if a copy of this size does not fit on the disk of a folder. */
export async function requireSpace(folder: string, bytes: number, reserveMb: number): Promise<void> {
  if (bytes < 2 ** 20 || (await freeMb(folder)) - reserveMb > bytes / 1_000_000) return;
  throw new DataProblem(
    `A copy of ${Math.ceil(bytes / 1_000_000)} MB does not fit on the disk, of which ${reserveMb} MB must stay free.`,
    { retryable: true },
  );
}
