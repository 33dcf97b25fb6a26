import type { Logger } from "pino";
import type { Dependencies } from "../dependencies.ts";
import { reclaimSpace } from "../store/reclaim.ts";
import { type Step, VersionConflict } from "../store/store.ts";
import { serverContext } from "../system.ts";
import type { Archive, CrashPoint } from "./archive.ts";
import type { ArchiveEntry, RemovedRecords, RetainedKind } from "./archive-entry.ts";
import type { RetainedBatch } from "./batch.ts";

/** Records of one kind that have a limited age. */
export interface RetentionSource {
  readonly kind: RetainedKind;
  /** The oldest records that are due, at most a batch; undefined if there are none. */
  next(now: Date): Promise<RetainedBatch | undefined>;
  /** Whether these records are still in the database. */
  isStored(records: RemovedRecords): Promise<boolean>;
  /**
   * The steps that remove records: all of them, or the change is refused. `lines` are those of the batch, perhaps read
   * from its file, whose path is `archivedAs`.
   */
  removal(records: RemovedRecords, lines: readonly string[], archivedAs: string | undefined): readonly Step[];
}

export interface Retention {
  /** Archives and removes everything that is due. Failures are logged and counted; the next run tries again. */
  run(): Promise<void>;
  start(): void;
  /** Ends the current run after its batch. */
  halt(): Promise<void>;
  stop(): Promise<void>;
  stats(): readonly RetentionStats[];
}

export interface RetentionStats {
  readonly kind: RetainedKind;
  readonly removed: number;
  readonly archivedBytes: number;
  readonly failures: number;
  /** Whether the last run failed. */
  readonly isFailing: boolean;
}

interface RetentionOptions {
  readonly sources: readonly RetentionSource[];
  /** Undefined: removed records are not archived. */
  readonly archive: Archive | undefined;
  /** The time by which records are too old. */
  readonly now: () => Date;
  /** Only the server that holds the data folder removes anything. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
  readonly crashPoint?: ((point: CrashPoint) => Promise<void>) | undefined;
}

const firstMs = 60_000;
const intervalMs = 3_600_000;
const retryMs = 5 * 60_000;

export function createRetention(
  { store, system }: Pick<Dependencies, "store" | "system">,
  { sources, archive, now, mayRun, log, crashPoint = async () => {} }: RetentionOptions,
): Retention {
  const states = sources.map((source) => ({
    source,
    /** Whether a crash or a failure may have left archived records that are not removed. */
    isUncertain: true,
    removed: 0,
    archivedBytes: 0,
    failures: 0,
    isFailing: false,
  }));
  type State = (typeof states)[number];
  let stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function remove(
    state: State,
    records: RemovedRecords & Partial<ArchiveEntry>,
    lines: readonly string[],
  ): Promise<void> {
    const { kind } = state.source;
    const { first, last, count, chain, file, sha256, bytes = 0 } = records;
    const path = file && `${kind}/${file}`;
    const data = {
      records: kind,
      first,
      last,
      count,
      ...(chain && { last_hash: chain.hash }),
      file: path ?? null,
      sha256: sha256 ?? null,
    };
    const what = file ? "archived" : "removed";
    const event = { kind: `retention.${what}`, subject: `retention/${kind}`, data };
    const steps = state.source.removal(records, lines, path);
    await store.apply({ context: serverContext(system), steps, events: [event] });
    state.removed += count;
    state.archivedBytes += bytes;
    log.info(data, file ? "retention: archived and removed" : "retention: removed without an archive");
    await crashPoint("removed");
  }

  /** Removes the records of the last entry if a crash prevented that, so that no record is archived twice. */
  async function completeLast(state: State, files: Archive): Promise<void> {
    const { kind } = state.source;
    const entry = await files.last(kind);
    if (!entry || !(await state.source.isStored(entry))) return;
    const lines = await files.lines(kind, entry);
    if (!lines) return;
    await remove(state, entry, lines).catch((error) => {
      // Some of the records are already removed: the others are archived again.
      if (!(error instanceof VersionConflict)) throw error;
    });
  }

  async function runOne(state: State, signal: AbortSignal): Promise<void> {
    const { source } = state;
    for (;;) {
      if (signal.aborted || !mayRun()) return;
      const batch = await source.next(now());
      if (!batch) return;
      if (archive && state.isUncertain) {
        await completeLast(state, archive);
        state.isUncertain = false;
        continue;
      }
      const { lines, ...records } = batch;
      await remove(state, archive ? await archive.write(source.kind, records, lines) : records, lines);
      // Yields to requests.
      await new Promise((next) => setImmediate(next));
    }
  }

  async function runAll(): Promise<void> {
    const { signal } = stopping;
    for (const state of states) {
      try {
        await runOne(state, signal);
        state.isFailing = false;
      } catch (error) {
        state.failures += 1;
        state.isFailing = true;
        state.isUncertain = true;
        log.error(
          { err: error, records: state.source.kind },
          "retention failed: nothing more is removed; the server tries again in 5 minutes",
        );
      }
    }
    try {
      const bytes = await reclaimSpace(store.engine, signal);
      if (bytes > 0)
        log.info({ bytes }, "retention: unused space of the database was given back to the disk");
    } catch (error) {
      log.error({ err: error }, "unused space of the database could not be given back to the disk");
    }
  }

  let running: Promise<void> | undefined;
  function run(): Promise<void> {
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  function runIn(ms: number): void {
    if (isStopped) return;
    timer = setTimeout(async () => {
      await run();
      runIn(states.some(({ isFailing }) => isFailing) ? retryMs : intervalMs);
    }, ms).unref();
  }

  async function halt(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    await running;
  }

  return {
    run,
    start: () => runIn(firstMs),
    halt,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await halt();
    },
    stats: () =>
      states.map(({ source, removed, archivedBytes, failures, isFailing }) => ({
        kind: source.kind,
        removed,
        archivedBytes,
        failures,
        isFailing,
      })),
  };
}
