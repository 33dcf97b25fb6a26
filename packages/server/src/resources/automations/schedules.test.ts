import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { done, type RemotePlatform, refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { run } from "../../testing/store.ts";
import { validDesign } from "./test-designs.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const hour = 3_600_000;

for (const engine of engines) {
  suite(`schedules on ${engine}`, () => {
    let elsewhere: RemotePlatform;
    let time = noon;
    let server: TestServer;
    before(async () => {
      elsewhere = await startRemotePlatform("elsewhere");
      server = await startTestServer({ engine, platforms: [elsewhere.platform], now: () => new Date(time) });
    });
    after(async () => {
      await server.close();
      await elsewhere.close();
    });

    /** An automation with a schedule, current in one environment for each platform named. */
    async function released(...platforms: string[]) {
      time = noon;
      elsewhere.reply = () => done;
      const { client } = server;
      const alias = unique("orders-daily");
      const params = { automation_alias: alias };
      const { id } = await client.createAutomation({ body: { alias, definition: validDesign } });
      const environments: { id: string; name: string }[] = [];
      for (const platform of platforms) {
        const environment = await client.createEnvironment({ body: { name: unique("prod"), platform } });
        await client.syncAutomationRelease({ body: { ...params, environment: environment.id } });
        environments.push(environment);
      }
      const [environment = { id: "", name: "" }] = environments;
      const set =
        (action: "pause" | "resume") =>
        (body: Record<string, unknown> = {}, environment?: string) =>
          client.setSchedule({ params: { ...params, action }, body, ...(environment && { environment }) });
      return {
        client,
        alias,
        params,
        environments,
        environment,
        subject: `automation/${id}`,
        pause: set("pause"),
        resume: set("resume"),
        release: (version: string) =>
          client.syncAutomationRelease({
            body: { ...params, environment: environment.id, metadata: { version } },
          }),
        schedules: async () => (await client.getAutomation({ params })).schedules,
        job: async () => (await client.listJobs({ environment: environment.id })).jobs[0],
      };
    }

    test("#20 stores a pause separately from the declared schedule, with actor, time, reason and end", async () => {
      const { alias, environment, subject, pause, resume, schedules, job } = await released("embedded");
      const paused = await pause({ reason: "stock-taking", until: "2026-03-02T06:00:00+01:00" });
      assert.equal(paused.message, `${alias} is paused in ${environment.name}.`);
      const [state] = paused.schedules;
      assert.equal(state?.state, "paused");
      assert.deepEqual(state?.schedule, validDesign.schedule);
      assert.deepEqual(state?.override, {
        paused: true,
        by: "internal-service",
        at: "2026-03-01T12:00:00.000Z",
        reason: "stock-taking",
        until: "2026-03-02T05:00:00.000Z",
      });
      assert.deepEqual(await schedules(), paused.schedules);
      assert.deepEqual((await job())?.paused, {
        by: "internal-service",
        at: "2026-03-01T12:00:00.000Z",
        reason: "stock-taking",
        until: "2026-03-02T05:00:00.000Z",
        missed: 0,
        last_missed: null,
      });
      const resumed = await resume();
      assert.deepEqual([resumed.schedules[0]?.state, resumed.schedules[0]?.override], ["active", null]);
      assert.equal((await job())?.paused, null);
      assert.equal((await server.events("automation.schedule_paused", subject)).length, 1);
      assert.equal((await server.events("automation.schedule_resumed", subject)).length, 1);
    });

    test("#20 accepts no body or an empty one; invalid values of known keys are 409", async () => {
      const { alias, schedules } = await released("embedded");
      const post = (body?: string) =>
        server.fetch(`/api/automations/${alias}/schedule/pause`, {
          method: "POST",
          ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
        });
      for (const wrong of [
        { reason: 5 },
        { until: 5 },
        { until: "tomorrow" },
        { until: "2026-03-05" },
        { until: "2026-13-45T00:00:00Z" },
        { until: "2026-03-01T12:00:00Z" },
      ]) {
        assert.equal((await post(JSON.stringify(wrong))).status, 409, JSON.stringify(wrong));
      }
      assert.equal((await schedules())[0]?.state, "active");
      assert.equal((await post()).status, 200);
      assert.equal((await post("{}")).status, 200);
    });

    test("#20: pausing a paused schedule or resuming an active one succeeds and changes nothing", async () => {
      const { pause, resume } = await released("embedded");
      const unpaused = await server.rows();
      assert.equal((await resume()).success, true);
      assert.deepEqual(await server.rows(), unpaused);
      const first = await pause({ reason: "one" });
      const paused = await server.rows();
      assert.deepEqual(await pause(), first);
      assert.deepEqual(await pause({ reason: "one" }), first);
      assert.deepEqual(await server.rows(), paused);
    });

    test("#20: a second pause with a reason or an end replaces the first, also on the job", async () => {
      const { pause, resume, schedules, subject, job } = await released("embedded");
      await pause({ reason: "one", until: "2026-03-02T12:00:00Z" });
      time = noon + hour;
      const second = await pause({ reason: "two", until: "2026-03-03T12:00:00Z" });
      const expected = {
        by: "internal-service",
        at: "2026-03-01T13:00:00.000Z",
        reason: "two",
        until: "2026-03-03T12:00:00.000Z",
      };
      assert.deepEqual(second.schedules[0]?.override, { paused: true, ...expected });
      assert.deepEqual(await schedules(), second.schedules);
      assert.deepEqual((await job())?.paused, { ...expected, missed: 0, last_missed: null });
      const events = await server.events("automation.schedule_paused", subject);
      assert.deepEqual(
        events.map(({ data }) => data.reason),
        ["one", "two"],
      );
      await resume();
      assert.equal((await job())?.paused, null);
    });

    test("#20: the first pause stays if the platform refuses the second", async () => {
      const { pause, schedules } = await released("elsewhere");
      const first = await pause({ reason: "one" });
      time = noon + hour;
      elsewhere.reply = () => refusing("maintenance");
      await refused(pause({ reason: "two" }), 409, /refused to pause .* maintenance/);
      assert.deepEqual(await schedules(), first.schedules);
    });

    test("#20 acts in the environment of X-Environment-Id, or without it in all that have a release", async () => {
      const { alias, environments, pause, schedules } = await released("embedded", "embedded");
      const [dev, prod] = environments.map(({ name }) => name);
      const states = async () => (await schedules()).map(({ environment, state }) => [environment, state]);
      const one = await pause({}, prod);
      assert.equal(one.schedules.length, 1);
      assert.deepEqual(await states(), [
        [dev, "active"],
        [prod, "paused"],
      ]);
      const both = await pause();
      assert.equal(both.message, `${alias} is paused in ${dev}, ${prod}.`);
      assert.deepEqual(await states(), [
        [dev, "paused"],
        [prod, "paused"],
      ]);
    });

    test("#20: unknown automation or environment 404, no current release there 409, inactive 409", async () => {
      const { client, params, pause } = await released();
      const nobody = { params: { automation_alias: "nobody", action: "pause" } } as const;
      await refused(client.setSchedule(nobody), 404, /no automation "nobody"/);
      await refused(pause(), 409, /no current release in any/);
      await refused(pause({}, "local"), 409, /in local/);
      await refused(pause({}, "x"), 404, /no environment "x"/);
      const dev = unique("dev");
      await client.createEnvironment({ body: { name: dev } });
      await client.syncAutomationRelease({ body: { ...params, environment: dev } });
      await client.updateEnvironment({ params: { environment_id: dev }, body: { isActive: false } });
      await refused(pause({}, dev), 409, /not active/);
      await refused(pause(), 409, /in any active environment/);
    });

    test("#20: any other action is 422", async () => {
      const { alias } = await released("embedded");
      const post = await server.fetch(`/api/automations/${alias}/schedule/stop`, { method: "POST" });
      assert.equal(post.status, 422);
    });

    test("a pause survives a new release, whose job is installed as paused", async () => {
      const { pause, release, schedules, job } = await released("embedded");
      const before = await pause({ reason: "stock-taking" });
      await release("2");
      assert.deepEqual(await schedules(), before.schedules);
      assert.equal((await job())?.paused?.reason, "stock-taking");
    });

    test("a pause survives a concurrent new release", async () => {
      const { pause, resume, release, schedules, job } = await released("embedded");
      for (const version of ["2", "3", "4", "5"]) {
        await Promise.all([pause(), release(version)]);
        assert.equal((await schedules())[0]?.state, "paused");
        assert.ok((await job())?.paused);
        await resume();
        assert.equal((await job())?.paused, null);
      }
    });

    test("two concurrent pauses succeed, and one is recorded", async () => {
      const { pause, subject } = await released("embedded");
      await Promise.all([pause(), pause(), pause()]);
      assert.equal((await server.events("automation.schedule_paused", subject)).length, 1);
    });

    test("an automation without a schedule is unscheduled; pausing it records the actor", async () => {
      const { client } = await released();
      const automation_alias = unique("bare");
      await client.syncAutomationRelease({ body: { automation_alias, environment: "local" } });
      const { schedules } = await client.setSchedule({ params: { automation_alias, action: "pause" } });
      assert.equal(schedules[0]?.state, "unscheduled");
      assert.equal(schedules[0]?.override?.by, "internal-service");
    });

    test("the schedule state shows a problem of the job's trigger", async () => {
      const { environment, schedules } = await released("embedded");
      const problem = "The folder /in cannot be read: it does not exist.";
      const { store } = server.server;
      await run(store, `update jobs set problem = '${problem}' where environment_id = '${environment.id}'`);
      assert.deepEqual(
        (await schedules()).map((state) => state.problem),
        [problem],
      );
    });

    test("a pause ends at its `until`; a pause without an end continues", async () => {
      const { environments, subject, pause, schedules, job } = await released("embedded", "embedded");
      await pause({ until: "2026-03-01T13:00:00Z" }, environments[0]?.id);
      await pause({}, environments[1]?.id);
      const states = async () => (await schedules()).map(({ state }) => state);
      const resumed = () => server.events("automation.schedule_resumed", subject);
      time = noon + hour - 1;
      await server.server.tick();
      assert.deepEqual(await states(), ["paused", "paused"]);
      assert.deepEqual(await resumed(), []);
      time = noon + hour;
      await server.server.tick();
      await server.server.tick();
      assert.deepEqual(await states(), ["active", "paused"]);
      assert.equal((await job())?.paused, null);
      // Written by the job scheduler or by the server's periodic work, whichever is first.
      const [event, ...others] = await resumed();
      assert.ok(["lakehelm", "scheduler"].includes(event?.actor ?? ""));
      assert.deepEqual(others, []);
    });

    test("if the platform refuses to resume, the pause continues and is ended later", async () => {
      const { pause, schedules } = await released("elsewhere");
      await pause({ until: "2026-03-01T13:00:00Z" });
      time = noon + 2 * hour;
      elsewhere.reply = () => refusing("maintenance");
      await server.server.tick();
      assert.equal((await schedules())[0]?.state, "paused");
      elsewhere.reply = () => done;
      await server.server.tick();
      assert.equal((await schedules())[0]?.state, "active");
    });
  });
}
