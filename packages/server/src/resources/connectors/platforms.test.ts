import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformRequest } from "../../runtime/platforms/platform-request.ts";
import { refused } from "../../testing/refusal.ts";
import { refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { count } from "../../testing/store.ts";

const jobFor = ({ subject }: PlatformRequest): PlatformOutcome => ({
  done: true,
  reference: `job-${subject}`,
});
const overQuota = refusing("The quota is used up.");
const body = { name: "orders", target_type: "warehouse", target_config: null, created_by: "ada" };

for (const engine of engines) {
  suite(`connectors on a remote platform, ${engine}`, () => {
    async function given(t: TestContext) {
      const far = await startRemotePlatform("far", ["warehouse"]);
      far.reply = jobFor;
      let server = await startTestServer({ engine, platforms: [far.platform] });
      t.after(() => server.close());
      t.after(far.close);
      await server.client.createEnvironment({ body: { name: "away", platform: "far" } });
      const fixture = {
        far,
        get server() {
          return server;
        },
        create: (more: Partial<typeof body> = {}) =>
          server.client.createConnector({ body: { ...body, ...more }, environment: "away" }),
        async crash() {
          server = await server.crash();
        },
        pendingRequests: () => count(server.server.store, "outbox"),
        kindsOf: async (id: string) =>
          (await server.events(undefined, `connector/${id}`)).map(({ kind }) => kind),
      };
      return fixture;
    }

    test("the platform gets one request, and its job's id is the workflow_id", async (t) => {
      const { far, create, pendingRequests, kindsOf } = await given(t);
      const created = await create();
      assert.deepEqual([created.status, created.workflow_id], ["active", `job-connector/${created.id}`]);
      assert.deepEqual(
        far.requests.map(({ kind, subject }) => [kind, subject]),
        [["job.install", `connector/${created.id}`]],
      );
      assert.equal(await pendingRequests(), 0);
      assert.deepEqual(await kindsOf(created.id), ["connector.created", "connector.settled"]);
    });

    test("if the platform refuses or is unreachable, the connector is stored as failed", async (t) => {
      const { server, far, create, pendingRequests, kindsOf } = await given(t);
      for (const [name, reply, reason] of [
        ["refused", overQuota, "The quota is used up."],
        ["broken", "reset", "read ECONNRESET"],
      ] as const) {
        far.reply = () => reply;
        const created = await create({ name });
        assert.deepEqual(
          [created.status, created.error_message, created.workflow_id],
          ["failed", reason, null],
        );
        const params = { connector_id: created.id };
        assert.deepEqual(await server.client.getConnector({ params }), created);
        assert.equal(await pendingRequests(), 0);
        assert.deepEqual(await kindsOf(created.id), ["connector.created", "connector.failed"]);
        await refused(server.client.pauseConnector({ params }), 409, /failed cannot be paused/);
        // An update repeats the request to the platform, even if it changes nothing.
        far.reply = jobFor;
        const again = await server.client.updateConnector({ params, body: {} });
        assert.deepEqual([again.status, again.error_message], ["active", null]);
      }
    });

    test("the platform's response to a pause or resume is recorded", async (t) => {
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

    test("a job that the platform does not remove is recorded as an event", async (t) => {
      const { server, far, create, pendingRequests } = await given(t);
      const { id, name } = await create();
      far.reply = () => overQuota;
      await server.client.deleteConnector({ params: { connector_id: id } });
      assert.equal(far.requests.at(-1)?.kind, "job.remove");
      const events = await server.events(undefined, `connector/${id}`);
      const about = { name, environment_id: events[0]?.data.environment_id };
      const last = events.at(-1);
      assert.deepEqual(
        [last?.kind, last?.data],
        ["connector.failed", { ...about, asked: "job.remove", error_message: "The quota is used up." }],
      );
      assert.equal(await pendingRequests(), 0);
    });

    test("the platform gets no request for a target that it does not support", async (t) => {
      const { far, create } = await given(t);
      const created = await create({ target_type: "mysql" });
      assert.deepEqual(
        [created.status, created.error_message],
        ["created", 'The platform far does not run targets of type "mysql".'],
      );
      assert.deepEqual(far.requests, []);
    });

    test("a restart completes a request that a crash interrupted, with the same idempotency key, and records it once", async (t) => {
      const fixture = await given(t);
      const { received } = fixture.far.holdNext();
      const unanswered = fixture.create().catch((error) => error);
      await received;
      assert.equal(await fixture.pendingRequests(), 1);
      const [waiting] = (await fixture.server.client.listConnectors()).connectors;
      assert.deepEqual([waiting?.status, waiting?.workflow_id], ["created", null]);

      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pendingRequests()) === 0);
      assert.equal(fixture.far.requests.length, 2);
      assert.equal(
        fixture.far.requests[1]?.id,
        fixture.far.requests[0]?.id,
        "the idempotency key is the same",
      );
      const [connector] = (await fixture.server.client.listConnectors()).connectors;
      assert.deepEqual(
        [connector?.status, connector?.workflow_id],
        ["active", `job-connector/${waiting?.id}`],
      );
      assert.deepEqual(await fixture.kindsOf(String(waiting?.id)), [
        "connector.created",
        "connector.settled",
      ]);
      await fixture.crash();
      assert.equal(fixture.far.requests.length, 2, "a completed request is not repeated");
    });

    test("a restart also completes an interrupted deletion", async (t) => {
      const fixture = await given(t);
      const { id } = await fixture.create();
      const { received } = fixture.far.holdNext();
      const unanswered = fixture.server.client
        .deleteConnector({ params: { connector_id: id } })
        .catch((error) => error);
      await received;
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pendingRequests()) === 0);
      assert.deepEqual(
        fixture.far.requests.map(({ kind }) => kind),
        ["job.install", "job.remove", "job.remove"],
      );
      assert.equal((await fixture.server.client.listConnectors()).total, 0);
    });

    test("Idempotency-Key stores the response from after the platform's outcome", async (t) => {
      const { server, far } = await given(t);
      const call = { body, environment: "away", idempotencyKey: "k" };
      const first = await server.client.createConnector(call);
      assert.equal(first.status, "active");
      assert.deepEqual(await server.client.createConnector(call), first);
      assert.equal(far.requests.length, 1);
    });
  });
}
