import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { startTestServer, type TestServer } from "../packages/server/src/testing/server.ts";

const json = { "content-type": "application/json" };

/** Two servers on one PostgreSQL, and callers who can use either server. */
async function given(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const one = await startTestServer({ engine: "postgres", settings });
  t.after(() => one.close());
  const two = await one.another();
  t.after(() => two.close());
  const { client: root } = one;

  async function add(username: string, role: "admin" | "operator" | "viewer") {
    const { id } = await root.createUser({ body: { username, role } });
    const made = await root.createToken({ params: { user_id: id }, body: { comment: "attack" } });
    const at = ({ url }: TestServer) => createClient({ baseUrl: url, token: made.token, retries: 0 });
    const send = (server: TestServer, method: string, path: string, body?: unknown) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { ...json, authorization: `Bearer ${made.token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return { id, tokenId: made.details.id, one: at(one), two: at(two), send };
  }
  return { one, two, root, add };
}

const connector = (name: string) => ({
  name,
  target_type: "csv",
  target_config: { path: "/srv/shop" },
  execution_mode: "manual" as const,
});
const resource = (name: string) => {
  const { name: _, ...definition } = connector(name);
  return { kind: "connector" as const, name, definition };
};
const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).sort();

suite("attacks through several servers", () => {
  for (const [how, revoke] of [
    ["deleted", (root: TestServer["client"], user_id: string) => root.deleteUser({ params: { user_id } })],
    [
      "made an operator",
      (root: TestServer["client"], user_id: string) =>
        root.updateUser({ params: { user_id }, body: { role: "operator" } }),
    ],
  ] as const) {
    test(`the approval of an admin who was then ${how} on another server counts on none`, async (t) => {
      const { two, root, add } = await given(t);
      await root.createEnvironment({ body: { name: "prod", protected: true } });
      const [author, accomplice, honest] = [
        await add("author", "admin"),
        await add("accomplice", "admin"),
        await add("honest", "admin"),
      ];
      const { id: plan_id } = await author.one.createPlan({
        body: { environment: "prod", project: { name: "shop" }, resources: [resource("crm")] },
      });
      const approved = await accomplice.two.approvePlan({ params: { plan_id } });
      assert.equal(approved.status, "approved");
      await revoke(two.client, accomplice.id);
      for (const client of [author.one, author.two]) {
        await assert.rejects(
          client.applyPlan({ params: { plan_id } }),
          /another admin must approve the plan\. accomplice approved it and is no longer an admin there/,
        );
      }
      // No server accepts the author as the other admin.
      for (const client of [author.one, author.two])
        await assert.rejects(client.approvePlan({ params: { plan_id } }), /You made this plan/);
      assert.equal((await root.listConnectors({ environment: "prod" })).total, 0);
      assert.equal((await honest.one.approvePlan({ params: { plan_id } })).status, "approved");
    });
  }

  test("one admin who approves on both servers at once is one admin", async (t) => {
    const { root, add } = await given(t);
    const [author, ada] = [await add("author", "operator"), await add("ada", "admin")];
    const two = {
      name: "two",
      level: "approve" as const,
      rule: 'action == "create" && size(approvals) < 2',
      message: "Two admins.",
    };
    for (let n = 0; n < 5; n++) {
      const { id: plan_id } = await author.one.createPlan({
        body: {
          environment: "local",
          project: { name: "shop" },
          resources: [resource(`crm-${n}`)],
          policies: [two],
        },
      });
      await Promise.allSettled([
        ada.one.approvePlan({ params: { plan_id } }),
        ada.two.approvePlan({ params: { plan_id } }),
      ]);
      const plan = await root.getPlan({ params: { plan_id } });
      assert.deepEqual([plan.status, plan.approvals?.length], ["needs_approval", 1]);
    }
  });

  test("what is revoked on one server is refused by the other with the next request", async (t) => {
    const { one, two, root, add } = await given(t);
    const oscar = await add("oscar", "operator");
    const path = "/api/v1/connectors/";
    // The other server has cached the token and the role.
    assert.equal(
      (await oscar.send(two, "POST", path, { ...connector("first"), created_by: "x" })).status,
      200,
    );
    await root.updateUser({ params: { user_id: oscar.id }, body: { role: "viewer" } });
    assert.equal(
      (await oscar.send(two, "POST", path, { ...connector("late"), created_by: "x" })).status,
      403,
    );
    await root.updateUser({ params: { user_id: oscar.id }, body: { role: "none" } });
    assert.equal((await oscar.send(two, "GET", path)).status, 403);
    await root.updateUser({ params: { user_id: oscar.id }, body: { role: "operator" } });
    await root.revokeToken({ params: { user_id: oscar.id, token_id: oscar.tokenId } });
    for (const server of [one, two]) assert.equal((await oscar.send(server, "GET", path)).status, 401);
  });

  test("a deleted pipeline's id in another environment gives no access to it there", async (t) => {
    const { two, root, add } = await given(t);
    for (const name of ["open", "closed"]) await root.createEnvironment({ body: { name } });
    const mallory = await add("mallory", "viewer");
    await root.updateUser({ params: { user_id: mallory.id }, body: { role: "none" } });
    await root.putEnvironmentRole({
      params: { environment_id: "open", username: "mallory" },
      body: { role: "operator" },
    });
    const id = "0199f000-0000-7000-8000-000000000001";
    const path = `/api/v1/pipelines/${id}`;
    const create = (environment: string) =>
      root.createPipeline({ body: { id, name: "p", libraries: [] }, environment });
    await create("open");
    assert.equal((await mallory.send(two, "GET", path)).status, 200);
    await root.deletePipeline({ params: { pipeline_id: id } });
    await create("closed");
    for (const method of ["GET", "DELETE"])
      assert.equal((await mallory.send(two, method, path)).status, 404, method);
  });

  test("a run is not retried, and its job shows none, in an environment that has its pipeline's id now", async (t) => {
    const { two, root, add } = await given(t);
    for (const name of ["mine", "theirs"]) await root.createEnvironment({ body: { name } });
    const [mallory, victim] = [await add("mallory", "viewer"), await add("victim", "viewer")];
    for (const { id } of [mallory, victim])
      await root.updateUser({ params: { user_id: id }, body: { role: "none" } });
    for (const [username, environment_id] of [
      ["mallory", "mine"],
      ["victim", "theirs"],
    ] as const)
      await root.putEnvironmentRole({ params: { environment_id, username }, body: { role: "operator" } });
    const create = (client: typeof root, environment: string) =>
      client.createPipeline({
        body: { id: "shared", name: environment, libraries: [{ file: { path: "none.sql" } }] },
        environment,
      });
    await create(mallory.one, "mine");
    await mallory.one.startPipelineUpdate({
      params: { pipeline_id: "shared" },
      body: { full_refresh: true },
    });
    const runsOf = async (client: typeof root) =>
      (await client.listRunsOfJob({ params: { job_id: "pipeline-shared" } })).runs;
    let [run] = await runsOf(mallory.one);
    while (run?.status !== "failed") [run] = await runsOf(mallory.one);
    await mallory.one.deletePipeline({ params: { pipeline_id: "shared" } });
    await create(victim.one, "theirs");

    assert.equal((await mallory.send(two, "POST", `/api/v1/runs/${run.id}/retry`)).status, 409);
    assert.deepEqual(await runsOf(victim.one), []);
    assert.equal((await victim.one.getJob({ params: { job_id: "pipeline-shared" } })).last_run, null);
    assert.equal((await mallory.send(two, "GET", "/api/v1/jobs/pipeline-shared/runs")).status, 404);
  });

  test("requests to both servers together have one quota", async (t) => {
    const { one, two, add } = await given(t, { PLATFORM_RESOURCES_PER_CALLER: "5" });
    const grace = await add("grace", "operator");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        grace.send(n % 2 === 0 ? one : two, "POST", "/api/v1/connectors/", {
          ...connector(`c${n}`),
          created_by: "grace",
        }),
      ),
    );
    assert.deepEqual(statuses(answers), [...Array(5).fill(200), ...Array(15).fill(413)]);
  });

  test("a plan that both servers are asked to apply is carried out once", async (t) => {
    const { root, one, two, add } = await given(t);
    const oscar = await add("oscar", "operator");
    for (let n = 0; n < 3; n++) {
      const { id: plan_id } = await oscar.one.createPlan({
        body: {
          environment: "local",
          project: { name: "shop" },
          resources: Array.from({ length: 10 * (n + 1) }, (_, at) => resource(`c${at}`)),
        },
      });
      await Promise.allSettled([
        oscar.one.applyPlan({ params: { plan_id } }),
        oscar.two.applyPlan({ params: { plan_id } }),
      ]);
      while ((await two.client.getPlan({ params: { plan_id } })).status === "applying");
      const events = await one.events(undefined, `plan/${plan_id}`);
      const started = events.filter(({ kind }) => kind === "plan.apply_started");
      assert.equal(started.length, 1);
      assert.equal((await root.listConnectors({})).total, 10 * (n + 1));
    }
  });
});
