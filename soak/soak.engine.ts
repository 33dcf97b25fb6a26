/**
 * Many automations, pipelines and apps on one server, and kills of all kinds of its processes. SOAK_SECONDS and SOAK_SEED choose
 * how long and which kills; `npm run soak -- --minutes 5 --seed 1` sets them.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { allTicks, ticksOf, wrongCopies } from "./agreement.ts";
import { automationName, secondOf } from "./load.ts";
import { processesOf } from "./processes.ts";
import { slotProblems, slotsBetween } from "./slots.ts";
import { type Soaked, soak } from "./soaked.ts";

const load = { automations: 200, pipelines: 50, apps: 5 };
/** So often an app may end within ten minutes; then it rests until somebody starts it. */
const endsAllowed = 5;
const seconds = Number(process.env.SOAK_SECONDS ?? 60);
const seed = Number(process.env.SOAK_SEED ?? 20261115);

suite(`${seconds} s of ${load.automations} automations and ${load.pipelines} pipelines, seed ${seed}`, () => {
  let soaked: Soaked;
  /** By automation, with when its job was made. */
  const runs = new Map<string, { readonly since: Date; readonly runs: Run[] }>();

  before(async () => {
    soaked = await soak(load, seconds, seed);
    const { client } = soaked.lakehelm;
    const { jobs } = await client.listJobs({ query: { kind: "automation", limit: 1000 } });
    for (const { id, name, created_at } of jobs) {
      const found = await client.listRunsOfJob({ params: { job_id: id }, query: { limit: 1000 } });
      runs.set(name, { since: new Date(created_at), runs: found.runs });
    }
    const all = [...runs.values()].flatMap((one) => one.runs);
    const counts = Object.entries(Object.groupBy(all, ({ status }) => status));
    console.log(
      `killed: ${JSON.stringify({ ...soaked.faults, apps: Object.fromEntries(soaked.faults.apps) })}; runs: ${counts.map(([status, some]) => `${some.length} ${status}`).join(", ")}`,
    );
  });
  after(() => soaked?.remove());

  const ofEach = <T>(look: (name: string, n: number) => T[]): T[] =>
    Array.from({ length: load.automations }, (_, n) => look(automationName(n), n)).flat();

  suite("every due slot has exactly one run or is reported as missed", () => {
    test("by the runs of each automation", () => {
      const problems = ofEach((name, n) => {
        const job = runs.get(name);
        if (!job) return [`${name} has no job`];
        const slots = slotsBetween(secondOf(n), job.since, soaked.until);
        return slotProblems(slots, job.runs).map((problem) => `${name} ${problem}`);
      });
      assert.deepEqual(problems, []);
    });

    test("and every run has ended, none of them lost", () => {
      const problems = ofEach((name) =>
        (runs.get(name)?.runs ?? [])
          .filter(({ status }) => status !== "succeeded" && status !== "skipped")
          .map(({ id, status, error }) => `${name} ${id} ${status}: ${error}`),
      );
      assert.deepEqual(problems, []);
    });
  });

  suite("no record disagrees with what runs", () => {
    test("a run has written its row if it says so, once", async () => {
      const told = ofEach((name) => ticksOf(name, runs.get(name)?.runs ?? []));
      assert.deepEqual(await allTicks(soaked.lakehelm.client), told.sort());
    });

    test("pipelines have taken every row of their streams, once", async () => {
      assert.deepEqual(await wrongCopies(soaked.lakehelm.client, load), []);
    });

    test("each app runs as one process, or rests because it has ended too often", async () => {
      const { apps } = await soaked.lakehelm.client.listApps({});
      const found = processesOf(soaked.dataDir).filter(({ kind }) => kind === "app");
      const problems = apps.flatMap(({ name, observed_state, message }) => {
        const processes = found.filter(({ app }) => app === name).length;
        const kills = soaked.faults.apps.get(name) ?? 0;
        const rests = observed_state === "failed" && kills >= endsAllowed && processes === 0;
        const runs = observed_state === "running" && processes === 1;
        return runs || rests
          ? []
          : [`${name}: ${observed_state}, ${processes} processes, ${kills} kills: ${message}`];
      });
      assert.deepEqual(problems, []);
      assert.equal(apps.length, load.apps);
    });

    test("schedules and jobs agree that all are paused", async () => {
      const { jobs } = await soaked.lakehelm.client.listJobs({ query: { kind: "automation", limit: 1000 } });
      const awake = jobs.filter(({ paused, definition }) => !paused && definition.trigger.kind === "cron");
      assert.deepEqual(
        awake.map(({ name }) => name),
        [],
      );
    });

    test("the event log is whole", async () => {
      const { intact } = await soaked.lakehelm.client.verifyEvents({});
      assert.equal(intact, true);
    });
  });

  suite("no process is left over", () => {
    test("a server that is stopped takes its engine and its apps with it", async () => {
      await soaked.lakehelm.stop();
      assert.deepEqual(processesOf(soaked.dataDir), []);
    });
  });
});
