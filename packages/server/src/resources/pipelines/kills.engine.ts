/** Kills a real server while a pipeline is updated, and while it is deleted. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites } from "../../testing/server.ts";
import { endless } from "./test-endless.ts";

const orders =
  "CREATE OR REFRESH MATERIALIZED VIEW orders AS SELECT * FROM VALUES (1), (2), (3) AS t (order_id)";

for (const engine of enginesOfSlowSuites) {
  suite(`pipelines of a killed server, on ${engine}`, () => {
    test("a second attempt is an event; a committed deletion releases the tables", async (t) => {
      const home = await testHome(t, engine);
      let server = await startProcess(t, home);
      const kill = async () => {
        server.child.kill("SIGKILL");
        await server.ended;
        server = await startProcess(t, home);
      };
      const put = (path: string, sql: string) => server.client.putFile({ params: { path }, body: sql });
      const make = (id: string) =>
        server.client.createPipeline({
          body: { id, name: id, libraries: [{ file: { path: `${id}.sql` } }] },
        });
      const start = async (pipeline_id: string) =>
        (await server.client.startPipelineUpdate({ params: { pipeline_id } })).update_id;
      const read = (pipeline_id: string, update_id: string) =>
        server.client.getPipelineUpdate({ params: { pipeline_id, update_id } });
      const isEndless = (update: string) => async () =>
        (await read("orders", update)).tables.some(
          (one) => one.name.endsWith("endless") && one.state === "running",
        );
      const ended = async (pipelineId: string, update: string) => {
        await until(async () => !["QUEUED", "RUNNING"].includes((await read(pipelineId, update)).state), 50);
        return read(pipelineId, update);
      };

      await put("orders.sql", `${orders}; ${endless}`);
      await make("orders");
      const lost = await start("orders");
      await until(isEndless(lost), 50);
      await put("orders.sql", orders);
      await kill();
      assert.deepEqual(
        [(await ended("orders", lost)).state, (await read("orders", lost)).attempt],
        ["COMPLETED", 2],
      );
      const { events } = await server.client.listPipelineEvents({ params: { pipeline_id: "orders" } });
      assert.deepEqual(
        events.map(({ kind, table, state }) => [kind, table ?? "", state].join(" ")),
        [
          "update  QUEUED",
          "update  RUNNING",
          "table main.default.orders running",
          "table main.default.orders completed",
          "table main.default.endless running",
          "update  RUNNING",
          "update  COMPLETED",
        ],
      );
      assert.deepEqual(events[5]?.details, {
        attempt: 2,
        reason: "The server crashed during attempt 1.",
      });

      // The server is killed while the deletion waits for the end of the update.
      await put("orders.sql", `${orders}; ${endless}`);
      await until(isEndless(await start("orders")), 50);
      const params = { pipeline_id: "orders" };
      const { client } = server;
      const deleting = client.deletePipeline({ params }).catch(() => {});
      await until(async () => {
        const found = await client.listPipelines({});
        return found.total === 0;
      });
      await kill();
      await deleting;
      await put("taking.sql", "INSERT INTO orders VALUES (4)");
      await make("taking");
      await until(async () => (await ended("taking", await start("taking"))).state === "COMPLETED", 100);
      const { rows } = await server.client.runQuery({ body: { sql: "SELECT max(order_id) FROM orders" } });
      assert.deepEqual(rows, [[4]]);
      // The id of the deleted pipeline can be used again.
      assert.equal((await make("orders")).pipeline_id, "orders");
      const { state, error } = await ended("orders", await start("orders"));
      assert.equal(state, "FAILED");
      assert.match(
        error ?? "",
        /the table main\.default\.orders already exists and was not created by a pipeline/i,
      );
    });
  });
}
