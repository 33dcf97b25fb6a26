import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import { refused } from "../../testing/refusal.ts";
import { type RemotePlatform, refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { validDesign } from "./test-designs.ts";

const yes: PlatformOutcome = { done: true, reference: "job-7" };
const no = refusing("no capacity");

for (const engine of engines) {
  suite(`automations on a remote platform, on ${engine}`, () => {
    let elsewhere: RemotePlatform;
    let server: TestServer;
    before(async () => {
      elsewhere = await startRemotePlatform("elsewhere");
      server = await startTestServer({ engine, platforms: [elsewhere.platform] });
    });
    after(async () => {
      await server.close();
      await elsewhere.close();
    });

    async function farAway() {
      elsewhere.reply = () => yes;
      const { client } = server;
      const [alias, far] = [unique("orders-daily"), unique("far")];
      await client.createEnvironment({ body: { name: far, platform: "elsewhere" } });
      const { id } = await client.createAutomation({ body: { alias, definition: validDesign } });
      const params = { automation_alias: alias };
      const inFar = { ...params, environment: far };
      return {
        client,
        alias,
        far,
        inFar,
        subject: `automation/${id}`,
        sync: (version?: string) =>
          client.syncAutomationRelease({ body: { ...inFar, ...(version && { metadata: { version } }) } }),
        setSchedule: (action: "pause" | "resume", body = {}) =>
          client.setSchedule({ params: { ...params, action }, body }),
        releases: async () => (await server.client.listReleases({ params })).releases,
        scheduleNow: async () => (await client.getAutomation({ params })).schedules[0],
        deployments: async () => (await client.listDeployments({ environment: far })).total,
      };
    }
    const pending = async () => (await server.rows()).outbox;

    test("the response contains the job id of a platform that answers after the transaction", async () => {
      const { sync, releases } = await farAway();
      const { release } = await sync();
      assert.equal(release?.workflow_id, "job-7");
      assert.deepEqual(await releases(), [release]);
      assert.deepEqual(await pending(), []);
    });

    test("a refused job is 409, leaves the release without a workflow, and can be retried", async () => {
      const { far, subject, sync, releases, deployments } = await farAway();
      elsewhere.reply = () => no;
      const why = new RegExp(`registered in ${far} without its job; .* elsewhere refused it: no capacity`);
      await refused(sync(), 409, why);
      const [failed] = await releases();
      assert.deepEqual([failed?.workflow_id, failed?.error_message], [null, "no capacity"]);
      const [event] = await server.events("automation.job_refused", subject);
      assert.match(JSON.stringify(event?.data), /no capacity/);

      elsewhere.reply = () => yes;
      const again = await sync();
      const { error_message: _, ...rest } = failed ?? {};
      assert.deepEqual(again.release, { ...rest, workflow_id: "job-7" });
      assert.equal(again.deployment, null);
      assert.equal(await deployments(), 1);
      const before = await server.rows();
      await sync();
      assert.deepEqual(await server.rows(), before);
    });

    test("a refused job removal is 409, and the release stays", async () => {
      const { client, far, inFar, sync, releases } = await farAway();
      const { release } = await sync();
      const remove = () => client.syncAutomationRelease({ body: { ...inFar, action: "delete" } });
      elsewhere.reply = () => no;
      await refused(remove(), 409, new RegExp(`still current in ${far}.* no capacity`));
      assert.deepEqual(await releases(), [release]);
      elsewhere.reply = () => yes;
      assert.equal((await remove()).success, true);
      assert.deepEqual(await releases(), []);
      assert.deepEqual(await pending(), []);
    });

    test("a refused pause or resume is 409, and the pause does not change", async () => {
      const { alias, far, sync, setSchedule, scheduleNow } = await farAway();
      await sync();
      elsewhere.reply = () => no;
      await refused(setSchedule("pause"), 409, new RegExp(`refused to pause ${alias} in ${far}`));
      assert.equal((await scheduleNow())?.state, "active");
      elsewhere.reply = () => yes;
      const [paused] = (await setSchedule("pause", { reason: "why not" })).schedules;
      elsewhere.reply = () => no;
      await refused(setSchedule("resume"), 409, /refused to resume/);
      assert.deepEqual(await scheduleNow(), paused);
      assert.deepEqual(await pending(), []);
    });

    test("an outcome that a crash interrupted is recorded after the restart", async () => {
      const { sync, releases } = await farAway();
      const { received } = elsewhere.holdNext();
      const lost = assert.rejects(sync());
      await received;
      const [release] = await releases();
      assert.equal(release?.workflow_id, null);
      server = await server.crash();
      await lost;
      assert.deepEqual(await releases(), [{ ...release, workflow_id: "job-7" }]);
      assert.deepEqual(await pending(), []);
    });

    test("an outcome for a replaced release changes nothing", async () => {
      const { sync, releases } = await farAway();
      const slow = elsewhere.holdNext();
      const first = sync("1");
      await slow.received;
      const second = await sync("2");
      slow.reply({ done: true, reference: "job-of-the-first" });
      await first;
      assert.deepEqual(await releases(), [second.release]);
      assert.deepEqual(await pending(), []);
    });
  });
}
