/** Flows whose SQL does not fit the tables of the environment: a plan says so, and asks only about flows that it changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointBodyInput, endpoints, Plan } from "@lakehelm/contract";
import { ApiError } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startRemotePlatform } from "../../testing/remote-platform.ts";
import { startTestServer } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";
import { appliedPlan } from "./test-plans.ts";

type Resource = NonNullable<EndpointBodyInput<typeof endpoints.createPlan>["resources"]>[number];

const flow = (name: string, source: string, matched_sql: string): Resource => ({
  kind: "flow",
  name,
  definition: {
    source_tables: [source],
    target_name: `marts.${name}`,
    trigger_type: "manual",
    matched_sql,
    target_schema: {
      description: "Revenue",
      columns: [
        { name: "order_id", type: "bigint", pk: true },
        { name: "amount", type: "decimal(18,2)" },
      ],
    },
    requested_by: "ada@example.test",
  },
});

const paymentsIn: Resource = {
  kind: "connector",
  name: "payments-in",
  definition: {
    target_type: "warehouse",
    target_config: { connection: { type: "files", config: { path: "/srv/shop", format: "csv" } } },
    execution_mode: "manual",
    datasets: [{ source_dataset: "payments.csv", target_name: "payments" }],
  },
};

test("a flow whose check reaches a limit of code generation is not refused: the plan says that it is unchecked", async (t) => {
  const { platform, close } = await startRemotePlatform("silent");
  const silent = { ...platform, warehouse: { catalog: () => new Promise<never>(() => undefined) } };
  const server = await startTestServer({
    platforms: [silent],
    settings: { PLATFORM_CODEGEN_TIMEOUT_MS: "1500" },
  });
  t.after(async () => {
    await server.close();
    await close();
  });
  const { client } = server;
  await client.createEnvironment({
    body: { name: "far", platform: "silent", configuration: shopConfiguration },
  });
  const resources = [flow("good", "orders", "select order_id, amount from orders")];
  await until(async () => {
    const project = { name: "shop" };
    const { status, findings, steps } = await client.createPlan({
      body: { environment: "far", project, resources },
    });
    assert.deepEqual([status, findings], ["planned", []]);
    const [step] = steps;
    // The thread of the generator may need longer to start than a plan waits for it.
    return /^Its SQL, because code generation took longer than 1\.5 seconds and was stopped\.$/.test(
      step?.unchecked ?? "",
    );
  }, 50);
});

test("a plan with a flow that cannot run is refused, with the place and the name that was meant", async (t) => {
  const remote = await startRemotePlatform("remote");
  const server = await startTestServer({ platforms: [remote.platform] });
  t.after(async () => {
    await server.close();
    await remote.close();
  });
  const { client } = server;
  const body = { name: "shop", configuration: shopConfiguration };
  const { id } = await client.createEnvironment({ body });
  await fillWarehouse(server, id, ...shop);
  /** On a busy machine the engine may need longer to start than a plan waits for it. */
  async function plan(resources: Resource[], environment = "shop"): Promise<Plan> {
    for (let tries = 1; ; tries++) {
      const made = await client.createPlan({ body: { environment, project: { name: "shop" }, resources } });
      if (!made.steps.some(({ unchecked }) => /did not answer|could not be queried/.test(unchecked ?? "")))
        return made;
      assert.ok(tries < 10, "the warehouse never answered");
    }
  }
  const good = flow("good", "orders", "select order_id, amount from orders");

  await t.test("a column that does not exist", async () => {
    const wrong = flow("wrong", "orders", "select order_id,\n  o.amuont as amount from orders o");
    const refused = await plan([good, wrong]);
    const message = "matched_sql, line 2, column 5: o has no column amuont. Did you mean amount?";
    assert.deepEqual(
      refused.steps.map(({ unchecked }) => unchecked ?? null),
      [null, null],
    );
    assert.deepEqual(refused.findings, [
      { policy: "lakehelm/flow-sql", level: "deny", position: 2, kind: "flow", name: "wrong", message },
    ]);
    assert.deepEqual(
      [refused.status, refused.status_reason],
      ["refused", `The flow wrong cannot run: ${message}`],
    );
    await assert.rejects(
      client.applyPlan({ params: { plan_id: refused.id } }),
      (error) => error instanceof ApiError && error.status === 409 && error.message.includes(message),
    );
  });

  await t.test(
    "a table that nothing writes is a warning; one that a connector writes cannot be checked",
    async () => {
      const misspelt = flow("misspelt", "paymens", "select order_id, amount from paymens");
      const early = flow("early", "payments", "select order_id, amuont as amount from payments");
      const made = await plan([paymentsIn, early, good, misspelt]);
      assert.equal(made.status, "planned");
      assert.deepEqual(
        made.findings.map(({ level, name, message }) => [level, name, message]),
        [
          [
            "warn",
            "misspelt",
            "source_tables[0]: there is no table shop.sales.paymens, and nothing in the project or the environment writes it. Did you mean shop.sales.payments?",
          ],
        ],
      );
      assert.deepEqual(
        made.steps.map(({ name, unchecked }) => [name, unchecked ?? null]),
        [
          ["payments-in", null],
          ["good", null],
          ["misspelt", null],
          [
            "early",
            "The columns of shop.sales.payments, which does not exist yet: connector payments-in writes it.",
          ],
        ],
      );
    },
  );

  await t.test("a flow that does not change is not asked about", async () => {
    assert.equal((await appliedPlan(client, (await plan([good])).id)).status, "applied");
    const { findings, steps } = await plan([good, paymentsIn]);
    assert.deepEqual([findings, steps.map(({ name }) => name)], [[], ["payments-in"]]);
  });

  await t.test("a column that another flow of the plan adds is no reason to refuse the plan", async () => {
    const first = flow("good", "orders", "select order_id, amount, customer_id from orders");
    const { target_schema } = first.definition as { target_schema: { columns: object[] } };
    target_schema.columns.push({ name: "customer_id", type: "bigint" });
    const second = flow("next", "marts.good", "select order_id, customer_id as amount from marts.good");
    const made = await plan([first, second]);
    assert.equal(made.status, "planned", made.status_reason ?? "");
  });

  await t.test("a platform without a catalog cannot be asked", async () => {
    const far = { name: "far", platform: "remote", configuration: shopConfiguration };
    await client.createEnvironment({ body: far });
    const { findings, steps } = await plan(
      [flow("wrong", "orders", "select order_id, amuont as amount from orders")],
      "far",
    );
    assert.deepEqual(findings, []);
    assert.equal(
      steps[0]?.unchecked,
      "Its SQL, because the platform remote does not say which tables and columns there are.",
    );
  });
});
