/** Runs of automations that wait for runs of connectors, which need the engine, on both stores. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { enginesOfSlowSuites, unique } from "../../testing/server.ts";
import { automationSuite, type TestTask, tasksOf } from "./test-automations.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`waiting runs on ${engine}`, () => {
    const here = automationSuite(engine);

    test("waiting automation runs do not block the runs that they wait for", async () => {
      const environment = unique("prod");
      await here.server.client.createEnvironment({ body: { name: environment } });
      const name = unique("orders-in");
      here.receiver.on(`/${name}`, () => ({ body: [{ id: 1 }] }));
      const connector = await here.server.client.createConnector({
        body: {
          name,
          target_type: "warehouse",
          target_config: { connection: { name: "shop", type: "rest", config: { url: here.receiver.url } } },
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
      const same = await Promise.all([1, 2, 3].map(() => here.released(() => [load], {}, environment)));
      const elsewhere = await here.released(() => [load]);
      const runs = await Promise.all(same.map(({ run }) => run()));
      for (const { id, status, metrics } of runs) {
        assert.equal(status, "succeeded");
        const [task] = tasksOf({ metrics });
        const child = await here.server.client.getRun({ params: { run_id: task?.run_id ?? "" } });
        assert.deepEqual([child.job_id, child.status], [connector.workflow_id, "succeeded"]);
        assert.deepEqual(child.cause.automation, { run_id: id, task: "load" });
        assert.deepEqual(child.cause.parameters, load.parameters);
        assert.deepEqual(task?.output, child.metrics);
      }
      const { error } = await elsewhere.run();
      assert.match(error ?? "", /There is no job of the connector "orders-in-\w+" in the environment/);
      // A parameter that the connector does not know fails the task for good.
      const wrong = { ...load, parameters: { api_token: "hunter2" }, retries: 3 };
      const failed = await (await here.released(() => [wrong], {}, environment)).run();
      const [task] = tasksOf(failed);
      assert.deepEqual([failed.status, task?.attempt], ["failed", 1]);
      assert.match(
        task?.error ?? "",
        /^parameters\.api_token: The parameter is not known\. Known are datasets, /,
      );
    });
  });
}
