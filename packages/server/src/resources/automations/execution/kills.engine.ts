/** Kills a real server while automations run: nothing is done twice, and nothing is lost. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../../testing/process.ts";
import { enginesOfSlowSuites } from "../../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../../testing/warehouse.ts";
import { type TestDefinition, tasksOf } from "../test-automations.ts";
import { startRequestReceiver } from "./test-receiver.ts";

const params = { automation_alias: "ledger" };

/** Inserts one row for each execution of a task. */
const note = (task: string) => `insert into shop.sales.ledger values ({{run.id}}, '${task}')`;

for (const engine of enginesOfSlowSuites) {
  suite(`a killed server and its automations, on ${engine}`, () => {
    test("each task of each run is executed once, whenever the server is killed", async (t) => {
      const receiver = await startRequestReceiver();
      t.after(receiver.close);
      const home = await testHome(t, engine);
      const start = () => startProcess(t, home, { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.0/8" });
      let server = await start();
      const { id: environment } = await server.client.createEnvironment({
        body: { name: "shop", configuration: shopConfiguration },
      });
      const ledger = "CREATE TABLE shop.sales.ledger (run VARCHAR, task VARCHAR)";
      await fillWarehouse(home, environment, ...shop, ledger);
      await server.client.createConnector({
        body: {
          name: "orders-out",
          target_type: "http",
          target_config: { url: `${receiver.url}/orders` },
          execution_mode: "batch",
          created_by: "ada",
          datasets: [{ source_dataset: "shop.sales.orders", target_name: "orders" }],
        },
        environment,
      });
      const definition = {
        overlap: true,
        tasks: [
          { name: "first", kind: "sql", query: note("first") },
          { name: "call", kind: "http", url: `${receiver.url}/call`, depends_on: ["first"] },
          { name: "send", kind: "connector", reference: "orders-out", depends_on: ["first"] },
          { name: "second", kind: "sql", query: note("second"), depends_on: ["call", "send"] },
          { name: "third", kind: "sql", query: note("third"), depends_on: ["second"] },
          {
            name: "each",
            kind: "sql",
            query: "insert into shop.sales.ledger values ({{run.id}}, {{item}})",
            for_each: { items: ["item 1", "item 2"] },
            depends_on: ["first"],
          },
        ],
      } satisfies TestDefinition;
      await server.client.createAutomation({ body: { alias: "ledger", definition } });
      await server.client.syncAutomationRelease({ body: { ...params, environment } });
      const kill = async () => {
        server.child.kill("SIGKILL");
        await server.ended;
        server = await start();
      };
      const runs: string[] = [];
      const run = async () => void runs.push((await server.client.runAutomation({ params, environment })).id);
      const states = async () => (await server.client.listAutomationRuns({ params, environment })).runs;

      // The first kill is during an unanswered request and a connector's run.
      receiver.on("/call", (_, nth) => (nth === 1 ? new Promise(() => {}) : {}));
      receiver.on("/orders", (_, nth) => (nth === 1 ? new Promise(() => {}) : {}));
      await run();
      await until(() => receiver.received("/call").length > 0 && receiver.received("/orders").length > 0);
      await kill();
      // Two kills as soon as a task is reported as done.
      for (const task of ["first", "second"]) {
        await run();
        const isDone = async () =>
          (await states()).some((one) =>
            tasksOf(one).some(
              ({ name, status }) => one.id === runs.at(-1) && name === task && status === "succeeded",
            ),
          );
        await until(isDone, 2);
        await kill();
      }
      // The last kill is while several requested runs are starting.
      await Promise.all([run(), run(), run()]);
      await kill();

      await until(async () => (await states()).every(({ ended_at }) => ended_at !== null), 50);
      const done = await states();
      assert.deepEqual(done.map(({ id }) => id).sort(), [...runs].sort());
      for (const one of done) {
        assert.equal(one.status, "succeeded", `${one.error} ${JSON.stringify(one.metrics)}`);
        assert.ok(tasksOf(one).every(({ status, attempt }) => status === "succeeded" && attempt === 1));
      }
      const sql = "select run, task, count(*) from shop.sales.ledger group by all order by all";
      const { rows } = await server.client.runQuery({ body: { sql, dialect: "duckdb" }, environment });
      const expected = runs.flatMap((id) =>
        ["first", "item 1", "item 2", "second", "third"].map((task) => [id, task, 1]),
      );
      assert.deepEqual(
        rows,
        expected.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)),
      );

      // An interrupted request is sent again with the same idempotency key.
      const keys = new Set(receiver.received("/call").map(({ headers }) => headers["idempotency-key"]));
      assert.deepEqual([...keys].sort(), runs.map((id) => `${id}/call`).sort());
      // Each run has one connector run: after a kill, the child run was found instead of being started again.
      const children = (await server.client.listRuns({ environment, query: { limit: 1000 } })).runs.flatMap(
        ({ cause }) => cause.automation?.run_id ?? [],
      );
      assert.deepEqual(children.sort(), [...runs].sort());
    });
  });
}
