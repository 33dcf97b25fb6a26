import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { EndpointQueryInput, endpoints } from "@lakehelm/contract";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { ended } from "../automations/test-automations.ts";

type Query = EndpointQueryInput<typeof endpoints.listRuns>;

for (const engine of engines) {
  suite(`what runs and events are about on ${engine}`, () => {
    let server: TestServer;
    let now = Date.parse("2026-03-01T12:00:00Z");
    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(now) });
    });
    after(() => server.close());

    /** A connector whose only run fails, because it has no datasets, and that is deleted an hour later. */
    async function deletedConnector(name: string, environment: string) {
      const { client } = server;
      const body = { name, target_type: "warehouse", target_config: null, created_by: "ada" };
      const { id, workflow_id } = await client.createConnector({
        body: { ...body, execution_mode: "manual" },
        environment,
      });
      const run = await client.runJob({ params: { job_id: workflow_id ?? "" } });
      await ended(server, run.id);
      now += 3_600_000;
      await client.deleteConnector({ params: { connector_id: id } });
      return { id, run };
    }

    test("a run keeps the kind and name of what it ran, and is found by them after the deletion", async () => {
      const { client } = server;
      const [name, here, elsewhere] = [unique("webshop-in ".repeat(90)), unique("here"), unique("elsewhere")];
      for (const environment of [here, elsewhere])
        await client.createEnvironment({ body: { name: environment } });
      const first = await deletedConnector(name, here);
      const second = await deletedConnector(name, here);
      await deletedConnector(name, elsewhere);
      await deletedConnector(unique("other"), here);

      assert.deepEqual([first.run.kind, first.run.name], ["connector", name]);
      const found = async (query: Query) => (await client.listRuns({ query })).runs.map(({ id }) => id);
      assert.deepEqual(await found({ name, environment: here }), [second.run.id, first.run.id]);
      assert.equal((await found({ name })).length, 3);
      assert.equal((await found({ search: name.slice(-19).toUpperCase() })).length, 3);
      assert.deepEqual(await found({ name, environment: here, created_after: second.run.queued_at }), [
        second.run.id,
      ]);
      const { runs } = await client.listRuns({ query: { name, environment: here, status: "failed" } });
      assert.deepEqual(
        runs.map((run) => [run.kind, run.name, run.status]),
        [
          ["connector", name, "failed"],
          ["connector", name, "failed"],
        ],
      );
    });

    test("every event of a deleted connector and of its runs is found by name and environment, newest first", async () => {
      const { client } = server;
      const [name, environment] = [unique("webshop-in"), unique("here")];
      await client.createEnvironment({ body: { name: environment } });
      const { id, run } = await deletedConnector(name, environment);
      await server.events("connector.deleted", `connector/${id}`);
      const { events } = await client.readEvents({ query: { name, environment, sort: "-created" } });
      const subjects = new Set(events.map(({ subject }) => subject));
      assert.deepEqual([...subjects].sort(), [`connector/${id}`, `run/${run.id}`]);
      assert.deepEqual([events[0]?.kind, events.at(-1)?.kind], ["connector.deleted", "connector.created"]);
      for (const { kind, data } of events) {
        assert.deepEqual([kind, data.name, typeof data.environment_id], [kind, name, "string"]);
      }
    });
  });
}
