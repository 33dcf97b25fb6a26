import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./database.ts";

/** Free pages that stay in the file: what retention removes in an hour is written again in the next one. */
const keptBytes = 16 * 1024 * 1024;
/** Other changes wait for a step: the next step is smaller if one takes longer than this. */
const stepMs = 10;
const mostPages = 128;
const fewestPages = 8;

/** What a SQLite file holds. */
export interface FileSpace {
  readonly bytes: number;
  /** The size of unused pages. New rows use them first. */
  readonly freeBytes: number;
  /** Whether free pages can be given back to the disk. Not in a file of an earlier version that was never compacted. */
  readonly isReclaimable: boolean;
}

/** Undefined with PostgreSQL, whose autovacuum does the same. */
export async function fileSpace(engine: Pick<Database, "name" | "read">): Promise<FileSpace | undefined> {
  if (engine.name !== "sqlite") return undefined;
  const pragma = async (name: string) =>
    Number((await engine.read({ sql: `pragma ${name}`, parameters: [] }))[0]?.[name]);
  const size = await pragma("page_size");
  return {
    bytes: size * (await pragma("page_count")),
    freeBytes: size * (await pragma("freelist_count")),
    isReclaimable: (await pragma("auto_vacuum")) === 2,
  };
}

/**
 * Gives free pages of a SQLite file back to the disk, in steps of some milliseconds with pauses, so that other changes
 * go on. Returns the number of freed bytes.
 */
export async function reclaimSpace(
  engine: Pick<Database, "name" | "read" | "write">,
  signal: AbortSignal,
): Promise<number> {
  const first = await fileSpace(engine);
  let pages = mostPages;
  for (let space = first; space?.isReclaimable && !signal.aborted; space = await fileSpace(engine)) {
    if (space.freeBytes <= keptBytes) return (first?.bytes ?? 0) - space.bytes;
    const began = performance.now();
    // A prepared statement frees one page each time that it runs.
    const one = { sql: "pragma incremental_vacuum(1)", parameters: [] };
    await engine.write(Array.from({ length: pages }, () => one));
    const took = performance.now() - began;
    pages = took > stepMs ? Math.max(fewestPages, pages >> 1) : Math.min(mostPages, pages * 2);
    await pause(Math.max(1, took), undefined, { ref: false });
  }
  return 0;
}
