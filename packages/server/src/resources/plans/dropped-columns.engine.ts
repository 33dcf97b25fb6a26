/** A plan warns of columns that a flow no longer writes and something still reads, wherever that is declared. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { droppedColumnsRule } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shopConfiguration } from "../../testing/warehouse.ts";
import { appliedPlan } from "./test-plans.ts";

type Resource = NonNullable<Parameters<Client["createPlan"]>[0]["body"]["resources"]>[number];

/** A flow that writes these columns of its source. */
const flow = (name: string, source: string, ...columns: readonly string[]): Resource => ({
  kind: "flow",
  name,
  definition: {
    flow_name: name,
    source_tables: [source],
    target_name: name,
    trigger_type: "manual",
    matched_sql: `select ${columns.join(", ")} from ${source}`,
    target_schema: {
      description: "Orders",
      columns: columns.map((column) => ({ name: column, type: "BIGINT", pk: column === "id" })),
    },
    requested_by: "ada@example.test",
  },
});

const exported = (source: string): Resource => ({
  kind: "connector",
  name: "out",
  definition: {
    name: "out",
    target_type: "csv",
    target_config: { path: "/exports" },
    created_by: "ada@example.test",
    execution_mode: "manual",
    datasets: [{ source_dataset: source, target_name: "mart.csv", primary_keys: ["id"] }],
  },
});

suite("columns that a flow no longer writes", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function given(resources: readonly Resource[], ...statements: readonly string[]) {
    const { client } = server;
    const environment = unique("env");
    const { id } = await client.createEnvironment({
      body: { name: environment, configuration: shopConfiguration },
    });
    const orders = "CREATE TABLE shop.sales.orders (id BIGINT, amount BIGINT, note BIGINT)";
    await fillWarehouse(server, id, orders, ...statements);
    const plan = (planned: readonly Resource[], project = "ours") =>
      client.createPlan({ body: { environment, project: { name: project }, resources: [...planned] } });
    const apply = async (planned: readonly Resource[], project?: string) => {
      const { status, steps } = await appliedPlan(client, (await plan(planned, project)).id);
      assert.equal(status, "applied", JSON.stringify(steps));
    };
    await apply(resources);
    const warned = async (...planned: readonly Resource[]) =>
      (await plan(planned)).findings.filter(({ policy }) => policy === droppedColumnsRule);
    return { apply, warned };
  }

  const mart = (...columns: readonly string[]) => flow("mart", "sales.orders", "id", ...columns);
  const all = mart("amount", "note");

  test("names the flows that use one of them, and exports", async () => {
    const sum = flow("total", "sales.mart", "id", "amount");
    const notes = flow("notes", "sales.mart", "id", "note");
    const shop = await given([all, sum, notes]);
    const [found, ...more] = await shop.warned(mart("NOTE"), sum, notes);
    assert.deepEqual([more, found?.kind, found?.name, found?.level], [[], "flow", "mart", "warn"]);
    assert.match(
      found?.message ?? "",
      /no longer writes amount of .*still reads it: flow total \(amount\)\./,
    );
    // There is no warning if the reader changes in the same plan, or is deleted.
    assert.deepEqual(await shop.warned(mart("note"), flow("total", "sales.mart", "id"), notes), []);
    assert.deepEqual(await shop.warned(mart("note"), notes), []);
    assert.deepEqual(await shop.warned(mart("amount", "note"), sum, notes), []);
    await shop.apply([exported("sales.mart")], "others");
    const [both] = await shop.warned(mart("note"), sum, notes);
    assert.match(both?.message ?? "", /flow total \(amount\), connector out \(all columns/);
  });

  test("names the views of the warehouse", async () => {
    const shop = await given(
      [all],
      "CREATE TABLE shop.sales.mart (id BIGINT, amount BIGINT, note BIGINT)",
      "CREATE VIEW shop.sales.big AS SELECT id FROM shop.sales.mart WHERE amount > 10",
      "CREATE VIEW shop.sales.ids AS SELECT id FROM shop.sales.mart",
    );
    const [found] = await shop.warned(mart("note"));
    assert.match(found?.message ?? "", /still reads it: view shop\.sales\.big\./);
    assert.deepEqual(await shop.warned(mart("amount")), []);
  });
});
