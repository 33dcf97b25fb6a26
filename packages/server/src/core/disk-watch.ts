import { statfs } from "node:fs/promises";
import type { Logger } from "pino";
import { singleFlight } from "./concurrency/single-flight.ts";
import type { Dependencies } from "./dependencies.ts";
import { serverContext } from "./system.ts";

/** The disk of the data folder. */
export interface DiskSpace {
  readonly freeBytes: number;
  /** The space that must stay free, so that the control database can write: `PLATFORM_DISK_RESERVE_MB`. */
  readonly reserveBytes: number;
  /**
   * True once less than the reserve is free, until a tenth more than the reserve is free: a temporary file must not
   * toggle it.
   */
  readonly isLow: boolean;
}

export interface DiskWatch {
  /** The result of the last check. */
  space(): DiskSpace;
  /** Checks the disk again, unless the last check was less than 0.5 s ago. */
  look(): Promise<DiskSpace>;
  /** Checks the disk, and records an event when it becomes low and when it recovers. */
  follow(): Promise<void>;
}

const freshMs = 500;
const slack = 1.1;
const subject = "disk";

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);

/** The message that is shown everywhere while the disk is low. */
export const lowDiskSentence = ({ freeBytes, reserveBytes }: DiskSpace): string =>
  `The disk of the data folder has ${megabytes(freeBytes)} MB of free space, and ${megabytes(reserveBytes)} MB must stay free (PLATFORM_DISK_RESERVE_MB): no run starts until there is more. Free some space.`;

export function createDiskWatch(
  { store, system, settings }: Pick<Dependencies, "store" | "system" | "settings">,
  folder: string,
  log: Logger,
): DiskWatch {
  const reserveBytes = settings.PLATFORM_DISK_RESERVE_MB * 1024 * 1024;
  let known: DiskSpace = { freeBytes: Number.POSITIVE_INFINITY, reserveBytes, isLow: false };
  let lookedMs = Number.NEGATIVE_INFINITY;
  let recorded: boolean | undefined;
  const lastKind = store.prepare((db, v: { subject: string }) =>
    db
      .selectFrom("events")
      .select("kind")
      .where("subject", "=", v.subject)
      .orderBy("sequence", "desc")
      .limit(1),
  );

  const look = singleFlight(async () => {
    if (system.monotonicMs() - lookedMs < freshMs) return known;
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    known = { freeBytes, reserveBytes, isLow: freeBytes < reserveBytes * (known.isLow ? slack : 1) };
    lookedMs = system.monotonicMs();
    return known;
  });

  return {
    space: () => known,
    look,
    async follow() {
      const space = await look();
      if (space.isLow === recorded) return;
      // An earlier start of the server may have recorded this state.
      const wasLow = (await store.one(lastKind({ subject })))?.kind === "disk.low";
      if (space.isLow !== wasLow) {
        const data = { free_bytes: space.freeBytes, reserve_bytes: reserveBytes };
        if (space.isLow) log.error(data, lowDiskSentence(space));
        else log.info(data, "the disk of the data folder has enough free space again: runs start");
        const kind = space.isLow ? "disk.low" : "disk.recovered";
        await store.apply({
          context: serverContext(system),
          steps: [],
          events: [{ kind, subject, data }],
        });
      }
      recorded = space.isLow;
    },
  };
}
