import { type FileHandle, lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "@lakehelm/engine";
import { hasCode } from "../../core/files/disk.ts";
import { copyOne, refreshCopy } from "./copy.ts";

/** While the hold lasts, no transaction commits to the warehouse of the environment. */
export interface CommitHold {
  readonly environment: string;
  /** False if the hold was lost: the engine ended, or the environment was deleted. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** Resolves after the commit in progress has been written. */
export async function holdCommits(engine: Pick<Engine, "request">, environment: string): Promise<CommitHold> {
  const released = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isHeld = false;
  const ended = engine
    .request(
      "holdCommits",
      { environment },
      {
        signal: released.signal,
        onProgress() {
          isHeld = true;
          resolve();
        },
      },
    )
    .then(() => reject(new WarehouseChanged(environment)), reject)
    .finally(() => {
      isHeld = false;
    });
  await promise;
  return {
    environment,
    isHeld: () => isHeld,
    async release() {
      released.abort();
      await ended;
    },
  };
}

/** The files of a warehouse changed during the copy: the copy is made again. */
export class WarehouseChanged extends Error {
  constructor(environment: string) {
    super(`The warehouse of the environment ${environment} changed while it was copied.`);
  }
}

/** The environments that have a warehouse. */
export async function warehousesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? entry.name : []));
}

/**
 * Copies the DuckDB files of a warehouse while runs go on. What changes meanwhile is wrong in this copy, and
 * `copyWarehouse` then writes only the differences: for 1.1 GB, commits are held for 0.8 s instead of 4 to 7 s.
 */
export async function copyWarehouseAhead(from: string, to: string, signal: AbortSignal): Promise<void> {
  const names = await readdir(from).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  for (const name of names) {
    signal.throwIfAborted();
    if (name.startsWith(".") || !name.endsWith(".duckdb")) continue;
    await copyOne(join(from, name), join(to, name)).catch((error) => {
      if (!hasCode(error, "ENOENT")) throw error;
    });
  }
}

/**
 * Copies the DuckDB files of a warehouse, and their logs. Without commits and checkpoints, the blocks that headers and
 * logs refer to do not change; uncommitted transactions write only to free blocks. So the copy is like the files of a
 * killed process, and DuckDB can open it. The server copies, not the engine: if the engine closed one of the files, it
 * would release DuckDB's lock on it.
 */
export async function copyWarehouse(from: string, to: string, hold: CommitHold): Promise<void> {
  const before = await stateOf(from);
  const ahead = await readdir(to).catch((): string[] => []);
  for (const { name } of before)
    await (ahead.includes(name) ? refreshCopy : copyOne)(join(from, name), join(to, name));
  for (const name of ahead) if (!before.some((one) => one.name === name)) await rm(join(to, name));
  const after = await stateOf(from);
  if (!hold.isHeld() || JSON.stringify(after) !== JSON.stringify(before))
    throw new WarehouseChanged(hold.environment);
}

/** Three headers at the beginning of a DuckDB file: a checkpoint ends by writing one of them. */
const headerBytes = 3 * 4096;

/** What changes with a commit or a checkpoint. Files that begin with a dot are temporary. */
async function stateOf(folder: string) {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (name.endsWith(".duckdb")) return { name, header: await headerOf(path) };
      const { size, mtimeMs, ino } = await lstat(path);
      return { name, size, mtimeMs, ino };
    }),
  );
}

async function headerOf(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return buffer.subarray(0, bytesRead).toString("base64");
  } finally {
    await file?.close();
  }
}
