import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../../../core/files/disk.ts";
import { bootId, processAt, signal } from "../../processes/operating-system.ts";

/** A process is identified by its pid and start time, until the next boot. The file has a line for each. */
interface EngineRecord {
  readonly pid: number;
  readonly began: string;
  readonly boot: string;
}

const pollMs = 20;
/** A process ends within this time after SIGKILL unless the machine itself hangs. */
const killMs = 10_000;

const pathOf = (dataDir: string) => join(dataDir, "engine-process");

/** Records the engine's process before it opens a file, so that the next server on this data folder can end it. */
export async function recordEngine(dataDir: string, pid: number): Promise<void> {
  const found = await processAt(pid);
  if (!found) return;
  const draft = `${pathOf(dataDir)}.${pid}`;
  await writeFile(draft, [pid, found.began, await bootId()].join("\n"), { mode: 0o600 });
  await rename(draft, pathOf(dataDir));
}

/**
 * Ends the engine that an earlier server on this data folder has left running: it holds the files of the warehouses. Only the
 * server that holds the data folder may call this. Returns the pid of a process that it has ended.
 */
export async function endLeftEngine(dataDir: string): Promise<number | undefined> {
  const record = await readRecord(dataDir);
  if (!record || record.boot !== (await bootId())) return undefined;
  const isRunning = async () => (await processAt(record.pid))?.began === record.began;
  if (!(await isRunning())) return undefined;
  signal({ pid: record.pid }, "SIGKILL");
  const end = performance.now() + killMs;
  while ((await isRunning()) && performance.now() < end) await pause(pollMs);
  return record.pid;
}

async function readRecord(dataDir: string): Promise<EngineRecord | undefined> {
  try {
    const [pid, began, boot] = (await readFile(pathOf(dataDir), "utf8")).split("\n");
    if (!(Number(pid) > 0) || began === undefined || boot === undefined) return undefined;
    return { pid: Number(pid), began, boot };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
