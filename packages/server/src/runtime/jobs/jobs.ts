import type { Run } from "@lakehelm/contract";
import type { Logger } from "pino";
import { createClockWatch } from "../../core/clock.ts";
import { createBackground } from "../../core/concurrency/background-tasks.ts";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { lastKnown } from "../../core/metrics/last-known.ts";
import type { RetentionSource } from "../../core/retention/retention.ts";
import { createClockCorrection } from "./clock-correction.ts";
import type { Executor } from "./executor.ts";
import type { FoundFile } from "./file-trigger.ts";
import { createFileWatch } from "./file-watch.ts";
import { createJobRows, type JobRows } from "./job-rows.ts";
import { createJobSteps, type JobSteps } from "./job-steps.ts";
import { createJobViews, type JobViews } from "./job-views.ts";
import type { LineageReport } from "./lineage.ts";
import { createQueue } from "./queue.ts";
import { createQuietJobs } from "./quiet-runs.ts";
import { createRecovery } from "./recovery.ts";
import { createRunEnd } from "./run-end.ts";
import { createRunHistory, type RunHistory } from "./run-history.ts";
import { createRunLog, type RunLog } from "./run-log.ts";
import { createRunMetrics, mostJobs, queueMetrics, type RunObserver } from "./run-metrics.ts";
import { createRunLogRetention, createRunRetention } from "./run-retention.ts";
import { createRunRows } from "./run-rows.ts";
import { createRuns, type Runs } from "./runs.ts";
import { createScheduler, type IsActive, type PauseEnded } from "./scheduler.ts";
import { createTableFreshness, type TableFreshness } from "./table-freshness.ts";
import { createTableWatch, type TableVersions } from "./table-watch.ts";
import { startTimers, type Timers } from "./timers.ts";
import { createWatchChange } from "./watch-change.ts";
import { createWorker, type Worker } from "./worker.ts";

export interface JobsOptions {
  readonly executor: Executor;
  /** Steps and events for the change in which the pause of a job expires. */
  readonly pauseEnded?: PauseEnded;
  readonly tableVersions: TableVersions;
  /** The environments that this server may run jobs for: all, none, or those with these ids. */
  readonly mayRun?: () => boolean | ReadonlySet<string>;
  /** Whether runs may start at the moment. Those that are queued wait until then. */
  readonly mayStart?: () => Promise<boolean>;
  /** Whether the server is paused: then it starts nothing by itself. */
  readonly isPaused?: () => boolean;
  /** Triggers start no runs in an environment that is not active. */
  readonly isActive?: IsActive;
  /** Resolves the path of a file trigger on this machine; throws with a message if it must not be read. */
  readonly resolvePath?: (environmentId: string, path: string) => Promise<string>;
  /** The files in object storage that the job of a resource waits for. */
  readonly remoteFiles?: (subject: string, path: string) => Promise<readonly FoundFile[]>;
  /** Called when stored times were compared with the clock, so that other modules compare theirs. */
  readonly onClockChecked?: () => Promise<void>;
  readonly onRunEnded?: RunObserver["ended"] | undefined;
  readonly lineage?: LineageReport | undefined;
  /** Monotonic clock in milliseconds. */
  readonly stopwatch?: () => number;
  readonly log: Logger;
}

/** Triggers, the queue of runs, and their execution. */
export interface Jobs {
  /** The id of this server process among those that share the database. */
  readonly serverId: string;
  readonly steps: JobSteps;
  readonly rules: Runs;
  readonly rows: JobRows;
  readonly views: JobViews;
  readonly history: RunHistory;
  readonly log: RunLog;
  readonly now: () => Date;
  /** When the tables of an environment last changed; undefined if the engine does not answer in time. */
  tables: TableFreshness["tables"];
  /** Tables of an environment have changed, or this server may run its jobs from now on. */
  notice(environmentId: string): void;
  /** This server has become the only one that runs jobs: it continues what others left. */
  takeOver(): Promise<void>;
  /** Does everything that is due now, once; started runs continue. */
  tick(): Promise<void>;
  /** Runs and their logs that are no longer kept. */
  readonly retention: readonly RetentionSource[];
  /** How many run slots of this server are occupied. */
  usage: Worker["usage"];
  /**
   * In the Prometheus text format; while the database is unavailable, with the last known values. `nameOf`: the name of
   * an environment, undefined if it no longer exists.
   */
  metrics(nameOf: (environmentId: string) => Promise<string | undefined>): Promise<string>;
  /** Resolves when no run is executing on this server. */
  idle(): Promise<void>;
  start(): void;
  /** Stops running attempts and puts their runs back into the queue. */
  stop(): Promise<void>;
}

const clockCheckMs = 60_000;
/** The process has 9 seconds to end. */
const stopMs = 5_000;

export function createJobs(deps: Dependencies, options: JobsOptions): Jobs {
  const { store, system, settings } = deps;
  const {
    executor,
    tableVersions,
    mayRun = () => true,
    mayStart = async () => true,
    isPaused = () => false,
    isActive = async () => true,
    resolvePath = async (_, path) => path,
    remoteFiles = async (_, path) => {
      throw new Error(`${path} cannot be watched here.`);
    },
    log,
  } = options;
  const owner = system.newId();
  const onError = createErrorLog(log);
  const mayRunIn = (environmentId: string) => {
    const may = mayRun();
    return typeof may === "boolean" ? may : may.has(environmentId);
  };

  const jobs = createJobRows(store);
  const runs = createRunRows(store);
  const runLog = createRunLog(deps);
  const quietJobs = createQuietJobs();
  const queue = createQueue(deps, runs, quietJobs);
  const retention = createRunRetention(deps, runLog);
  const ending = createRunEnd(deps, jobs, retention, options.lineage);
  const scheduler = createScheduler(
    deps,
    jobs,
    queue,
    options.pauseEnded ?? (async () => ({ steps: [], events: [] })),
    isActive,
  );
  const clock = createClockWatch(system);
  const correction = createClockCorrection(deps, { jobs, runs }, log);
  const changes = createWatchChange(deps, jobs, queue);
  const tables = createTableWatch(deps, jobs, changes, tableVersions, { mayRun: mayRunIn, isActive });
  const files = createFileWatch(deps, jobs, changes, {
    pollSeconds: settings.PLATFORM_FILE_LOOK_SECONDS,
    mayRun: mayRunIn,
    isActive,
    resolvePath,
    remoteFiles,
    stopwatch: options.stopwatch ?? (() => performance.now()),
  });
  const counted = createRunMetrics();
  const observer: RunObserver = {
    ...counted,
    ended(run, job, end) {
      counted.ended(run, job, end);
      options.onRunEnded?.(run, job, end);
    },
  };
  const work = { jobs, runs, log: runLog, ending, observer, quietJobs, lineage: options.lineage };
  const abandon = (run: Run) => executor.abandon?.(run).catch(onError) ?? Promise.resolve();
  let isHeldBack = false;
  const worker = createWorker(deps, work, {
    owner,
    executor,
    mayRun: mayRunIn,
    async mayStart() {
      isHeldBack = !(await mayStart());
      return !isHeldBack;
    },
    abandon,
    onEnded,
    onError,
  });
  const recovery = createRecovery(deps, work, { isWorkingOn: worker.isWorkingOn, abandon });
  const rules = createRuns(deps, { jobs, runs, queue, ending }, executor.checkParameters);
  const freshness = createTableFreshness(tableVersions);
  let timers: Timers | undefined;

  const readMeasured = lastKnown(async (nameOf: (id: string) => Promise<string | undefined>) => {
    const [stored, queue, earliest] = [
      await jobs.measured(mostJobs),
      await runs.unfinished(),
      await jobs.earliest(),
    ];
    const ids = [...stored.map(({ environmentId }) => environmentId), ...counted.environments()];
    const names = new Map<string, string | undefined>();
    for (const id of [...ids, ...freshness.environments()])
      if (!names.has(id)) names.set(id, await nameOf(id));
    return { stored, queue, earliest, names };
  });
  const background = createBackground(onError);
  let clockCheckedMs = Number.NEGATIVE_INFINITY;
  /**
   * Runs at the start, whenever the clock was set, and every minute: another server, with another clock, may write the
   * same rows.
   */
  const followClock = singleFlight(async () => {
    const changedMs = clock.change();
    if (changedMs === 0 && system.monotonicMs() - clockCheckedMs < clockCheckMs) return;
    await correction.correct(changedMs);
    await options.onClockChecked?.();
    clockCheckedMs = system.monotonicMs();
    timers?.changed();
  });
  const runScheduler = singleFlight(async () => (isPaused() ? 0 : scheduler.runDue()));
  const beat = singleFlight(worker.beat);
  const pollAllTables = singleFlight(() => tables.poll());

  /** A slot is free, and the run may have changed tables that other jobs wait for. */
  function onEnded({ environment_id }: { readonly environment_id: string }): void {
    freshness.runEnded(environment_id);
    if (!timers) return;
    timers.changed();
    background.run(worker.claim);
    notice(environment_id);
  }

  function notice(environmentId: string): void {
    background.run(async () => {
      if (await tables.poll(environmentId)) await worker.claim();
    });
  }

  return {
    serverId: owner,
    steps: createJobSteps(store),
    rules: {
      ...rules,
      async cancel(id, context) {
        const run = await rules.cancel(id, context);
        // Stops the run immediately if it runs here; another server notices within a second.
        await beat();
        runLog.wake(id);
        // The run was queued, perhaps between two attempts: no attempt is running that could end what the run has
        // started.
        if (run.status === "cancelled") await abandon(run);
        return run;
      },
    },
    rows: jobs,
    views: createJobViews(store),
    history: createRunHistory(store),
    log: runLog,
    now: system.now,
    tables: freshness.tables,
    notice,
    takeOver: async () => void (await recovery.recover(true)),
    async tick() {
      await followClock();
      await recovery.recover();
      await runScheduler();
      await pollAllTables();
      await files.poll();
      await beat();
      await worker.claim();
    },
    retention: [retention, createRunLogRetention(deps, runLog)],
    usage: worker.usage,
    async metrics(nameOf) {
      const known = await readMeasured(nameOf);
      const queue = known ? queueMetrics(known.queue, known.earliest, system.now()) : "";
      const printed = queue + counted.print((id) => known?.names.get(id) ?? id, known?.stored);
      return printed + (known ? await freshness.print((id) => known.names.get(id)) : "");
    },
    idle: worker.idle,
    start() {
      timers ??= startTimers(
        deps,
        {
          followClock,
          runScheduler,
          earliest: async () => (isPaused() ? undefined : jobs.earliestOfAll()),
          next: async () => [await scheduler.next(), await runs.nextWaiting(system.now().toISOString())],
          claim: worker.claim,
          isHeldBack: () => isHeldBack,
          beat,
          recover: recovery.recover,
          areRunning: runs.areRunning,
          pollFiles: files.poll,
          pollTables: pollAllTables,
          tablesAreDue: tables.isDue,
          onError,
        },
        background,
      );
    },
    async stop() {
      timers?.stop();
      timers = undefined;
      await worker.stop(stopMs);
      await background.idle(1000);
    },
  };
}

/** Logs a repeated error at most once a minute: failures are retried every second. */
function createErrorLog(log: Logger): (error: unknown) => void {
  const lastLogged = new Map<string, number>();
  return (error) => {
    const message = String(error);
    const now = performance.now();
    if (now - (lastLogged.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    if (lastLogged.size > 100) lastLogged.clear();
    lastLogged.set(message, now);
    log.error({ err: error }, "a background task of the scheduler failed");
  };
}
