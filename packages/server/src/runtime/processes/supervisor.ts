import type { Logger } from "pino";
import { createBackground } from "../../core/concurrency/background-tasks.ts";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { serverContext } from "../../core/system.ts";
import type { OwnPorts } from "../outbound/own-ports.ts";
import { DataFolderLost, type Observation } from "../platforms/platform.ts";
import type { Confinement } from "./confinement/confinement.ts";
import { processFolders } from "./folders.ts";
import { createLauncher, type ProcessInputs, type ProcessInstance } from "./launcher.ts";
import type { OutputArchive } from "./log-archive.ts";
import { processLog } from "./log-file.ts";
import { allProcesses, withVariable } from "./operating-system.ts";
import { type OrphanProcess, orphanFinder } from "./orphan-processes.ts";
import { endProcess } from "./process-end.ts";
import { createProcessRows, type ProcessRecord } from "./process-rows.ts";
import { processSecrets } from "./process-secrets.ts";
import type { Processes, ProcessRequest } from "./processes.ts";
import { maxLogBurst, type SupervisedProcess, supervise } from "./supervised-process.ts";
import { type ProcessTiming, processTiming } from "./timing.ts";
import { markPrefix, markVariable } from "./variables.ts";

interface ProcessesOptions extends ProcessInputs {
  readonly dataDir: string;
  readonly dataFolderId: string;
  /** The URL of the API for processes. */
  readonly url: () => string;
  /** A token for `agent/<name>` or `app/<name>`. */
  readonly issueToken: (subject: string, environmentId: string) => Promise<string>;
  readonly onObservation: (processId: string, observation: Observation) => Promise<void>;
  /** Receives the ports of running processes. */
  readonly ownPorts: Pick<OwnPorts, "add" | "delete">;
  /** Whether the server is paused: it starts no process by itself. */
  readonly isPaused?: () => boolean;
  readonly olderOutput: OutputArchive;
  readonly confinement: Confinement;
  readonly log: Logger;
  readonly timing?: ProcessTiming;
}

const neverStarted = { deploy: "", name: "", sourcePath: "", start: null, ends: [], observation: null };

const outdated = { done: false, reason: "A newer request replaced this one." } as const;

const leaseLost = () => new DataFolderLost("This server no longer holds the lease of the data folder.");

const restarted = {
  observed_state: "pending",
  message: "It is being restarted because the server was restarted.",
} as const;

export function createProcesses(
  { settings, store, system, vault }: Dependencies,
  options: ProcessesOptions,
): Processes {
  const { dataDir, dataFolderId, url, isPaused = () => false, log } = options;
  const timing = options.timing ?? processTiming(settings.PLATFORM_PROCESS_START_SECONDS);
  const folders = processFolders(dataDir);
  const secretsOf = (id: string) => processSecrets(folders.of(id), vault);
  const logOf = (id: string) =>
    processLog(folders.of(id), secretsOf(id).redaction, options.olderOutput.of(id));
  const prefix = markPrefix(dataFolderId, dataDir);
  const rows = createProcessRows(store);
  const mutex = createKeyedMutex();
  const supervised = new Map<string, SupervisedProcess>();
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
  let logBursts = 0;

  const launcher = createLauncher(folders.ofDeploy, {
    copyCode: options.copyCode,
    secretOf: options.secretOf,
    missingSecret: options.missingSecret,
    url,
    newMark: () => `${prefix}${system.randomBytes(16).toString("hex")}`,
    isReservedPort: (port) => [...supervised.values()].some((one) => one.port === port),
    tokenSeconds: settings.PLATFORM_TOKEN_TTL_SECONDS,
    memoryMb: settings.PLATFORM_PROCESS_MEMORY_MB,
    issueToken: options.issueToken,
    confinement: options.confinement,
    hideInLog: (id, secrets) => secretsOf(id).add(secrets),
    onError,
  });
  const findOrphans = orphanFinder(prefix, url, options.confinement);
  const gracefully = { drainMs: timing.drainMs, termMs: timing.termMs, isInterruption: false };

  /** If writing fails, the record is kept in memory and the process can be found by its mark. */
  async function save(record: ProcessRecord): Promise<void> {
    records.set(record.id, record);
    const context = serverContext(system);
    await rows.save(record, context).catch(onError);
  }

  /** Serialized per process; throws DataFolderLost if this server no longer supervises it. */
  async function execute<Result>(
    request: ProcessRequest,
    task: () => Promise<Result>,
  ): Promise<Result | typeof outdated> {
    await opened;
    return mutex.run(request.id, async () => {
      if (!isOpen) throw leaseLost();
      return request.requestedAt < (records.get(request.id)?.requestedAt ?? "") ? outdated : task();
    });
  }

  /** Serialized, and always with the current observation: the last call reports the newest one. */
  const report = (id: string) =>
    mutex.run(`report ${id}`, async () => {
      const observation = supervised.get(id)?.record.observation;
      if (observation) await options.onObservation(id, observation);
    });

  function startSupervision(
    record: ProcessRecord,
    instance: ProcessInstance | undefined,
    stopsAfterFirst: boolean,
  ): SupervisedProcess {
    const one = supervise(record, instance, {
      launcher,
      ownPorts: options.ownPorts,
      log: logOf(record.id),
      timing,
      memoryMb: settings.PLATFORM_PROCESS_MEMORY_MB,
      now: system.now,
      save,
      onObservation: (id) => background.run(() => report(id)),
      onError,
      onLogBurst() {
        logBursts += 1;
      },
      stopsAfterFirst,
    });
    supervised.set(record.id, one);
    return one;
  }

  /** Supervises a process that is requested to run. */
  function continueSupervision(record: ProcessRecord, instance: ProcessInstance | undefined): void {
    const isNew = !instance && record.observation !== null;
    startSupervision(isNew ? { ...record, observation: restarted } : record, instance, false);
    if (isNew) background.run(() => report(record.id));
  }

  /** A process that cannot be adopted is ended and then restarted. */
  async function adopt(record: ProcessRecord, orphan: OrphanProcess): Promise<ProcessInstance | undefined> {
    try {
      return await launcher.adopt(record, orphan, orphan.port);
    } catch (error) {
      onError(error);
      await endProcess(orphan, timing.termMs);
      return undefined;
    }
  }

  async function checkAll(): Promise<void> {
    if (supervised.size > 0) {
      const all = await allProcesses();
      const marked = await withVariable(markVariable, prefix);
      const marks = new Map(marked.map(({ pid, value }) => [pid, value]));
      for (const one of supervised.values()) await one.check(all, marks);
    }
  }
  function scheduleCheck(): void {
    timer = setTimeout(
      () =>
        checkAll()
          .catch(onError)
          .finally(() => isOpen && scheduleCheck()),
      timing.checkMs,
    ).unref();
  }

  async function leave(termMs: number): Promise<void> {
    isOpen = false;
    clearTimeout(timer);
    opened = Promise.reject(leaseLost());
    opened.catch(() => {});
    first.resolve(opened);
    const all = [...supervised.values()];
    await Promise.all(all.map((one) => one.end({ drainMs: 0, termMs, isInterruption: true })));
    supervised.clear();
    records.clear();
    await background.idle(1_000);
  }

  const knownIds = async () => [...(await rows.all()).map(({ id }) => id), ...supervised.keys()];

  return {
    removalOf: rows.removalOf,
    removalBelow: rows.removalBelow,
    removalIn: rows.removalIn,
    log: logOf,
    requested: async () => new Set((await rows.all()).map(({ id }) => id)),
    logUsage: () => ({
      used: supervised.values().reduce((most, { logged }) => Math.max(most, logged), 0),
      limit: maxLogBurst,
      refused: logBursts,
    }),
    get areActive() {
      return isOpen;
    },
    areUnconfined: async () => (await options.confinement.mode()) === "unconfined",
    acquire: (id) => supervised.get(id)?.acquire(),
    async tick() {
      if (!isOpen) return;
      for (const id of supervised.keys()) await report(id);
      await folders.clearRemoved(knownIds);
    },
    async deploy(request) {
      const one = await execute(request, async () => {
        const before = supervised.get(request.id);
        if (before?.record.deploy === request.deploy) return before;
        await before?.end(gracefully);
        const record = { ...request, desired: "running", start: null, ends: [], observation: null } as const;
        await save(record);
        await folders.clearOthers(record);
        // The lease may have been lost meanwhile: then nothing is started.
        if (!isOpen) throw leaseLost();
        return startSupervision(record, undefined, true);
      });
      return "first" in one ? one.first : one;
    },
    stop: (request) =>
      execute(request, async () => {
        const one = supervised.get(request.id);
        const stopped = { ...neverStarted, ...one?.record, ...request, desired: "stopped" } as const;
        await save(stopped);
        await one?.end(gracefully);
        if (one) await save({ ...stopped, start: null });
        supervised.delete(request.id);
        return { done: true, reference: null };
      }),
    async takeOver() {
      if (isClosed) return;
      const all = await rows.all();
      for (const record of all) records.set(record.id, record);
      const desired = isPaused() ? [] : all.filter(({ desired }) => desired === "running");
      const { adoptable, endOthers } = await findOrphans(all, desired);
      await endOthers(timing.termMs);
      await folders.clearRemoved(knownIds);
      for (const record of desired) {
        const orphan = adoptable.get(record.id);
        const instance = orphan && (await adopt(record, orphan));
        if (isClosed) return;
        continueSupervision(record, instance);
      }
      isOpen = true;
      opened = Promise.resolve();
      first.resolve();
      scheduleCheck();
    },
    async startPaused() {
      if (!isOpen) return;
      for (const { id } of await rows.all()) {
        await mutex.run(id, async () => {
          const record = records.get(id);
          if (isOpen && record?.desired === "running" && !supervised.has(id))
            continueSupervision(record, undefined);
        });
      }
    },
    leave,
    async close(termMs) {
      isClosed = true;
      await leave(termMs);
    },
  };
}
