import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { EndpointBody, endpoints } from "@lakehelm/contract";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";

type Finish = EndpointBody<typeof endpoints.finishDeployment>;
const finals = ["succeeded", "failed", "cancelled"] as const;

for (const engine of engines) {
  suite(`deployments on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    /** A pending deployment in an environment of its own. */
    async function given(body: { targetGitBranch?: string } = {}) {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("staging"), ...body },
      });
      const { id } = await client.createDeployment({ body: {}, environment });
      const params = { deployment_id: id };
      return {
        client,
        environment,
        params,
        start: () => client.startDeployment({ params }),
        finish: (body: Finish) => client.finishDeployment({ params, body }),
        append: (log_chunk: string) => client.appendDeploymentLog({ params, body: { log_chunk } }),
        log: async () => (await client.getDeploymentLog({ params })).log,
        kinds: async () => (await server.events(undefined, `deployment/${id}`)).map(({ kind }) => kind),
      };
    }

    test("a deployment is created as pending, on the environment's target branch unless it names one", async () => {
      const { client, environment } = await given({ targetGitBranch: "release" });
      const local = await client.getEnvironment({ params: { environment_id: "local" } });
      const bare = await client.createDeployment({ body: {} });
      assert.deepEqual(bare, {
        id: bare.id,
        deployment_name: null,
        environment_id: local.id,
        git_branch: "",
        git_commit_sha: "",
        status: "pending",
        job_run_id: null,
        created_at: bare.created_at,
        started_at: null,
        completed_at: null,
        initiated_by: "internal-service",
        error_message: null,
      });
      assert.equal((await client.createDeployment({ body: {}, environment })).git_branch, "release");
      const explicit = await client.createDeployment({ body: { git_branch: "fix" }, environment });
      assert.equal(explicit.git_branch, "fix");
      assert.deepEqual(await client.getDeployment({ params: { deployment_id: explicit.id } }), explicit);
      const there = await client.listDeployments({ environment });
      assert.equal(there.total, 3);
      assert.deepEqual(there.deployments.at(-1), explicit);
      const { deployments, total } = await client.listDeployments({ query: { limit: 1000 } });
      assert.equal(deployments.length, total);
      assert.ok(deployments.some(({ id }) => id === bare.id));
    });

    test("start: pending becomes running, started_at is set once, and a second start changes nothing", async () => {
      const { client, params, start, finish, kinds } = await given();
      const running = await client.withResponse.startDeployment({ params });
      assert.equal(running.body.status, "running");
      assert.ok(running.body.started_at);
      const before = await server.rows();
      assert.deepEqual((await client.withResponse.startDeployment({ params })).etag, running.etag);
      assert.deepEqual(await server.rows(), before);
      assert.deepEqual(await kinds(), ["deployment.created", "deployment.started"]);
      await finish({ status: "failed" });
      await refused(start(), 409);
    });

    test("#16 stores the requested final status, from pending and from running", async () => {
      for (const status of finals) {
        const pending = await given();
        const ended = await pending.finish({ status, error_message: `why ${status}` });
        assert.deepEqual(
          [ended.status, ended.started_at, ended.error_message],
          [status, null, `why ${status}`],
        );
        assert.ok(ended.completed_at);
        assert.deepEqual(await pending.client.getDeployment({ params: pending.params }), ended);

        const running = await given();
        const { started_at } = await running.start();
        const after = await running.finish({ status });
        assert.deepEqual([after.status, after.started_at], [status, started_at]);
      }
    });

    test("#16 repeated with the same final status is 200 and changes nothing, not even the log", async () => {
      const { client, params, finish, log } = await given();
      await finish({ status: "failed", error_message: "first", log_chunk: "one\n" });
      const before = await client.withResponse.getDeployment({ params });
      const rows = await server.rows();
      const body = { status: "failed" as const, error_message: "second", log_chunk: "two\n" };
      const again = await client.withResponse.finishDeployment({ params, body });
      assert.deepEqual([again.body, again.etag], [before.body, before.etag]);
      assert.equal(await log(), "one\n");
      assert.deepEqual(await server.rows(), rows);
    });

    test("#16 with another final status is 409, and changes nothing", async () => {
      const { finish, log } = await given();
      await finish({ status: "succeeded" });
      const before = await server.rows();
      for (const status of ["failed", "cancelled"] as const) {
        await refused(finish({ status, log_chunk: "late" }), 409, /has succeeded/);
      }
      assert.equal(await log(), "");
      assert.deepEqual(await server.rows(), before);
    });

    test("#16 of an unknown deployment is 404, and of an unknown status 422", async () => {
      const { client, finish } = await given();
      const nowhere = { deployment_id: "nowhere" };
      await refused(client.finishDeployment({ params: nowhere, body: { status: "failed" } }), 404);
      await refused(finish({ status: "running" as "failed" }), 422);
    });

    test("of concurrent finishes, those with the first status succeed and the others are 409", async () => {
      const { client, params, finish, log, kinds } = await given();
      const ended = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          finish({ status: n % 2 ? "failed" : "succeeded", log_chunk: "x" }),
        ),
      );
      const { status } = await client.getDeployment({ params });
      for (const [n, one] of ended.entries()) {
        const expected = n % 2 ? "failed" : "succeeded";
        if (expected === status) assert.equal(one.status, "fulfilled");
        else assert.equal(one.status === "rejected" && one.reason.status, 409);
      }
      assert.equal(await log(), "x");
      assert.deepEqual(await kinds(), ["deployment.created", "deployment.finished"]);
    });

    test("log chunks are kept in order with any content, the chunk of #16 last", async () => {
      const { append, finish, log, kinds } = await given();
      for (const chunk of ["a\0\n", "", "ü\ud83d\ude00 ", '"\\']) await append(chunk);
      await finish({ status: "succeeded", log_chunk: "end" });
      assert.equal(await log(), 'a\0\nü\ud83d\ude00 "\\end');
      await refused(append("late"), 409);
      assert.equal((await kinds()).filter((kind) => kind === "deployment.logged").length, 3);
    });

    test("concurrent chunks are all kept, once each", async () => {
      const { append, log } = await given();
      const chunks = Array.from({ length: 40 }, (_, n) => `${n};`);
      await Promise.all(chunks.map(append));
      assert.deepEqual((await log()).match(/\d+;/g)?.sort(), chunks.sort());
    });

    test("Idempotency-Key: concurrent requests create one deployment and get the same response", async () => {
      const { client, environment } = await given();
      const call = { body: {}, environment, idempotencyKey: environment };
      const created = await Promise.all([1, 2, 3, 4].map(() => client.createDeployment(call)));
      for (const one of created) assert.deepEqual(one, created[0]);
      assert.equal((await client.listDeployments({ environment })).total, 2);
    });

    test("an environment whose deployments are all finished can be deleted, and they stay listed", async () => {
      const { client, environment, params, start, finish, log } = await given();
      const remove = () => client.deleteEnvironment({ params: { environment_id: environment } });
      await refused(remove(), 409, /still has resources/);
      await start();
      await refused(remove(), 409, /still has resources/);
      const ended = await finish({ status: "failed", log_chunk: "the end" });
      const { total } = await client.listDeployments();
      await remove();
      assert.deepEqual(await client.getDeployment({ params }), ended);
      assert.equal(await log(), "the end");
      const after = await client.listDeployments({ query: { limit: 1000 } });
      assert.equal(after.total, total);
      assert.deepEqual(
        after.deployments.filter(({ id }) => id === ended.id),
        [ended],
      );
      // A final status stays final, without an environment to summarize.
      assert.deepEqual(await finish({ status: "failed" }), ended);
      await refused(finish({ status: "succeeded" }), 409);
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("creating or finishing a deployment during the deletion of its environment causes no 500 and no partial change", async () => {
      for (let n = 0; n < 5; n++) {
        const { client, environment, params, finish } = await given();
        const [finished, created, removed] = await Promise.allSettled([
          finish({ status: "succeeded" }),
          client.createDeployment({ body: {}, environment }),
          client.deleteEnvironment({ params: { environment_id: environment } }),
        ]);
        assert.equal(finished.status, "fulfilled");
        if (removed.status === "rejected") assert.equal(removed.reason.status, 409);
        else assert.equal(created.status === "rejected" && created.reason.status, 404);
        assert.equal((await client.getDeployment({ params })).status, "succeeded");
        assert.deepEqual((await server.rows()).outbox, []);
      }
    });

    test("X-Environment-Id of a new deployment: an unknown environment is 404, an inactive one 409", async () => {
      const { client, environment } = await given();
      await refused(client.createDeployment({ body: {}, environment: "nowhere" }), 404);
      await client.updateEnvironment({ params: { environment_id: environment }, body: { isActive: false } });
      await refused(client.createDeployment({ body: {}, environment }), 409, /not active/);
    });
  });
}
