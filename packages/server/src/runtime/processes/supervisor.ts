import type { Logger } from "pino";
import { createBackground } from "../../core/concurrency/background-tasks.ts";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { serverContext } from "../../core/system.ts";
import { DataFolderLost, type Observation } from "../platforms/platform.ts";
import { endProcess } from "./end-process.ts";
import { processFolders } from "./folders.ts";
import { createLaunching, type Life, type ProcessInputs } from "./launcher.ts";
import { finding, type Left } from "./left-over-processes.ts";
import { processLog } from "./log-file.ts";
import { allProcesses, withVariable } from "./operating-system.ts";
import { createProcessRows, type ProcessRecord } from "./process-rows.ts";
import type { Order, Processes } from "./processes.ts";
import { type Supervised, supervise } from "./supervised-process.ts";
import { type Pace, paceOf } from "./timing.ts";
import { markPrefix, markVariable } from "./variables.ts";

interface ProcessesOptions extends ProcessInputs {
  readonly dataDir: string;
  readonly dataFolderId: string;
  /** The URL of the API for processes. */
  readonly url: () => string;
  /** A token for `agent/<name>` or `app/<name>`. */
  readonly issueToken: (subject: string) => Promise<string>;
  /** Receives the observations of a process. */
  readonly onObservation: (processId: string, sight: Observation) => Promise<void>;
  readonly log: Logger;
  readonly pace?: Pace;
}

const neverStarted = { deploy: "", name: "", sourcePath: "", start: null, ends: [], sight: null };

const outdated = { done: false, reason: "Something else was asked of it since." } as const;

const given = () => new DataFolderLost("This server does not hold the data folder any more.");

const restarted = {
  observed_state: "pending",
  message: "It is being started again: the server was.",
} as const;

export function createProcesses(
  { settings, store, system }: Dependencies,
  options: ProcessesOptions,
): Processes {
  const { dataDir, dataFolderId, url, log } = options;
  const pace = options.pace ?? paceOf(settings.PLATFORM_PROCESS_START_SECONDS);
  const folders = processFolders(dataDir);
  const prefix = markPrefix(dataFolderId, dataDir);
  const rows = createProcessRows(store);
  const turns = createKeyedMutex();
  const supervised = new Map<string, Supervised>();
  /** The last request for each process. */
  const records = new Map<string, ProcessRecord>();
  const onError = (error: unknown) => log.error({ err: error }, "supervising a process failed");
  const background = createBackground(onError);
  let timer: NodeJS.Timeout | undefined;
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {});
  /** Pending until the first takeover; later resolved, or rejected when this server no longer supervises processes. */
  let opened: Promise<void> = first.promise;
  let isOpen = false;
  let isClosed = false;

  const launching = createLaunching(folders.ofDeploy, {
    copyCode: options.copyCode,
    secretOf: options.secretOf,
    url,
    newMark: () => `${prefix}${system.randomBytes(16).toString("hex")}`,
    isGivenPort: (port) => [...supervised.values()].some((one) => one.port === port),
    tokenSeconds: settings.PLATFORM_TOKEN_TTL_SECONDS,
    issueToken: options.issueToken,
    onError,
  });
  const found = finding(prefix, url);
  const byRequest = { lentMs: pace.lentMs, termMs: pace.termMs, isInterruption: false };

  /** If writing fails, the record is kept in memory and the process can be found by its mark. */
  async function save(record: ProcessRecord): Promise<void> {
    records.set(record.id, record);
    const by = serverContext(system);
    await rows.save(record, by).catch(onError);
  }

  /** Serialized per process; throws DataFolderLost if this server no longer supervises it. */
  async function obey<Result>(order: Order, task: () => Promise<Result>): Promise<Result | typeof outdated> {
    await opened;
    return turns.run(order.id, async () => {
      if (!isOpen) throw given();
      return order.askedAt < (records.get(order.id)?.askedAt ?? "") ? outdated : task();
    });
  }

  /** Serialized, and always with the current observation: the last call reports the newest one. */
  const tellOf = (id: string) =>
    turns.run(`tell ${id}`, async () => {
      const sight = supervised.get(id)?.record.sight;
      if (sight) await options.onObservation(id, sight);
    });

  function keep(record: ProcessRecord, life: Life | undefined, restsAfterFirst: boolean): Supervised {
    const one = supervise(record, life, {
      launching,
      log: processLog(folders.of(record.id)),
      pace,
      memoryMb: settings.PLATFORM_PROCESS_MEMORY_MB,
      now: system.now,
      save,
      onSight: (id) => background.run(() => tellOf(id)),
      onError,
      restsAfterFirst,
    });
    supervised.set(record.id, one);
    return one;
  }

  /** A process that cannot be adopted is ended and then restarted. */
  async function adopt(record: ProcessRecord, left: Left): Promise<Life | undefined> {
    try {
      return await launching.adopt(record, left, left.port);
    } catch (error) {
      onError(error);
      await endProcess(left, pace.termMs);
      return undefined;
    }
  }

  async function look(): Promise<void> {
    if (supervised.size > 0) {
      const all = await allProcesses();
      const marked = await withVariable(markVariable, prefix);
      const marks = new Map(marked.map(({ pid, value }) => [pid, value]));
      for (const one of supervised.values()) await one.look(all, marks);
    }
  }
  function lookAgain(): void {
    timer = setTimeout(
      () =>
        look()
          .catch(onError)
          .finally(() => isOpen && lookAgain()),
      pace.lookMs,
    ).unref();
  }

  async function leave(termMs: number): Promise<void> {
    isOpen = false;
    clearTimeout(timer);
    opened = Promise.reject(given());
    opened.catch(() => {});
    first.resolve(opened);
    const all = [...supervised.values()];
    await Promise.all(all.map((one) => one.end({ lentMs: 0, termMs, isInterruption: true })));
    supervised.clear();
    records.clear();
    await background.idle(1_000);
  }

  const knownIds = async () => [...(await rows.all()).map(({ id }) => id), ...supervised.keys()];

  return {
    removingOf: rows.removingOf,
    removingBelow: rows.removingBelow,
    removingIn: rows.removingIn,
    log: (id) => processLog(folders.of(id)),
    get areHere() {
      return isOpen;
    },
    acquire: (id) => supervised.get(id)?.lend(),
    async tick() {
      if (!isOpen) return;
      for (const id of supervised.keys()) await tellOf(id);
      await folders.clearRemoved(knownIds);
    },
    async deploy(order) {
      const one = await obey(order, async () => {
        const before = supervised.get(order.id);
        if (before?.record.deploy === order.deploy) return before;
        await before?.end(byRequest);
        const record = { ...order, desired: "running", start: null, ends: [], sight: null } as const;
        await save(record);
        await folders.clearOthers(record);
        // The lease may have been lost meanwhile: then nothing is started.
        if (!isOpen) throw given();
        return keep(record, undefined, true);
      });
      return "first" in one ? one.first : one;
    },
    stop: (order) =>
      obey(order, async () => {
        const one = supervised.get(order.id);
        const stopped = { ...neverStarted, ...one?.record, ...order, desired: "stopped" } as const;
        await save(stopped);
        await one?.end(byRequest);
        if (one) await save({ ...stopped, start: null });
        supervised.delete(order.id);
        return { done: true, reference: null };
      }),
    async takeOver() {
      if (isClosed) return;
      const all = await rows.all();
      for (const record of all) records.set(record.id, record);
      const wanted = all.filter(({ desired }) => desired === "running");
      const { adoptable, endOthers } = await found(all, wanted);
      await endOthers(pace.termMs);
      await folders.clearRemoved(knownIds);
      for (const record of wanted) {
        const left = adoptable.get(record.id);
        const life = left && (await adopt(record, left));
        if (isClosed) return;
        const isNew = !life && record.sight !== null;
        const next = isNew ? { ...record, sight: restarted } : record;
        keep(next, life, false);
        if (isNew) background.run(() => tellOf(record.id));
      }
      isOpen = true;
      opened = Promise.resolve();
      first.resolve();
      lookAgain();
    },
    leave,
    async close(termMs) {
      isClosed = true;
      await leave(termMs);
    },
  };
}
