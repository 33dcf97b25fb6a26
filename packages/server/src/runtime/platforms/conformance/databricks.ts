import { unique } from "../../../testing/server.ts";
import { tickets } from "../databricks/testing/connected-server.ts";
import { type FakeWorkspace, startFakeWorkspace, testToken } from "../databricks/testing/fake-workspace.ts";
import { type FakeRun, jobRoutes } from "../databricks/testing/jobs.ts";
import { objectRoutes } from "../databricks/testing/objects.ts";
import type { PlatformHarness, SourceRow } from "./harness.ts";

/** What a run of the newest connector does in the stand-in. */
interface Transfer {
  run(run: FakeRun): void;
  ended(run: FakeRun): void;
}

/**
 * A stand-in for a workspace, in which a run copies rows from one list to another: the tests check how this server
 * starts, follows, stops and retries runs. The generated code is tested on Spark.
 */
export function databricks(): PlatformHarness {
  const jobs = jobRoutes();
  let workspace: FakeWorkspace | undefined;
  let newest: Transfer | undefined;
  jobs.hooks.begun = (run) => newest?.run(run);
  jobs.hooks.ended = (run) => newest?.ended(run);
  return {
    name: "databricks",
    capabilities: { ownScheduler: false, countsRows: false, ownProcess: false },
    async open(client) {
      workspace = await startFakeWorkspace(undefined, jobs.routes, objectRoutes().routes);
      const name = unique("lake");
      const configuration = { host: workspace.url, token: testToken };
      await client.createEnvironment({ body: { name, platform: "databricks", configuration } });
      const secret = { params: { scope: "shop", key: "api" }, body: { value: "s3cr3t" } };
      await client.putSecret({ ...secret, environment: name });
      return name;
    },
    async close() {
      await workspace?.close();
    },
    fire() {
      const job = [...jobs.jobs.values()].at(-1);
      if (job) jobs.begin(job, "PERIODIC");
    },
    async openFixture() {
      let source: readonly SourceRow[] = [];
      let target: SourceRow[] | undefined;
      let failure: string | undefined;
      let held: { readonly reached: () => void; readonly left: () => void; run?: FakeRun } | undefined;

      function finish(run: FakeRun): void {
        if (failure === undefined) target = [...source];
        jobs.end(run, failure === undefined ? "SUCCESS" : "RUN_EXECUTION_ERROR", failure);
      }
      newest = {
        run(run) {
          if (!held) return finish(run);
          // As a workspace does: one run of a job at a time.
          if (held.run) return void Object.assign(run, { state: "QUEUED" });
          held.run = run;
          held.reached();
        },
        ended(run) {
          if (held?.run === run) held.left();
        },
      };
      return {
        connector: {
          target_type: tickets.target_type,
          target_config: tickets.target_config,
          datasets: tickets.datasets,
        },
        put(rows) {
          source = rows;
        },
        read: async () => target,
        hold() {
          const reached = Promise.withResolvers<void>();
          const left = Promise.withResolvers<void>();
          held = { reached: reached.resolve, left: left.resolve };
          return {
            reached: reached.promise,
            left: left.promise,
            release() {
              const run = held?.run;
              held = undefined;
              if (run?.state === "RUNNING") finish(run);
              for (const waiting of jobs.runs.values()) if (waiting.state === "QUEUED") finish(waiting);
            },
          };
        },
        failReads(how) {
          failure = how === "retryable" ? "HTTP 503" : "HTTP 404";
          return new RegExp(failure);
        },
        restore() {
          failure = undefined;
        },
        async close() {
          newest = undefined;
        },
      };
    },
  };
}
