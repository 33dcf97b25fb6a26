import type { FileHandle } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { DataProblem } from "../../../protocol/problem.ts";
import { timeText } from "./file-identity.ts";
import type { ListedFile } from "./file-store.ts";

/** Writers that append to a file write at least this often, as long as they have not finished a line. */
const settledMs = 2_000;

/** Throws a DataProblem if the file is not the one that was listed: its rows would be those of two versions. */
export async function requireUnchanged(
  handle: FileHandle,
  { path, size, modified }: ListedFile,
): Promise<void> {
  const found = await handle.stat({ bigint: true });
  if (Number(found.size) === size && timeText(found.mtimeNs / 1000n) === modified) return;
  throw new DataProblem(
    `${path} was changed while it was read, and nothing was written. Try again, or write files elsewhere and move them into the folder when they are complete.`,
    { retryable: true },
  );
}

/**
 * Waits until a file whose last line has no end has not been changed for a moment. Many programs write no line end at the end of a
 * file, but a line that is being written looks the same: `1,10` may become `1,10.00`.
 */
export async function waitForLastLine(
  handle: FileHandle,
  file: ListedFile,
  signal: AbortSignal,
  now = Date.now,
): Promise<void> {
  const { mtimeMs } = await handle.stat();
  const age = now() - mtimeMs;
  if (age >= settledMs || file.size === 0) return;
  const end = Buffer.alloc(Math.min(2, file.size));
  await handle.read(end, 0, end.length, file.size - end.length);
  // In UTF-16 a line end has a second byte, which is zero.
  const last = end.at(-1) === 0 ? end.at(-2) : end.at(-1);
  if (last === 0x0a || last === 0x0d) return;
  await setTimeout(Math.min(settledMs, settledMs - age), undefined, { signal });
  await requireUnchanged(handle, file);
}
