import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { engines } from "../testing/server.ts";
import { type House, openHouse, refusal } from "./test-house.ts";

async function announce(house: House, body: { deployment_name?: string; git_branch?: string } = {}) {
  const { id } = await house.client.createDeployment({ body });
  return { deployment_id: id };
}
const finish = (house: House, params: { deployment_id: string }, body: Finish) =>
  house.client.finishDeployment({ params, body });
type Finish = {
  status: "succeeded" | "failed" | "cancelled";
  error_message?: string | null;
  log_chunk?: string | null;
};
const logOf = async (house: House, params: { deployment_id: string }) =>
  (await house.client.getDeploymentLog({ params })).log;
const finals = ["succeeded", "failed", "cancelled"] as const;

for (const engine of engines) {
  suite(`on ${engine}`, () => {
    test("a deployment is announced as pending, on the environment's target branch unless told", async (t) => {
      const { client } = await openHouse(t, { engine });
      const bare = await client.createDeployment({ body: {} });
      assert.deepEqual(
        { ...bare, id: "", environment_id: "", created_at: "" },
        {
          id: "",
          deployment_name: null,
          environment_id: "",
          git_branch: "",
          git_commit_sha: "",
          status: "pending",
          job_run_id: null,
          created_at: "",
          started_at: null,
          completed_at: null,
          initiated_by: "internal-service",
          error_message: null,
        },
      );
      await client.createEnvironment({ body: { name: "staging", targetGitBranch: "release" } });
      const environment = "staging";
      assert.equal((await client.createDeployment({ body: {}, environment })).git_branch, "release");
      const told = await client.createDeployment({ body: { git_branch: "fix" }, environment });
      assert.equal(told.git_branch, "fix");
      assert.deepEqual(await client.getDeployment({ params: { deployment_id: told.id } }), told);
      assert.equal((await client.listDeployments()).total, 3);
      assert.equal((await client.listDeployments({ environment })).total, 2);
    });

    test("pending → running: started_at is set once, and starting again changes nothing", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      const running = await house.client.withResponse.startDeployment({ params });
      assert.equal(running.body.status, "running");
      assert.ok(running.body.started_at);
      assert.deepEqual((await house.client.withResponse.startDeployment({ params })).etag, running.etag);
      assert.deepEqual(await house.kinds(), ["deployment.created", "deployment.started"]);
      await finish(house, params, { status: "failed" });
      assert.equal((await refusal(house.client.startDeployment({ params }))).status, 409);
    });

    test("#16 persists the supplied status as the final state, from pending and from running", async (t) => {
      const house = await openHouse(t, { engine });
      for (const status of finals) {
        const pending = await announce(house);
        const ended = await finish(house, pending, { status, error_message: `why ${status}` });
        assert.deepEqual(
          [ended.status, ended.started_at, ended.error_message],
          [status, null, `why ${status}`],
        );
        assert.ok(ended.completed_at);
        assert.deepEqual(await house.client.getDeployment({ params: pending }), ended);

        const running = await announce(house);
        const { started_at } = await house.client.startDeployment({ params: running });
        assert.equal((await finish(house, running, { status })).started_at, started_at);
      }
    });

    test("#16 with the same final status again is 200 and changes nothing, not even the log", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      await finish(house, params, { status: "failed", error_message: "first", log_chunk: "one\n" });
      const before = await house.client.withResponse.getDeployment({ params });
      const events = await house.kinds();
      const body = { status: "failed" as const, error_message: "second", log_chunk: "two\n" };
      const again = await house.client.withResponse.finishDeployment({ params, body });
      assert.deepEqual([again.body, again.etag], [before.body, before.etag]);
      assert.equal(await logOf(house, params), "one\n");
      assert.deepEqual(await house.kinds(), events);
    });

    test("#16 with another final status is 409", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      await finish(house, params, { status: "succeeded" });
      for (const status of ["failed", "cancelled"] as const) {
        const refused = await refusal(finish(house, params, { status, log_chunk: "late" }));
        assert.equal(refused.status, 409);
        assert.match(refused.detail, /has succeeded/);
      }
      assert.equal(await logOf(house, params), "");
    });

    test("#16 of an unknown deployment is 404, and of an unknown status 422", async (t) => {
      const house = await openHouse(t, { engine });
      const nowhere = { deployment_id: "nowhere" };
      assert.equal((await refusal(finish(house, nowhere, { status: "failed" }))).status, 404);
      const params = await announce(house);
      const refused = await refusal(finish(house, params, { status: "running" as "failed" }));
      assert.equal(refused.status, 422);
    });

    test("of all that finish one deployment at once, those of the first status succeed and the others get 409", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      const ended = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          finish(house, params, { status: n % 2 ? "failed" : "succeeded", log_chunk: "x" }),
        ),
      );
      const { status } = await house.client.getDeployment({ params });
      for (const [n, one] of ended.entries()) {
        const wanted = n % 2 ? "failed" : "succeeded";
        if (wanted === status) assert.equal(one.status, "fulfilled");
        else assert.equal(one.status === "rejected" && one.reason.status, 409);
      }
      assert.equal(await logOf(house, params), "x");
      assert.equal((await house.kinds()).filter((kind) => kind === "deployment.finished").length, 1);
    });

    test("log chunks stand in the order they came, the one of #16 last, whatever they hold", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      for (const log_chunk of ["a\0\n", "", "ü\ud83d\ude00 ", '"\\']) {
        await house.client.appendDeploymentLog({ params, body: { log_chunk } });
      }
      await finish(house, params, { status: "succeeded", log_chunk: "end" });
      assert.equal(await logOf(house, params), 'a\0\nü\ud83d\ude00 "\\end');
      const late = await refusal(house.client.appendDeploymentLog({ params, body: { log_chunk: "late" } }));
      assert.equal(late.status, 409);
      assert.equal((await house.kinds()).filter((kind) => kind === "deployment.logged").length, 3);
    });

    test("chunks that come at once are all kept, each once", async (t) => {
      const house = await openHouse(t, { engine });
      const params = await announce(house);
      const chunks = Array.from({ length: 40 }, (_, n) => `${n};`);
      await Promise.all(
        chunks.map((log_chunk) => house.client.appendDeploymentLog({ params, body: { log_chunk } })),
      );
      const log = await logOf(house, params);
      assert.deepEqual(log.match(/\d+;/g)?.sort(), chunks.sort());
    });

    test("an Idempotency-Key on POST makes one deployment", async (t) => {
      const { client } = await openHouse(t, { engine });
      const call = { body: {}, idempotencyKey: "k" };
      const answers = await Promise.all([client.createDeployment(call), client.createDeployment(call)]);
      assert.deepEqual(answers[0], answers[1]);
      assert.equal((await client.listDeployments()).total, 1);
    });
  });
}
