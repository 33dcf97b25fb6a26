import { chmod, chown, lchown, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createKeyedMutex } from "../../../core/concurrency/keyed-mutex.ts";

/** The user ids for programs: each program has its own. The first id is the group of all programs. */
export interface UserRange {
  readonly first: number;
  readonly last: number;
}

export interface ProgramUsers {
  readonly group: number;
  /** The user of a program: the owner of its home folder. A new program gets one that owns no home of another program. */
  claim(home: string): Promise<number>;
  /** Gives files and folders with all that is in them to a user. */
  give(user: number, paths: readonly string[]): Promise<void>;
  /**
   * Lets one user enter, but not list, a folder of the server, and lets all programs enter the folders above it, up to
   * `upTo`.
   */
  openPath(user: number, folder: string, upTo: string): Promise<void>;
}

/** `homes`: the home folders of all programs, in use or not. */
export function programUsers({ first, last }: UserRange, homes: () => Promise<string[]>): ProgramUsers {
  const mutex = createKeyedMutex();
  const isOurs = (user: number) => user > first && user <= last;
  return {
    group: first,
    claim: (home) =>
      mutex.run("claim", async () => {
        const { uid } = await stat(home);
        if (isOurs(uid)) return uid;
        const used = new Set<number>();
        for (const one of await homes()) {
          const owner = (await stat(one).catch(() => undefined))?.uid;
          if (owner !== undefined) used.add(owner);
        }
        for (let user = first + 1; user <= last; user += 1) {
          if (used.has(user)) continue;
          await chown(home, user, user);
          return user;
        }
        throw new Error(
          `All users of programs are in use (PLATFORM_PROGRAMS_USERS has ${last - first}). Set a wider range.`,
        );
      }),
    async give(user, paths) {
      for (const path of paths) await giveAll(path, user);
    },
    async openPath(user, folder, upTo) {
      for (let path = folder; ; path = dirname(path)) {
        await chown(path, process.getuid?.() ?? 0, path === folder ? user : first);
        await chmod(path, 0o710);
        if (path === upTo || path === dirname(path)) return;
      }
    },
  };
}

/** The program does not run, so no file is replaced meanwhile. A link itself changes its owner, never its target. */
async function giveAll(path: string, user: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (found.uid !== user || found.gid !== user) await lchown(path, user, user);
  if (!found.isDirectory()) return;
  for (const name of await readdir(path)) await giveAll(join(path, name), user);
}
