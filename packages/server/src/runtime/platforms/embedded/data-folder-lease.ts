import { hostname } from "node:os";
import type { Logger } from "pino";
import { type Lease as FolderLock, lockFolder } from "../../../core/concurrency/file-lock.ts";
import type { DataFolderHolder } from "../../../core/data-folder-holder.ts";
import type { Dependencies } from "../../../core/dependencies.ts";
import { createLease, type Lease } from "../../../core/store/leases.ts";
import { holdsData } from "./data-folder.ts";

/** Who holds the embedded data: the files of warehouses and workspaces in the data folder. */
export interface DataFolderLease {
  /** As far as it is known here without asking. */
  holder(): DataFolderHolder;
  /** Campaigns for it, now that this server can be reached. */
  start(url: string): Promise<void>;
  /** Gives it up, for others to take at once. */
  stop(): Promise<void>;
}

interface HoldingOptions {
  readonly dataDir: string;
  readonly owner: string;
  readonly log: Logger;
  /** It is ours from now on: what an earlier holder left undone is finished first. */
  readonly onGained: () => Promise<void>;
  /** It may be another's any moment: nothing of ours may touch it any more. */
  readonly onLost: () => Promise<void>;
}

/**
 * With SQLite the control state is in the folder too: a server that did not get hold of it does not start, and one that did
 * holds it to its end.
 */
export const ownDataFolder = (_: Dependencies, { onGained }: HoldingOptions): DataFolderLease => ({
  holder: () => "here",
  start: onGained,
  stop: async () => {},
});

const lookMs = 500;

/**
 * Servers that share a PostgreSQL share the data folder too, or leave it to those that do. One of them holds it: by a lease in
 * the database, which ends when the server is not heard of, and by a lock on the folder, which ends with its process.
 */
export function leaseDataFolder(deps: Dependencies, options: HoldingOptions): DataFolderLease {
  const { dataDir, log, onGained, onLost } = options;
  const owner = `${hostname()} ${options.owner}`;
  const { settings } = deps;
  const onError = (error: unknown) =>
    log.error({ err: error }, "the lease on the data folder could not be renewed");
  let lock: FolderLock | undefined;
  let holder: DataFolderHolder;
  let lease: Lease | undefined;
  let isCandidate = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (!lease) return;
    if (lease.held()) {
      if (lock) return;
      // Until its last holder has noticed that it lost the lease, nobody serves.
      holder = undefined;
      const taken = tryLock(dataDir);
      if (!taken) return;
      await onGained().catch((error) => {
        taken.release();
        throw error;
      });
      lock = taken;
      holder = "here";
      return;
    }
    if (lock) {
      holder = undefined;
      await onLost();
      lock.release();
      lock = undefined;
    }
    const now = await lease.holder();
    if (isCandidate && now && isOfThisMachine(now.owner) && (await seizeFromTheDead(lease))) return look();
    holder = now && now.owner !== owner && now.address !== null ? { url: now.address } : undefined;
  }

  /** The lock of a process of this machine is gone only with the process: its lease need not be waited for. */
  async function seizeFromTheDead(from: Lease): Promise<boolean> {
    const taken = tryLock(dataDir);
    if (!taken) return false;
    try {
      return await from.seize();
    } finally {
      taken.release();
    }
  }

  const lookAgain = () => {
    timer = setTimeout(() => {
      looking = look().catch(onError).finally(lookAgain);
    }, lookMs).unref();
  };

  return {
    holder: () => holder,
    async start(url) {
      const address = settings.PLATFORM_ADVERTISED_URL ?? url;
      const seconds = settings.PLATFORM_LEASE_SECONDS;
      lease = createLease(deps, "embedded data", { owner, address, seconds, onError });
      isCandidate = await holdsData(deps, dataDir);
      if (isCandidate) {
        await lease.beat();
        lease.start();
      } else {
        log.warn(
          { dataDir },
          "the warehouse of this PostgreSQL is in another data folder: what needs it is passed on to the server that holds that one",
        );
      }
      await look();
      lookAgain();
    },
    async stop() {
      clearTimeout(timer);
      await looking;
      clearTimeout(timer);
      holder = undefined;
      // A database that is gone keeps nobody from stopping: the lease then ends by itself.
      await lease?.release().catch(onError);
      lock?.release();
    },
  };
}

const isOfThisMachine = (owner: string): boolean => owner.startsWith(`${hostname()} `);

function tryLock(dataDir: string): FolderLock | undefined {
  try {
    return lockFolder(dataDir);
  } catch {
    return undefined;
  }
}
