import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointBodyInput, endpoints, Plan } from "@lakehelm/contract";
import { ApiError, type Client, createClient } from "@lakehelm/contract/client";
import { enginesOfSlowSuites, startTestServer } from "../../testing/server.ts";
import { appliedPlan, endedPlan } from "./test-plans.ts";

type Request = EndpointBodyInput<typeof endpoints.createPlan>;
type Resource = NonNullable<Request["resources"]>[number];

const connector = (name: string, more: object = {}): Resource => ({
  kind: "connector",
  name,
  definition: {
    name,
    target_type: "warehouse",
    target_config: {
      connection: {
        type: "postgresql",
        config: { host: "db.example.test", database: "shop", user: "loader", password: "s3cret-one" },
      },
    },
    execution_mode: "manual",
    datasets: [{ source_dataset: "public.orders", target_name: "orders", primary_keys: ["id"] }],
    ...more,
  },
});

const flow = (name: string, source: string): Resource => ({
  kind: "flow",
  name,
  definition: {
    flow_name: name,
    source_tables: [source],
    target_name: name,
    trigger_type: "manual",
    matched_sql: `select id, amount from ${source}`,
    target_schema: {
      description: "Revenue",
      columns: [
        { name: "id", type: "BIGINT", pk: true },
        { name: "amount", type: "DECIMAL(18,2)" },
      ],
    },
    requested_by: "ada@example.test",
  },
});

const automation = (alias: string, reference: string): Resource => ({
  kind: "automation",
  name: alias,
  definition: {
    alias,
    definition: { tasks: [{ name: "load", kind: "connector", reference }] },
  },
});

const plan = (client: Client, resources: Resource[], more: Partial<Request> = {}): Promise<Plan> =>
  client.createPlan({
    body: { environment: "local", project: { name: "shop", commit: "3f9c1d2" }, resources, ...more },
  });

async function tokenOf(client: Client, username: string, role: "admin" | "operator" | "viewer") {
  const { id } = await client.createUser({ body: { username, role } });
  return (await client.createToken({ params: { user_id: id }, body: {} })).token;
}

const refusedWith = (status: number, text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && text.test(error.message);

for (const engine of enginesOfSlowSuites) {
  test(`plan, apply and drift, on ${engine}`, async (t) => {
    const { client, events, close } = await startTestServer({ engine });
    t.after(close);
    const all = [automation("daily", "orders-in"), flow("revenue", "orders"), connector("orders-in")];

    await t.test("a plan creates in the order of dependencies, and has no effects", async () => {
      const made = await plan(client, all);
      assert.equal(made.status, "planned");
      assert.deepEqual(
        made.steps.map(({ action, kind, name }) => [action, kind, name]),
        [
          ["create", "connector", "orders-in"],
          ["create", "flow", "revenue"],
          ["create", "automation", "daily"],
        ],
      );
      assert.deepEqual(made.steps[1]?.depends_on, [1]);
      assert.match(made.steps[1]?.reasons.join(" ") ?? "", /After connector orders-in: it reads \S+orders/);
      assert.equal((await client.listConnectors({})).total, 0);
      const password = made.steps[0]?.changes.find(({ path }) => path === "target_config");
      assert.equal(password?.sensitive, true);
      assert.doesNotMatch(JSON.stringify(made), /s3cret/);
    });

    await t.test("apply carries it out, and the same plan is empty afterwards", async () => {
      const made = await plan(client, all);
      const applied = await appliedPlan(client, made.id);
      assert.equal(applied.status, "applied", applied.status_reason ?? "");
      assert.equal(applied.summary.done, 3);
      assert.ok(applied.steps.every(({ status }) => status === "done"));
      const again = await plan(client, all);
      assert.deepEqual(again.steps, []);
      assert.equal(again.summary.unchanged, 3);
      assert.equal(again.design_hash, made.design_hash);
      const created = await events("connector.created");
      assert.equal(created[0]?.data.plan_id, made.id);
      assert.equal(created[0]?.data.commit, "3f9c1d2");
      const steps = await events("plan.step_applied");
      assert.deepEqual(
        steps.map(({ data }) => [data.position, data.done, data.total]),
        [
          [1, 1, 3],
          [2, 2, 3],
          [3, 3, 3],
        ],
      );
      const [release] = (await client.getAutomation({ params: { automation_alias: "daily" } })).releases;
      assert.equal(release?.git_commit_sha, "3f9c1d2");
    });

    await t.test("an update names its fields; a secret is compared and not shown", async () => {
      const changed = connector("orders-in", {
        datasets: [{ source_dataset: "public.orders", target_name: "orders", primary_keys: ["id", "line"] }],
      });
      const made = await plan(client, [changed, ...all.slice(0, 2)]);
      assert.deepEqual(made.steps[0]?.changes, [
        { path: "datasets[orders].primary_keys", before: ["id"], after: ["id", "line"], sensitive: false },
      ]);
      assert.deepEqual(
        made.steps[0]?.impact?.downstream.map(({ kind, name }) =>
          `${kind} ${name}`.replace(/\w+\.\w+\./, ""),
        ),
        ["automation daily", "table orders", "flow revenue", "table revenue"],
      );
      assert.equal(made.steps[0]?.impact?.full_refresh.length, 1);
      const orders = { source_dataset: "public.orders", target_name: "orders", primary_keys: ["id"] };
      const watched = connector("orders-in", { datasets: [{ ...orders, watermark_column: "changed_at" }] });
      const { steps } = await plan(client, [watched, ...all.slice(0, 2)]);
      assert.equal(steps[0]?.impact?.full_refresh.length, 1, "another watermark");
      const masked = connector("orders-in", {
        target_config: {
          connection: {
            type: "postgresql",
            config: { host: "db.example.test", database: "shop", user: "loader", password: "********" },
          },
        },
      });
      assert.deepEqual((await plan(client, [masked, ...all.slice(0, 2)])).steps, []);
      const other = connector("orders-in", {
        target_config: {
          connection: {
            type: "postgresql",
            config: { host: "db.example.test", database: "shop", user: "loader", password: "s3cret-two" },
          },
        },
      });
      const secret = await plan(client, [other, ...all.slice(0, 2)]);
      assert.deepEqual(secret.steps[0]?.changes, [
        {
          path: "target_config.connection.config.password",
          before: "********",
          after: "********",
          sensitive: true,
        },
      ]);
    });

    await t.test("what another project reads is reached, too", async () => {
      const changed = connector("orders-in", {
        datasets: [{ source_dataset: "public.orders", target_name: "orders", primary_keys: ["id", "line"] }],
      });
      const made = await plan(client, [changed], { project: { name: "other" } });
      const names = made.steps[0]?.impact?.downstream.map(({ kind, name }) => `${kind} ${name}`) ?? [];
      assert.ok(names.includes("flow revenue") && names.includes("automation daily"), names.join(", "));
    });

    await t.test("what somebody else changed is drift, and makes an older plan stale", async () => {
      const older = await plan(client, all);
      const [live] = (await client.listConnectors({})).connectors;
      await client.updateConnector({
        params: { connector_id: live?.id ?? "" },
        body: { execution_mode: "batch", schedule_cron: "0 6 * * *" },
      });
      const made = await plan(client, all);
      assert.equal(made.summary.drifted, 1);
      assert.deepEqual(
        made.steps[0]?.drift.map(({ path, after }) => [path, after]),
        [
          ["execution_mode", "batch"],
          ["schedule_cron", "0 6 * * *"],
        ],
      );
      await assert.rejects(
        client.applyPlan({ params: { plan_id: older.id } }),
        refusedWith(
          409,
          /changed since it was made: connector orders-in was changed \(by internal-service, 20/,
        ),
      );
      assert.equal((await client.getPlan({ params: { plan_id: older.id } })).status, "stale");
      assert.equal((await appliedPlan(client, made.id)).status, "applied");
      assert.deepEqual((await plan(client, all)).steps, []);
    });

    await t.test("a project deletes what it applied, and others only with prune", async () => {
      await client.createConnector({
        body: { name: "by-hand", target_type: "csv", target_config: null, created_by: "ada" },
      });
      const made = await plan(client, all.slice(1));
      assert.deepEqual(
        made.steps.map(({ action, kind, name }) => [action, kind, name]),
        [["delete", "automation", "daily"]],
      );
      const other = await plan(client, [], { project: { name: "other" } });
      assert.deepEqual(other.steps, []);
      const pruned = await plan(client, all, { prune: true });
      assert.deepEqual(
        pruned.steps.map(({ action, name }) => [action, name]),
        [["delete", "by-hand"]],
      );
      assert.equal((await appliedPlan(client, made.id)).status, "applied");
      await assert.rejects(client.getAutomation({ params: { automation_alias: "daily" } }));
      const nothing = await plan(client, []);
      assert.deepEqual(
        nothing.steps.map(({ action, name }) => [action, name]),
        [
          ["delete", "revenue"],
          ["delete", "orders-in"],
        ],
      );
      assert.equal((await appliedPlan(client, nothing.id)).status, "applied");
      assert.deepEqual(
        (await client.listConnectors({})).connectors.map(({ name }) => name),
        ["by-hand"],
      );
    });

    await t.test("a plan stops at the first failure, and goes on there", async () => {
      const taken = await client.createAgent({ body: { name: "taken" } });
      const desk: Resource = { kind: "agent", name: "desk", definition: { aliases: ["taken"] } };
      const page: Resource = { kind: "app", name: "page", definition: { agent: "desk" } };
      const made = await plan(client, [connector("first"), desk, page]);
      const failed = await appliedPlan(client, made.id);
      assert.equal(failed.status, "failed");
      assert.deepEqual(
        failed.steps.map(({ kind, status }) => [kind, status]),
        [
          ["connector", "done"],
          ["agent", "failed"],
          ["app", "skipped"],
        ],
      );
      assert.match(failed.steps[1]?.error ?? "", /taken/);
      await client.deleteAgent({ params: { agent_id: taken.id } });
      const applied = await appliedPlan(client, made.id);
      assert.equal(applied.status, "applied", applied.status_reason ?? "");
      assert.equal(applied.summary.done, 3);
      assert.deepEqual((await plan(client, [connector("first"), desk, page])).steps, []);
      const created = await events("connector.created");
      assert.equal(created.filter(({ data }) => data.name === "first").length, 1);
    });

    await t.test("a plan that is applied twice at once is carried out once", async () => {
      const once = { project: { name: "once" } };
      const made = await plan(client, [connector("once")], once);
      const rival = await plan(client, [connector("once", { paused: true })], once);
      const apply = (plan_id: string) => client.applyPlan({ params: { plan_id } });
      const answers = await Promise.allSettled([apply(made.id), apply(made.id), apply(rival.id)]);
      // One plan is first. The other plan is refused, because the environment is taken or the plan is stale.
      for (const answer of answers) {
        if (answer.status === "rejected") assert.ok(refusedWith(409, /appl|changed/)(answer.reason));
      }
      const ended = [await endedPlan(client, made.id), await endedPlan(client, rival.id)];
      assert.equal(ended.filter(({ status }) => status === "applied").length, 1);
      const created = await events("connector.created");
      assert.equal(created.filter(({ data }) => data.name === "once").length, 1);
    });

    await t.test("what never changes is replaced", async () => {
      const page: Resource = { kind: "app", name: "page", definition: { agent: null } };
      const desk: Resource = { kind: "agent", name: "desk", definition: { aliases: ["taken"] } };
      const made = await plan(client, [connector("first"), desk, page]);
      assert.deepEqual(
        made.steps.map(({ action, name }) => [action, name]),
        [["replace", "page"]],
      );
      assert.equal((await appliedPlan(client, made.id)).status, "applied");
      const [app] = (await client.listApps({})).apps;
      assert.equal(app?.agent_id, null);
    });

    await t.test("the designs of an applied plan are promoted to another environment", async () => {
      await client.createEnvironment({ body: { name: "staging" } });
      const body = { project: { name: "shop" }, environment: "staging" };
      const last = (await client.listPlans({ query: { status: "applied", sort: "-created" } })).plans[0];
      const promoted = await client.createPlan({ body: { ...body, source_plan: last?.id ?? "" } });
      assert.equal(promoted.design_hash, last?.design_hash);
      assert.deepEqual(
        promoted.steps.map(({ action, kind }) => [action, kind]),
        [
          ["create", "connector"],
          ["create", "app"],
        ],
      );
      assert.equal((await appliedPlan(client, promoted.id)).status, "applied");
    });
  });

  test(`policies, approvals and roles, on ${engine}`, async (t) => {
    const { client, url, close } = await startTestServer({ engine });
    t.after(close);
    const deny = {
      name: "no-first",
      level: "deny" as const,
      rule: 'action == "create" && resource.name == "first"',
      message: "{kind} {name} is not wanted.",
    };
    const refused = await plan(client, [connector("first")], { policies: [deny] });
    assert.equal(refused.status, "refused");
    assert.deepEqual(
      refused.findings.map(({ policy, position, message }) => [policy, position, message]),
      [["no-first", 1, "connector first is not wanted."]],
    );
    await assert.rejects(client.applyPlan({ params: { plan_id: refused.id } }), refusedWith(409, /no-first/));

    const asking = await plan(client, [connector("first")], { policies: [{ ...deny, level: "approve" }] });
    assert.equal(asking.status, "needs_approval");
    await assert.rejects(client.applyPlan({ params: { plan_id: asking.id } }), refusedWith(409, /approval/));
    await assert.rejects(
      client.approvePlan({ params: { plan_id: asking.id } }),
      refusedWith(403, /Another admin/),
    );

    await assert.rejects(
      plan(client, [connector("first")], { policies: [{ ...deny, rule: "action ==" }] }),
      refusedWith(422, /CEL/),
    );
    await assert.rejects(
      plan(client, [{ ...connector("first"), definition: { target_type: 1 } }]),
      refusedWith(422, /target_config/),
    );
    await assert.rejects(plan(client, [connector("x"), connector("x")]), refusedWith(422, /twice/));

    const ada = createClient({ baseUrl: url, token: await tokenOf(client, "ada", "admin") });
    const eve = createClient({ baseUrl: url, token: await tokenOf(client, "eve", "viewer") });
    const oscar = createClient({ baseUrl: url, token: await tokenOf(client, "oscar", "operator") });
    await assert.rejects(plan(eve, [connector("first")]), refusedWith(403, /operator/));
    assert.equal((await eve.getPlan({ params: { plan_id: asking.id } })).id, asking.id);
    await assert.rejects(oscar.approvePlan({ params: { plan_id: asking.id } }), refusedWith(403, /admin/));
    const approved = await ada.approvePlan({ params: { plan_id: asking.id } });
    assert.deepEqual([approved.status, approved.approved_by], ["approved", "ada"]);
    assert.equal((await appliedPlan(client, asking.id)).status, "applied");

    await client.updateEnvironment({ params: { environment_id: "local" }, body: { protected: true } });
    const guarded = await plan(oscar, [connector("first"), connector("second")]);
    assert.equal(guarded.status, "needs_approval");
    await assert.rejects(
      client.applyPlan({ params: { plan_id: guarded.id } }),
      refusedWith(409, /protected/),
    );
    await ada.approvePlan({ params: { plan_id: guarded.id } });
    await assert.rejects(oscar.applyPlan({ params: { plan_id: guarded.id } }), refusedWith(403, /protected/));
    assert.equal((await appliedPlan(ada, guarded.id)).status, "applied");
  });
}

test("while one server applies a plan, another one refuses a second plan for the environment", async (t) => {
  const server = await startTestServer({ engine: "postgres" });
  t.after(server.close);
  const other = await server.another();
  t.after(other.close);
  const many = Array.from({ length: 100 }, (_, n) => connector(`many-${n}`));
  const first = await plan(server.client, many);
  const second = await plan(other.client, [connector("one")], { project: { name: "other" } });
  await server.client.applyPlan({ params: { plan_id: first.id } });
  await assert.rejects(
    other.client.applyPlan({ params: { plan_id: second.id } }),
    refusedWith(409, /internal-service has been applying the plan/),
  );
  const ended = await endedPlan(other.client, first.id);
  assert.equal(ended.status, "applied", ended.status_reason ?? "");
  assert.equal(ended.summary.done, 100);
  assert.equal((await appliedPlan(other.client, second.id)).status, "applied");
});

test("an error with a NUL is recorded, and the plan stops there", async (t) => {
  const { client, close } = await startTestServer({ engine: "postgres" });
  t.after(close);
  const app: Resource = { kind: "app", name: "page", definition: { agent: "x\0" } };
  const made = await plan(client, [app]);
  const failed = await appliedPlan(client, made.id);
  assert.equal(failed.status, "failed");
  assert.match(failed.steps[0]?.error ?? "", /agent/);
});
