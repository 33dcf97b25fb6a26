import { rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "./files/disk.ts";
import { syncFolder } from "./files/sync-folder.ts";

/**
 * A server that was restored from a backup is paused: it answers requests, and starts nothing by itself. The switch is a file in
 * the data folder, so that it is there before the first start, and is the same for all servers that share the folder.
 */
export interface ServerPause {
  isPaused(): boolean;
  /** Why the server is paused; undefined if it is not. */
  reason(): string | undefined;
  /** Removes the file. The listeners are called on every server that shares the folder. */
  end(): void;
  onEnded(listener: () => void): void;
  close(): void;
}

const fileName = "paused";
/** How soon another server notices the end. */
const lookMs = 1_000;

export async function writePause(dataDir: string, reason: string): Promise<void> {
  await writeFile(join(dataDir, fileName), `${reason}\n`, { mode: 0o600, flush: true });
  await syncFolder(dataDir);
}

export async function openServerPause(dataDir: string): Promise<ServerPause> {
  const path = join(dataDir, fileName);
  const listeners: (() => void)[] = [];
  let reason = await readReason(path);
  const timer = reason === undefined ? undefined : setInterval(() => void look(), lookMs).unref();

  function ended(): void {
    if (reason === undefined) return;
    reason = undefined;
    clearInterval(timer);
    for (const listener of listeners) listener();
  }

  async function look(): Promise<void> {
    // A file that cannot be read does not end the pause.
    const found = await readReason(path).catch(() => reason);
    if (found === undefined) ended();
  }

  return {
    isPaused: () => reason !== undefined,
    reason: () => reason,
    end() {
      rmSync(path, { force: true });
      void syncFolder(dirname(path)).catch(() => {});
      ended();
    },
    onEnded: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

async function readReason(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim() || "The data folder has a file named paused.";
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
