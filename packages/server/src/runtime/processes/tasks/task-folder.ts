import { hash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../../core/files/disk.ts";

/** A start of a task's program. Pid and start time are known once it exists. */
export interface TaskStart {
  readonly mark: string;
  readonly boot: string;
  /** How often the program was started: more than once only if a server ended it because the server itself stopped. */
  readonly starts: number;
  readonly startedAt: string;
  readonly pid: number | null;
  readonly began: string | null;
  /** The user that the program runs as, if it differs from the server's. */
  readonly user?: number | null;
  /** A stopping server ended the program and wants it to be started again. */
  readonly stopped: boolean;
}

/** The folder of one attempt at a task: it survives the server, and is removed when the run has ended. */
export interface TaskFolder {
  readonly path: string;
  readonly script: string;
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
  create(): Promise<void>;
  start(): Promise<TaskStart | undefined>;
  save(start: TaskStart): Promise<void>;
  wasStarted(): Promise<boolean>;
  /** `final`: all output has been read, too. Undefined: the program has not ended. */
  exit(): Promise<{ readonly code: number; readonly final: boolean } | undefined>;
  /** Removes what the program wrote, except its output. */
  clear(): Promise<void>;
  /** The log position up to which lines are certainly in the log of the run. */
  readonly position: { read(): Promise<number>; write(at: number): Promise<void> };
  /** Called before another start. */
  reset(): Promise<void>;
}

/** `key` is unique in the run: the task, its item and its attempt. */
export function taskFolder(root: string, runId: string, key: string): TaskFolder {
  const path = join(root, runId, hash("sha256", key).slice(0, 32));
  const at = (name: string) => join(path, name);
  const [work, home, temporary] = [at("work"), at("home"), at("tmp")];
  const read = (name: string) => textAt(at(name));
  /** Atomic: a reader never sees a partial file. */
  async function replace(name: string, text: string): Promise<void> {
    await writeFile(at(`${name}.written`), text, { mode: 0o600 });
    await rename(at(`${name}.written`), at(name));
  }
  return {
    path,
    script: at("script"),
    work,
    home,
    temporary,
    async create() {
      for (const folder of [path, work, home, temporary]) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
      }
    },
    start: () => startOf(path),
    save: (start) => replace("start", JSON.stringify(start)),
    wasStarted: () =>
      stat(at("started")).then(
        () => true,
        () => false,
      ),
    async exit() {
      const final = await read("status");
      const text = final ?? (await read("status.new"));
      return text !== undefined && /^\d{1,3}$/.test(text)
        ? { code: Number(text), final: final !== undefined }
        : undefined;
    },
    async clear() {
      for (const folder of [work, home, temporary]) await rm(folder, { recursive: true, force: true });
    },
    position: {
      read: async () => Number((await read("position")) ?? 0),
      write: (position) => replace("position", String(position)),
    },
    async reset() {
      for (const name of ["started", "status", "status.new"]) await rm(at(name), { force: true });
    },
  };
}

/** The last start that the folder of an attempt records. */
export async function startOf(path: string): Promise<TaskStart | undefined> {
  const text = await textAt(join(path, "start"));
  // The server writes this file, atomically.
  return text === undefined ? undefined : (JSON.parse(text) as TaskStart);
}

const textAt = (path: string) =>
  readFile(path, "utf8").catch((error): undefined => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
