import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Connector } from "@lakehelm/contract";
import { refused } from "../../../testing/refusal.ts";
import { unique } from "../../../testing/server.ts";
import type { PlatformResource } from "../capabilities.ts";
import { componentTests } from "./components.ts";
import type { ConnectorBody } from "./harness.ts";
import type { ResourceFixture } from "./resource-fixture.ts";
import { ended, installed } from "./test-connector.ts";
import { warehouseTests } from "./warehouse.ts";
import { workTests } from "./work.ts";

interface ResourceHarness {
  readonly name: string;
  /** What the platform runs, and what it refuses. */
  readonly resources: readonly PlatformResource[];
  open(): Promise<ResourceFixture>;
}

/** What every platform must do with each kind of resource that it runs, and what it must say about the others. */
export function resourceConformance({ name, resources, open }: ResourceHarness): void {
  describe(`resources on ${name}`, () => {
    let fixture: ResourceFixture;
    /** Jobs of other tests in the same environment. */
    let otherJobs: readonly string[];
    before(async () => {
      fixture = await open();
      otherJobs = await jobIds();
    });
    after(() => fixture?.close());
    const here = () => ({ environment: fixture.environment });
    const jobIds = async () => (await fixture.client.listJobs(here())).jobs.map(({ id }) => id);
    const runs = (kind: PlatformResource) => resources.includes(kind);
    const install = (created: Connector) => installed(fixture.client, created, fixture.waitMs);
    const connectorBody = (): ConnectorBody => ({
      ...fixture.connector,
      name: unique("conformance"),
      execution_mode: "manual",
      created_by: "conformance",
    });

    test("the check of its environment has findings, and each failure says what to do", async () => {
      const { findings } = await fixture.client.checkEnvironment({
        params: { environment_id: fixture.environment },
      });
      assert.ok(findings.length > 0);
      for (const { status, action, message } of findings) if (status === "failed") assert.ok(action, message);
    });

    test("nothing differs from its definition in an environment that nobody touches", async () => {
      const { differences } = await fixture.client.checkDrift(here());
      assert.equal(differences, 0);
    });

    test("a connector has one job, which a change keeps and a deletion removes", {
      skip: !runs("connector"),
    }, async () => {
      const { client } = fixture;
      const schedule = { execution_mode: "batch", schedule_cron: "0 3 * * *", paused: true } as const;
      const body = { ...connectorBody(), ...schedule };
      const created = await install(await client.createConnector({ body, ...here() }));
      assert.deepEqual([created.status, created.error_message], ["paused", null]);
      const params = { connector_id: created.id };
      const job = { job_id: created.workflow_id ?? "" };
      assert.notEqual((await client.getJob({ params: job })).paused, null);
      const changed = await client.updateConnector({ params, body: { schedule_cron: "0 4 * * *" } });
      assert.deepEqual([changed.status, changed.workflow_id], ["paused", created.workflow_id]);
      const { definition } = await client.getJob({ params: job });
      assert.deepEqual(definition.trigger, { kind: "cron", cron: "0 4 * * *", timezone: "UTC" });
      assert.equal((await client.resumeConnector({ params })).status, "active");
      assert.equal((await client.getJob({ params: job })).paused, null);
      await client.deleteConnector({ params });
      await refused(client.getJob({ params: job }), 404);
    });

    test("a run that is asked for starts once, ends, and has a log", {
      skip: !runs("connector"),
    }, async () => {
      const { client } = fixture;
      const created = await install(await client.createConnector({ body: connectorBody(), ...here() }));
      assert.deepEqual([created.status, created.error_message], ["active", null]);
      const params = { job_id: created.workflow_id ?? "" };
      const run = await client.runJob({ params });
      const { status, error } = await ended(client, run, fixture.waitMs);
      if (!fixture.runsMayFail) assert.deepEqual([status, error], ["succeeded", null]);
      assert.deepEqual(
        (await client.listRunsOfJob({ params })).runs.map(({ id }) => id),
        [run.id],
      );
      assert.ok((await client.readRunLog({ params: { run_id: run.id } })).lines.length > 0);
      await client.deleteConnector({ params: { connector_id: created.id } });
    });

    test("a pipeline is installed or says why not, and can be deleted", {
      skip: !runs("pipeline"),
    }, async () => {
      const { client } = fixture;
      const libraries = [{ file: { path: "conformance/no-such-file.jar.txt" } }];
      const body = { name: unique("conformance"), libraries };
      const created = await client.createPipeline({ body, ...here() });
      assert.notEqual(created.error_message ?? created.platform_reference, null);
      const { pipeline_id } = created;
      await client.deletePipeline({ params: { pipeline_id } });
      await refused(client.getPipeline({ params: { pipeline_id } }), 404);
    });

    const suite = { fixture: () => fixture, runs };
    workTests(suite);
    componentTests(suite);
    warehouseTests(suite);

    test("what it does not run is refused with a sentence that names it, and can be deleted", async () => {
      const { client } = fixture;
      const sentence = (kind: string) => new RegExp(`The platform ${name} does not run ${kind}`);
      if (!runs("connector")) {
        const { status, error_message, id } = await client.createConnector({
          body: connectorBody(),
          ...here(),
        });
        assert.deepEqual(
          [status, /The platform .* does not run/.test(error_message ?? "")],
          ["created", true],
        );
        await client.deleteConnector({ params: { connector_id: id } });
      }
      if (!runs("pipeline")) {
        const body = { name: unique("conformance"), libraries: [{ file: { path: "a.sql" } }] };
        const { pipeline_id, error_message } = await client.createPipeline({ body, ...here() });
        assert.match(String(error_message), sentence("pipelines"));
        await client.deletePipeline({ params: { pipeline_id } });
      }
      if (!runs("app")) {
        const application_name = unique("conformance");
        const { id } = await client.createApp({ body: { name: application_name }, ...here() });
        await refused(client.startApp({ body: { application_name }, ...here() }), 409, sentence("apps"));
        await client.deleteApp({ params: { app_id: id } });
      }
    });

    test("what was deleted left no job, and nothing on the platform", async () => {
      const { left } = fixture;
      assert.deepEqual([await jobIds(), await left?.()], [otherJobs, left && []]);
    });
  });
}
