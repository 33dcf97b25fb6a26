/** Runs of automations that wait for runs of connectors, which need the engine, on both stores. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { type RequestReceiver, startRequestReceiver } from "./execution/test-receiver.ts";
import { releasedOn, type TestTask, tasksOf } from "./test-automations.ts";

type Rest = Parameters<typeof releasedOn> extends [unknown, unknown, ...infer More] ? More : never;

for (const engine of engines) {
  suite(`waiting runs on ${engine}`, () => {
    let server: TestServer;
    let receiver: RequestReceiver;
    before(async () => {
      receiver = await startRequestReceiver();
      const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.0/8", PLATFORM_RUNS_AT_ONCE: "1" };
      server = await startTestServer({ engine, settings });
    });
    after(async () => {
      await server.close();
      await receiver.close();
    });

    const released = (...given: Rest) => releasedOn(() => server, receiver, ...given);

    test("waiting automation runs do not block the runs that they wait for", async () => {
      const environment = unique("prod");
      await server.client.createEnvironment({ body: { name: environment } });
      const name = unique("orders-in");
      receiver.on(`/${name}`, () => ({ body: [{ id: 1 }] }));
      const connector = await server.client.createConnector({
        body: {
          name,
          target_type: "warehouse",
          target_config: { connection: { name: "shop", type: "rest", config: { url: receiver.url } } },
          datasets: [{ source_dataset: name, target_name: "orders", write_strategy: "replace" }],
          execution_mode: "batch",
          created_by: "ada",
        },
        environment,
      });
      const load: TestTask = {
        name: "load",
        kind: "connector",
        reference: name,
        parameters: { datasets: ["orders"] },
      };
      const here = await Promise.all([1, 2, 3].map(() => released(() => [load], {}, environment)));
      const elsewhere = await released(() => [load]);
      const runs = await Promise.all(here.map(({ run }) => run()));
      for (const { id, status, metrics } of runs) {
        assert.equal(status, "succeeded");
        const [task] = tasksOf({ metrics });
        const child = await server.client.getRun({ params: { run_id: task?.run_id ?? "" } });
        assert.deepEqual([child.job_id, child.status], [connector.workflow_id, "succeeded"]);
        assert.deepEqual(child.cause.automation, { run_id: id, task: "load" });
        assert.deepEqual(child.cause.parameters, load.parameters);
        assert.deepEqual(task?.output, child.metrics);
      }
      const { error } = await elsewhere.run();
      assert.match(error ?? "", /There is no job of the connector "orders-in-\w+" in the environment/);
      // A parameter that the connector does not know fails the task for good.
      const wrong = { ...load, parameters: { api_token: "hunter2" }, retries: 3 };
      const failed = await (await released(() => [wrong], {}, environment)).run();
      const [task] = tasksOf(failed);
      assert.deepEqual([failed.status, task?.attempt], ["failed", 1]);
      assert.match(
        task?.error ?? "",
        /^parameters\.api_token: The parameter is not known\. Known are datasets, /,
      );
    });
  });
}
