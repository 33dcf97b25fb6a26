/**
 * Many automations, pipelines and apps on one server while its processes are killed at random. SOAK_SECONDS sets the
 * duration, SOAK_SEED the kills, SOAK_AUTOMATIONS the size, and SOAK_BUSY_LOOPS the number of processes that use the
 * CPU at the same time; `npm run soak -- --minutes 5 --seed 1 --automations 200 --busy-loops 4` sets all four.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { startBusyLoops } from "./busy-loops.ts";
import { copyProblems, reportedTicks, storedTicks } from "./consistency.ts";
import { processesOf } from "./processes.ts";
import { runSoak, type SoakResult } from "./scenario.ts";
import { scheduledTimes, scheduleProblems } from "./schedule.ts";
import { automationName, secondOf } from "./workload.ts";

const automations = Number(process.env.SOAK_AUTOMATIONS ?? 200);
const workload = {
  automations,
  pipelines: Math.ceil(automations / 4),
  apps: Math.min(5, Math.ceil(automations / 20)),
};
/** An app that exits this often within ten minutes stays down until a user starts it. */
const exitLimit = 5;
const seconds = Number(process.env.SOAK_SECONDS ?? 60);
const seed = Number(process.env.SOAK_SEED ?? 20261115);
const busyLoops = Number(process.env.SOAK_BUSY_LOOPS ?? 0);

/**
 * On a busy machine, installing the workload and draining the queue take at least ten times as long as on an idle one.
 */
const timeout = seconds * 1000 + 600_000 + automations * 9_000;

suite(`${seconds} s of ${workload.automations} automations and ${workload.pipelines} pipelines beside ${busyLoops} busy loops, seed ${seed}`, {
  timeout: 2 * timeout,
}, () => {
  let soak: SoakResult;
  /** Ends the server, also after a timeout: otherwise it would keep this process alive forever. */
  let dispose = async () => {};
  /** By automation: the time at which its job was created, and its runs. */
  const runs = new Map<string, { readonly since: Date; readonly runs: Run[] }>();

  let endBusyLoops = async () => {};
  before(
    async () => {
      endBusyLoops = startBusyLoops(busyLoops);
      soak = await runSoak(workload, seconds, seed, (given) => {
        dispose = given;
      });
      const { client } = soak.server;
      const { jobs } = await client.listJobs({ query: { kind: "automation", limit: 1000 } });
      for (const { id, name, created_at } of jobs) {
        const found = await client.listRunsOfJob({ params: { job_id: id }, query: { limit: 1000 } });
        runs.set(name, { since: new Date(created_at), runs: found.runs });
      }
      const all = [...runs.values()].flatMap((job) => job.runs);
      const counts = Object.entries(Object.groupBy(all, ({ status }) => status));
      const kills = JSON.stringify({ ...soak.kills, apps: Object.fromEntries(soak.kills.apps) });
      console.log(
        `kills: ${kills}; runs: ${counts.map(([status, some]) => `${some.length} ${status}`).join(", ")}`,
      );
    },
    { timeout },
  );
  after(() => endBusyLoops());
  after(() => dispose());

  const ofEachAutomation = <T>(inspect: (name: string, n: number) => T[]): T[] =>
    Array.from({ length: workload.automations }, (_, n) => inspect(automationName(n), n)).flat();

  suite("runs", () => {
    test("each scheduled time has exactly one run, or one catch-up run that covers it", () => {
      const problems = ofEachAutomation((name, n) => {
        const job = runs.get(name);
        if (!job) return [`${name} has no job`];
        const times = scheduledTimes(secondOf(n), job.since, soak.until);
        return scheduleProblems(times, job.runs).map((problem) => `${name} ${problem}`);
      });
      assert.deepEqual(problems, []);
    });

    test("each run has succeeded or was skipped", () => {
      const problems = ofEachAutomation((name) =>
        (runs.get(name)?.runs ?? [])
          .filter(({ status }) => status !== "succeeded" && status !== "skipped")
          .map(({ id, status, error }) => `${name} ${id} ${status}: ${error}`),
      );
      assert.deepEqual(problems, []);
    });
  });

  suite("the records match the facts", () => {
    test("the warehouse has one row for each run that reports one, and no other", async () => {
      const reported = ofEachAutomation((name) => reportedTicks(name, runs.get(name)?.runs ?? []));
      assert.deepEqual(await storedTicks(soak.server.client), reported.sort());
    });

    test("each pipeline has copied each row of its stream once", async () => {
      assert.deepEqual(await copyProblems(soak.server.client, workload), []);
    });

    test("each app runs as one process, or has failed because it exited too often", async () => {
      const { apps } = await soak.server.client.listApps({});
      const found = processesOf(soak.dataDir).filter(({ kind }) => kind === "app");
      const problems = apps.flatMap(({ name, observed_state, message }) => {
        const processes = found.filter(({ app }) => app === name).length;
        const kills = soak.kills.apps.get(name) ?? 0;
        const isDown = observed_state === "failed" && kills >= exitLimit && processes === 0;
        const isUp = observed_state === "running" && processes === 1;
        return isUp || isDown
          ? []
          : [`${name}: ${observed_state}, ${processes} processes, ${kills} kills: ${message}`];
      });
      assert.deepEqual(problems, []);
      assert.equal(apps.length, workload.apps);
    });

    test("all scheduled jobs are paused", async () => {
      const { jobs } = await soak.server.client.listJobs({ query: { kind: "automation", limit: 1000 } });
      const active = jobs.filter(({ paused, definition }) => !paused && definition.trigger.kind === "cron");
      assert.deepEqual(
        active.map(({ name }) => name),
        [],
      );
    });

    test("the event log is intact", async () => {
      const { intact } = await soak.server.client.verifyEvents({});
      assert.equal(intact, true);
    });
  });

  test("stopping the server also ends its engine and its apps", async () => {
    await soak.server.stop();
    assert.deepEqual(processesOf(soak.dataDir), []);
  });
});
