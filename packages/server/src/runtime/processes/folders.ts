import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../core/files/disk.ts";
import type { ProcessRecord } from "./process-rows.ts";

type Deployed = Pick<ProcessRecord, "id" | "deploy">;

/** `<data folder>/processes`: a folder for each process, with its log and one folder for each deploy. */
export interface Folders {
  of(processId: string): string;
  ofDeploy(record: Deployed): string;
  /** Removes the folders of earlier deploys once another one has begun. */
  clearOthers(record: Deployed): Promise<void>;
  /** Removes the folders of processes that no longer exist. */
  clearRemoved(known: () => Promise<readonly string[]>): Promise<void>;
}

export function processFolders(dataDir: string): Folders {
  const all = join(dataDir, "processes");
  const nameOf = (id: string) => id.replaceAll("/", "-");
  const of = (id: string) => join(all, nameOf(id));
  return {
    of,
    ofDeploy: ({ id, deploy }) => join(of(id), deploy),
    async clearOthers({ id, deploy }) {
      for (const name of await namesIn(of(id))) {
        if (name !== deploy && !name.startsWith("log")) await remove(join(of(id), name));
      }
    },
    async clearRemoved(known) {
      // A process is recorded before it has a folder: so records that are read after the folders include all of them.
      const names = await namesIn(all);
      if (names.length === 0) return;
      const kept = new Set((await known()).map(nameOf));
      for (const name of names) if (!kept.has(name)) await remove(join(all, name));
    },
  };
}

const namesIn = (path: string) =>
  readdir(path).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });

const remove = (path: string) => rm(path, { recursive: true, force: true });
