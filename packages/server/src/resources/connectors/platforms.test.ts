import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { Intent, Outcome } from "../../runtime/platforms/platform.ts";
import { refused } from "../../testing/refusal.ts";
import { refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { count } from "../../testing/store.ts";

const jobFor = ({ subject }: Intent): Outcome => ({ done: true, reference: `job-${subject}` });
const overQuota = refusing("The quota is used up.");
const body = { name: "orders", target_type: "warehouse", target_config: null, created_by: "ada" };

for (const engine of engines) {
  suite(`connectors on another platform, ${engine}`, () => {
    async function given(t: TestContext) {
      const far = await startRemotePlatform("far", ["warehouse"]);
      far.reply = jobFor;
      let server = await startTestServer({ engine, platforms: [far.platform] });
      t.after(() => server.close());
      t.after(far.close);
      await server.client.createEnvironment({ body: { name: "away", platform: "far" } });
      const house = {
        far,
        get server() {
          return server;
        },
        create: (more: Partial<typeof body> = {}) =>
          server.client.createConnector({ body: { ...body, ...more }, environment: "away" }),
        async crash() {
          server = await server.crash();
        },
        intents: () => count(server.server.store, "outbox"),
        kindsOf: async (id: string) =>
          (await server.events(undefined, `connector/${id}`)).map(({ kind }) => kind),
      };
      return house;
    }

    test("the platform is asked once, and its job's id is the workflow_id", async (t) => {
      const { far, create, intents, kindsOf } = await given(t);
      const made = await create();
      assert.deepEqual([made.status, made.workflow_id], ["active", `job-connector/${made.id}`]);
      assert.deepEqual(
        far.requests.map(({ kind, subject }) => [kind, subject]),
        [["job.install", `connector/${made.id}`]],
      );
      assert.equal(await intents(), 0);
      assert.deepEqual(await kindsOf(made.id), ["connector.created", "connector.settled"]);
    });

    test("a platform that refuses, or cannot be reached, leaves the connector failed, never lost", async (t) => {
      const { server, far, create, intents, kindsOf } = await given(t);
      for (const [name, reply, reason] of [
        ["refused", overQuota, "The quota is used up."],
        ["broken", "reset", "read ECONNRESET"],
      ] as const) {
        far.reply = () => reply;
        const made = await create({ name });
        assert.deepEqual([made.status, made.error_message, made.workflow_id], ["failed", reason, null]);
        const params = { connector_id: made.id };
        assert.deepEqual(await server.client.getConnector({ params }), made);
        assert.equal(await intents(), 0);
        assert.deepEqual(await kindsOf(made.id), ["connector.created", "connector.failed"]);
        await refused(server.client.pauseConnector({ params }), 409, /failed cannot be paused/);
        // An update repeats the request to the platform, even if it changes nothing.
        far.reply = jobFor;
        const again = await server.client.updateConnector({ params, body: {} });
        assert.deepEqual([again.status, again.error_message], ["active", null]);
      }
    });

    test("what the platform says to a pause or a resume is recorded", async (t) => {
      const { server, far, create } = await given(t);
      const { id } = await create();
      const params = { connector_id: id };
      assert.equal((await server.client.pauseConnector({ params })).status, "paused");
      assert.equal((await server.client.resumeConnector({ params })).status, "active");
      assert.deepEqual(
        far.requests.map(({ kind }) => kind),
        ["job.install", "job.pause", "job.resume"],
      );
      far.reply = () => overQuota;
      const failed = await server.client.pauseConnector({ params });
      assert.deepEqual([failed.status, failed.error_message], ["failed", "The quota is used up."]);
    });

    test("a job that the platform does not take away is told by an event", async (t) => {
      const { server, far, create, intents } = await given(t);
      const { id } = await create();
      far.reply = () => overQuota;
      await server.client.deleteConnector({ params: { connector_id: id } });
      assert.equal(far.requests.at(-1)?.kind, "job.remove");
      const last = (await server.events(undefined, `connector/${id}`)).at(-1);
      assert.deepEqual(
        [last?.kind, last?.data],
        ["connector.failed", { asked: "job.remove", error_message: "The quota is used up." }],
      );
      assert.equal(await intents(), 0);
    });

    test("a target that it does not run is not asked of it", async (t) => {
      const { far, create } = await given(t);
      const made = await create({ target_type: "mysql" });
      assert.deepEqual(
        [made.status, made.error_message],
        ["created", 'The platform far does not run targets of type "mysql".'],
      );
      assert.deepEqual(far.requests, []);
    });

    test("a restart finishes what a crash interrupted, with the same key, and records it once", async (t) => {
      const house = await given(t);
      const { received } = house.far.holdNext();
      const unanswered = house.create().catch((error) => error);
      await received;
      assert.equal(await house.intents(), 1);
      const [waiting] = (await house.server.client.listConnectors()).connectors;
      assert.deepEqual([waiting?.status, waiting?.workflow_id], ["created", null]);

      await house.crash();
      await unanswered;
      await until(async () => (await house.intents()) === 0);
      assert.equal(house.far.requests.length, 2);
      assert.equal(house.far.requests[1]?.id, house.far.requests[0]?.id, "the idempotency key is the same");
      const [settled] = (await house.server.client.listConnectors()).connectors;
      assert.deepEqual([settled?.status, settled?.workflow_id], ["active", `job-connector/${waiting?.id}`]);
      assert.deepEqual(await house.kindsOf(String(waiting?.id)), ["connector.created", "connector.settled"]);
      await house.crash();
      assert.equal(house.far.requests.length, 2, "what is finished is not done again");
    });

    test("a deletion that a crash interrupted is finished as well", async (t) => {
      const house = await given(t);
      const { id } = await house.create();
      const { received } = house.far.holdNext();
      const unanswered = house.server.client
        .deleteConnector({ params: { connector_id: id } })
        .catch((error) => error);
      await received;
      await house.crash();
      await unanswered;
      await until(async () => (await house.intents()) === 0);
      assert.deepEqual(
        house.far.requests.map(({ kind }) => kind),
        ["job.install", "job.remove", "job.remove"],
      );
      assert.equal((await house.server.client.listConnectors()).total, 0);
    });

    test("Idempotency-Key keeps the answer after the platform's, not the one before", async (t) => {
      const { server, far } = await given(t);
      const call = { body, environment: "away", idempotencyKey: "k" };
      const first = await server.client.createConnector(call);
      assert.equal(first.status, "active");
      assert.deepEqual(await server.client.createConnector(call), first);
      assert.equal(far.requests.length, 1);
    });
  });
}
