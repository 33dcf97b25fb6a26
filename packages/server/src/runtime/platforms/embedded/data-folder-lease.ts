import { hostname } from "node:os";
import type { Logger } from "pino";
import { type FolderLock, lockFolder } from "../../../core/concurrency/file-lock.ts";
import type { DataFolderHolder } from "../../../core/data-folder-holder.ts";
import type { Dependencies } from "../../../core/dependencies.ts";
import { createSealedUrls } from "../../../core/server-url.ts";
import { createLease, type Lease } from "../../../core/store/leases.ts";
import { holdsData } from "./data-folder.ts";

/** The lease on the embedded data: the files of warehouses and workspaces in the data folder. */
export interface DataFolderLease {
  /** The lease holder as known locally, without a query. */
  holder(): DataFolderHolder;
  /** Starts trying to acquire the lease, now that this server is reachable. */
  start(url: string): Promise<void>;
  /** Releases the lease, so that another server can acquire it immediately. */
  stop(): Promise<void>;
}

interface DataFolderLeaseOptions {
  readonly dataDir: string;
  readonly owner: string;
  readonly log: Logger;
  /** This server has acquired the lease: first completes what an earlier lease holder left unfinished. */
  readonly onGained: () => Promise<void>;
  /** Another server may acquire the lease at any time: this server must stop using the data. */
  readonly onLost: () => Promise<void>;
}

/**
 * With SQLite the control state is in the folder too: a server that cannot lock it does not start, and one that can
 * keeps the lock until it ends. Until the start is complete, requests that need data are refused as retryable.
 */
export function ownDataFolder(
  _: unknown,
  { onGained }: Pick<DataFolderLeaseOptions, "onGained">,
): DataFolderLease {
  let holder: DataFolderHolder;
  return {
    holder: () => holder,
    async start() {
      await onGained();
      holder = "here";
    },
    stop: async () => {},
  };
}

const checkMs = 500;

/**
 * Servers that share a PostgreSQL database either share the data folder or forward requests to servers that do. One of
 * them is the lease holder: by a lease in the database, which expires if the server stops renewing it, and by a lock on
 * the folder, which ends with its process.
 */
export function leaseDataFolder(deps: Dependencies, options: DataFolderLeaseOptions): DataFolderLease {
  const { dataDir, log, onGained, onLost } = options;
  const owner = `${hostname()} ${options.owner}`;
  const { settings } = deps;
  const urls = createSealedUrls(deps.vault.deriveKey("server urls"));
  const onError = (error: unknown) =>
    log.error({ err: error }, "the lease on the data folder could not be renewed");
  /** Logged once: the check is repeated twice a second. */
  let isForgeryLogged = false;
  const onForgery = () => {
    if (!isForgeryLogged)
      log.error(
        "the URL in the lease of the data folder was not written by a server with this secret key: no requests are forwarded to it",
      );
    isForgeryLogged = true;
  };
  let lock: FolderLock | undefined;
  let holder: DataFolderHolder;
  let lease: Lease | undefined;
  let isCandidate = false;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    if (!lease) return;
    if (lease.held()) {
      if (lock) return;
      // Until the last lease holder has noticed that it lost the lease, no server serves the data.
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
    if (isCandidate && now && isOfThisMachine(now.owner) && (await seizeFromEndedProcess(lease)))
      return check();
    holder = now && now.owner !== owner ? holderAt(now.owner, now.address) : undefined;
  }

  /** A row that no server of this database has written names no holder. */
  function holderAt(other: string, address: string | null): DataFolderHolder {
    const url = address === null ? undefined : urls.open(other, address);
    if (address !== null && url === undefined) onForgery();
    return url === undefined ? undefined : { url };
  }

  /** The lock of a process on this machine ends only with the process: so its lease can be taken before it expires. */
  async function seizeFromEndedProcess(from: Lease): Promise<boolean> {
    const taken = tryLock(dataDir);
    if (!taken) return false;
    try {
      return await from.seize();
    } finally {
      taken.release();
    }
  }

  const scheduleCheck = () => {
    timer = setTimeout(() => {
      checking = check().catch(onError).finally(scheduleCheck);
    }, checkMs).unref();
  };

  return {
    holder: () => holder,
    async start(url) {
      const address = urls.seal(owner, settings.PLATFORM_ADVERTISED_URL ?? url);
      const seconds = settings.PLATFORM_LEASE_SECONDS;
      lease = createLease(deps, "embedded data", { owner, address, seconds, onError });
      isCandidate = await holdsData(deps, dataDir);
      if (isCandidate) {
        await lease.beat();
        lease.start();
      } else {
        log.warn(
          { dataDir },
          "the warehouse of this database is in another data folder: requests for it are forwarded to the server that holds that folder",
        );
      }
      await check();
      scheduleCheck();
    },
    async stop() {
      clearTimeout(timer);
      await checking;
      clearTimeout(timer);
      holder = undefined;
      // An unreachable database must not prevent the server from stopping: the lease then expires.
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
