/** Real jobs on a real database, with a clock and an executor that the test controls. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, type TestContext } from "node:test";
import type { JobDefinition, Run } from "@lakehelm/contract";
import { type Client, createClient } from "@lakehelm/contract/client";
import { pino } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { openVault } from "../../core/secrets/vault.ts";
import type { Database as StoreEngine } from "../../core/store/database.ts";
import { migrate } from "../../core/store/migrate.ts";
import { openPostgres } from "../../core/store/postgres.ts";
import { type ChangeContext, createStore } from "../../core/store/store.ts";
import { createEnvironments } from "../../resources/environments/environments.ts";
import { jobHandlers } from "../../resources/jobs/routes.ts";
import { readSettings } from "../../settings.ts";
import { freshDatabase } from "../../testing/postgres.ts";
import { startRemotePlatform } from "../../testing/remote-platform.ts";
import type { DatabaseEngine } from "../../testing/server.ts";
import { query, run, signTestEvent, type TestStoreDatabase, testDatabase } from "../../testing/store.ts";
import { startTestApp } from "../../web/http/test-app.ts";
import { type TestSystem, testSystem } from "../../web/identity/test-dependencies.ts";
import { createPlatforms } from "../platforms/platform-requests.ts";
import type { Executor, RunControl } from "./executor.ts";
import { definitionOf, type Trigger } from "./job-steps.ts";
import { createJobs, type Jobs, type JobsOptions } from "./jobs.ts";

export const engines: readonly DatabaseEngine[] = ["sqlite", "postgres"];

/** A started run. The test decides when and how it ends. */
interface StartedRun extends RunControl {
  readonly run: Run;
  finish(metrics?: Run["metrics"]): void;
  fail(error: Error): void;
}

interface ControlledExecutor extends Executor {
  /** All runs that were started so far. */
  readonly started: StartedRun[];
  /** The next started attempt that was not returned before. */
  next(): Promise<StartedRun>;
}

function controlledExecutor(): ControlledExecutor {
  const started: StartedRun[] = [];
  const waiting: ((work: StartedRun) => void)[] = [];
  let returned = 0;
  return {
    started,
    execute(run, _, control) {
      const { promise, resolve, reject } = Promise.withResolvers<{ metrics: Run["metrics"] }>();
      const work = { ...control, run, finish: (metrics = {}) => resolve({ metrics }), fail: reject };
      started.push(work);
      waiting.shift()?.(work);
      return promise;
    },
    next() {
      const known = started[returned++];
      return known ? Promise.resolve(known) : new Promise((found) => waiting.push(found));
    },
  };
}

export const retryableError = (sentence: string) => Object.assign(new Error(sentence), { retryable: true });

export interface TestJobs {
  readonly deps: Dependencies & { readonly system: TestSystem };
  readonly jobs: Jobs;
  readonly executor: ControlledExecutor;
  readonly environmentId: string;
  context(): ChangeContext;
  /** Advances the clock and does what is due then. */
  advance(seconds: number): Promise<void>;
  /** Advances the clock to a time and does what is due then. */
  advanceTo(time: string): Promise<void>;
  install(trigger: Trigger, policy?: Partial<JobDefinition>, id?: string): Promise<string>;
  /** Runs a job manually and starts what is due. */
  runNow(jobId: string): Promise<Run>;
  /** The log of a run: `info: 43 rows moved`. */
  lines(runId: string): Promise<string[]>;
  /** The runs of all jobs, oldest first. */
  runs(): Promise<Run[]>;
  /** The kinds of the events about jobs and runs, in order. */
  eventKinds(): Promise<string[]>;
  /** Another server on the same database. */
  another(options?: Partial<JobsOptions>): Promise<TestJobs>;
  /** The API of these jobs. */
  client(): Promise<Client & { readonly url: string; readonly token: string }>;
}

export interface TestJobsOptions extends Partial<JobsOptions> {
  readonly engine: DatabaseEngine;
  readonly settings?: Readonly<Record<string, string>>;
  readonly startAt?: string;
  /** Uses the real clock. */
  readonly realTime?: boolean;
}

export async function testJobs(
  t: TestContext,
  { engine, startAt, realTime, ...options }: TestJobsOptions,
): Promise<TestJobs> {
  const database = engine === "postgres" ? await emptyDatabase(t) : await testDatabase(t, engine);
  const system = realTime ? { ...testSystem(), now: () => new Date() } : testSystem();
  if (startAt !== undefined) system.advance(Date.parse(startAt) - system.now().getTime());
  return openOn(t, database, system, options);
}

let shared: ReturnType<typeof freshDatabase> | undefined;
after(async () => (await shared)?.drop());

/** The emptied PostgreSQL database of the test file: creating one per test would take most of the time. */
async function emptyDatabase(t: TestContext): Promise<Pick<TestStoreDatabase, "open">> {
  const isFirst = shared === undefined;
  shared ??= freshDatabase(`jobs_${randomUUID().replaceAll("-", "")}`);
  const { url } = await shared;
  const opened: StoreEngine[] = [];
  t.after(() => Promise.all(opened.map((engine) => engine.close())));
  const open = async () => {
    const engine = await openPostgres(url);
    opened.push(engine);
    return engine;
  };
  if (!isFirst) await run({ engine: await open() }, "truncate jobs, runs, run_log, leases, pending_events");
  return { open };
}

async function openOn(
  t: TestContext,
  database: Pick<TestStoreDatabase, "open">,
  system: TestSystem,
  options: Omit<TestJobsOptions, "engine">,
): Promise<TestJobs> {
  const engine = await database.open();
  await migrate(engine);
  const settings = readSettings({
    PLATFORM_FILE_LOOK_SECONDS: "1",
    PLATFORM_DEFAULT_PLATFORM: "remote",
    ...options.settings,
  });
  const store = createStore(engine, system, signTestEvent);
  const vault = openVault("a secret key for tests", system.randomBytes);
  const deps = { settings, store, vault, system };
  const context = () => ({ actor: "ada", requestId: null, time: system.now().toISOString() });
  const remote = await startRemotePlatform("remote");
  t.after(remote.close);
  const environments = createEnvironments(deps, createPlatforms([remote.platform]));
  await environments.ensureDefault(context());
  const { id: environmentId } = await environments.read("local");
  const executor = controlledExecutor();
  const log = pino({ level: "silent" });
  // Polls take no time, so that a busy machine does not make them less frequent.
  const stopwatch = () => 0;
  const jobs = createJobs(deps, { executor, tableVersions: async () => [], log, stopwatch, ...options });
  let installed = 0;

  async function advance(seconds: number): Promise<void> {
    system.advance(seconds * 1000);
    await jobs.tick();
  }
  return {
    deps,
    jobs,
    executor,
    environmentId,
    context,
    advance,
    advanceTo: (time) => advance((Date.parse(time) - system.now().getTime()) / 1000),
    async install(trigger, policy = {}, id = `connector-${++installed}`) {
      const definition = definitionOf(trigger, settings, policy);
      const subject = id.replace("-", "/");
      const job = { id, environmentId, kind: "connector", subject, name: id, definition } as const;
      const event = { kind: "connector.created", subject, data: {} };
      await store.apply({ context: context(), steps: jobs.steps.install(job, context()), events: [event] });
      return id;
    },
    async runNow(jobId) {
      const job = await jobs.rows.get(jobId);
      assert.ok(job);
      const run = await jobs.rules.runNow(job, {}, { context: context(), saveAnswer: () => [] });
      await jobs.tick();
      return run;
    },
    lines: async (runId) =>
      (await jobs.log.read(runId, 0, 100)).map(({ level, line }) => `${level}: ${line}`),
    runs: async () => (await jobs.rules.page({}, { limit: 1000 })).runs.reverse(),
    async eventKinds() {
      const rows = await query(
        { engine },
        "select kind from pending_events where kind like 'run.%' or kind like 'job.%' order by arrival",
      );
      return rows.map(({ kind }) => String(kind));
    },
    another: (more = {}) => openOn(t, database, system, { ...options, ...more }),
    async client() {
      const { url, token } = await startTestApp(t, jobHandlers(jobs, environments), deps);
      return Object.assign(createClient({ baseUrl: url, token, retries: 0 }), { url, token });
    },
  };
}

/** The fields of a run that tests compare. */
export const brief = ({ status, cause: { time }, attempt }: Run) => `${status} ${time} ${attempt}`;
