/** Whether the warehouse can run a flow, found without running it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { column, defaultCustomers, fillStatements, ordersRequest, recheck } from "@lakehelm/flows/testing";
import { Warehouse } from "../warehouse/warehouse.ts";
import { planFlowRun } from "./flow-plan.ts";
import { runFlow } from "./flow-run.ts";

const scope = { environment: "test", catalog: "shop", schema: "sales" };
let warehouse: Warehouse;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lakehelm-flow-plan-"));
  warehouse = await Warehouse.open({ folder, memoryMb: 256, threads: 2 });
});
after(async () => {
  warehouse.close();
  await rm(folder, { recursive: true });
});

const planned = async (flow: ConsumptionFlowInput) =>
  (await planFlowRun(warehouse, { scope, flow: { ...flow } })).problem;

async function fill(): Promise<void> {
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
  const connection = await warehouse.connect();
  for (const statement of fillStatements("TIMESTAMPTZ", "VARCHAR", "", [], defaultCustomers))
    await connection.run(statement);
  connection.closeSync();
}

const withAmount = (expression: string) =>
  ordersRequest({ matched_sql: ordersRequest().matched_sql.replace("o.amount", `${expression} AS amount`) });

test("without its tables, a flow can run unless a function is missing", async () => {
  assert.equal(await planned(ordersRequest({ ...recheck, sequence_by: "updated_at" })), null);
  assert.match(
    (await planned(withAmount("skewness(o.amount)"))) ?? "",
    /^matched_sql: Line 1, column \d+: there is no function skewness\(\)/,
  );
});

test("with its tables, a flow can run if its SELECTs can be bound, and nothing is created", async () => {
  await fill();
  for (const flow of [
    ordersRequest(),
    ordersRequest({ ...recheck, sequence_by: "updated_at" }),
    ordersRequest({ scd_type: 2 }),
    ordersRequest({ scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true }),
  ])
    assert.equal(await planned(flow), null);
  assert.match((await planned(withAmount("o.amuont"))) ?? "", /o has no column amuont/);
  assert.match(
    (await planned(withAmount("o.amount + o.updated_at"))) ?? "",
    /^matched_sql: No function matches .*'\+\(DOUBLE, TIMESTAMP/,
    "types that have no sum",
  );
  assert.deepEqual(
    (await warehouse.relations()).map(({ table }) => table),
    ["customers", "orders"],
  );
});

test("a target with other columns is a fact, not a problem: its consequence says what a run does", async () => {
  await fill();
  const { target_schema, ...flow } = ordersRequest({
    target_name: "sales.customers",
    source_tables: ["orders"],
  });
  const columns = [column("customer_id", "date", { pk: true })];
  const matched_sql = "SELECT CAST(o.updated_at AS DATE) AS customer_id FROM orders AS o";
  const found = await planFlowRun(warehouse, {
    scope,
    flow: { ...flow, matched_sql, target_schema: { ...target_schema, columns } },
  });
  assert.equal(found.problem, null);
  assert.equal(found.target?.before, null);
  assert.match(found.target?.facts.differing?.join() ?? "", /^customer_id is \w+ instead of DATE$/);
});

test("columns that a run adds first are no reason to refuse a flow", async () => {
  await fill();
  const run = (flow: ConsumptionFlowInput) =>
    runFlow(
      warehouse,
      { scope, flow: { ...flow }, businessDate: null, maxDrift: 0.5, run: "run-1" },
      {
        signal: new AbortController().signal,
        crashPoint: () => {},
        log: () => {},
        now: () => "2026-03-01T12:00:00.000Z",
      },
    );
  for (const later of [ordersRequest(), ordersRequest({ ...recheck, sequence_by: "updated_at" })]) {
    const { target_schema } = later;
    const columns = target_schema.columns.filter(({ name }) => name !== "country");
    const matched_sql = "SELECT order_id, amount, updated_at FROM orders";
    const narrow = { ...ordersRequest({ matched_sql }), target_schema: { ...target_schema, columns } };
    await run(narrow);
    assert.equal(await planned(later), null);
    await run(later);
    const connection = await warehouse.connect();
    await connection.run("DROP SCHEMA shop.marts CASCADE");
    connection.closeSync();
  }
});
