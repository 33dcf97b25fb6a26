import { after, before, type TestContext } from "node:test";
import type { Connector, Job, Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { type Engine, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { until } from "../../testing/store.ts";
import type { Declared, Place, PlatformHarness } from "./harness.ts";

/** A connector under test, with its source and its target. */
export interface Subject extends Omit<Place, "connector"> {
  /** As it was created. */
  readonly connector: Connector;
  readonly id: string;
  readonly jobId: string;
  /** As it is now. */
  now(): Promise<Connector>;
  job(): Promise<Job>;
  /** Asks for a run; answers at once. */
  run(): Promise<Run>;
  /** Asks for a run and waits for its end. */
  runToEnd(): Promise<Run>;
  /** Newest first. */
  runs(): Promise<Run[]>;
}

/** A server whose default environment is on the platform, and whose clock the tests move. */
export interface Stage {
  readonly client: Client;
  readonly harness: PlatformHarness;
  /** What the server takes for now. */
  time(): Date;
  /** Moves the clock; what is due then, happens. */
  pass(seconds: number): Promise<void>;
  /** To a time that is to come. */
  passTo(time: string | null): Promise<void>;
  /** A connector that is gone after the test. It runs when somebody runs it, unless it says otherwise. */
  open(t: TestContext, more?: Partial<Declared>): Promise<Subject>;
  /** The run when it has ended. */
  ended(run: Pick<Run, "id">): Promise<Run>;
  crash(): Promise<void>;
  /** Stops and starts again, after the clock has gone on for so long. */
  restart(seconds?: number): Promise<void>;
}

const open = ["queued", "running"];

/** One server for the tests of a suite, which come one after the other. */
export function prepareStage(harness: PlatformHarness, engine: Engine): Stage {
  let server: TestServer;
  let aheadMs = 0;
  const time = () => new Date(Date.now() + aheadMs);
  before(async () => {
    const { platforms, settings } = harness.options ?? {};
    server = await startTestServer({
      engine,
      now: time,
      settings: { PLATFORM_RUN_TIMEOUT_SECONDS: "600", ...settings },
      ...(platforms && { platforms }),
    });
  });
  after(() => server.close());

  async function ended({ id }: Pick<Run, "id">): Promise<Run> {
    let run: Run | undefined;
    await until(async () => {
      run = await server.client.getRun({ params: { run_id: id } });
      return !open.includes(run.status);
    });
    return run as Run;
  }

  async function pass(seconds: number): Promise<void> {
    aheadMs += seconds * 1000;
    // A clock that jumps is noticed within a minute, or with the next change: this is one.
    await server.client.putSecret({
      params: { scope: "clock", key: "moved" },
      body: { value: String(aheadMs) },
    });
  }

  return {
    get client() {
      return server.client;
    },
    harness,
    time,
    pass,
    passTo: (to) => pass((Date.parse(to ?? "") - time().getTime()) / 1000),
    ended,
    crash: () => harness.crash(server),
    async restart(seconds = 0) {
      server = await server.restart({}, () => {
        aheadMs += seconds * 1000;
      });
    },
    async open(t, more) {
      const place = await harness.place();
      const connector = await server.client.createConnector({
        body: {
          name: unique("orders"),
          execution_mode: "manual",
          created_by: "ada",
          ...place.connector,
          ...more,
        },
      });
      const params = { connector_id: connector.id };
      t.after(async () => {
        await server.client.deleteConnector({ params }).catch(() => undefined);
        await place.close();
      });
      const job = { job_id: connector.workflow_id ?? "" };
      const run = () => server.client.runJob({ params: job });
      return {
        ...place,
        connector,
        id: connector.id,
        jobId: job.job_id,
        now: () => server.client.getConnector({ params }),
        job: () => server.client.getJob({ params: job }),
        run,
        runToEnd: async () => ended(await run()),
        runs: async () => (await server.client.listRunsOfJob({ params: job })).runs,
      };
    },
  };
}

/** Rows of a source, numbered; the later ones have changed later. */
export const rows = (...names: readonly string[]) =>
  names.map((name, at) => ({
    id: at + 1,
    name,
    updated_at: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString().replace(".000Z", "Z"),
  }));
