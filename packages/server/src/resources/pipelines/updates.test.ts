/** Starting, reading and stopping updates. Their effects on tables are tested in update-run.engine.ts. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { EndpointQueryInput, endpoints } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { type RemotePlatform, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";

/** The file does not exist: an update fails without the engine. */
const libraries = [{ file: { path: "pipelines/orders.sql" } }];
const missing =
  /^pipelines\/orders\.sql:1:1: There is no file "pipelines\/orders\.sql" in the environment "here-.{8}"\.$/;

for (const engine of engines) {
  suite(`updates of pipelines on ${engine}`, () => {
    let remote: RemotePlatform;
    let server: TestServer;
    before(async () => {
      remote = await startRemotePlatform("remote");
      server = await startTestServer({ engine, platforms: [remote.platform] });
    });
    after(async () => {
      await server.close();
      await remote.close();
    });

    async function given(spec: object = {}, platform = "embedded") {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({
        body: { name: unique("here"), platform },
      });
      const created = await client.createPipeline({
        body: { name: "orders", libraries, ...spec },
        environment,
      });
      const params = { pipeline_id: created.pipeline_id };
      const read = () => server.client.getPipeline({ params });
      const ended = async (update_id: string) => {
        const get = () => server.client.getPipelineUpdate({ params: { ...params, update_id } });
        await until(async () => !["QUEUED", "RUNNING"].includes((await get()).state));
        return get();
      };
      return { client, environment, created, params, read, ended };
    }
    const kindsOf = async (pipelineId: string) =>
      (await server.events(undefined, `pipeline/${pipelineId}`)).map(({ kind }) => kind);

    test("an update is a run of the pipeline's job; it has its options and its outcome", async () => {
      const { client, params, ended, read } = await given();
      const body = { full_refresh_selection: ["a"], refresh_selection: ["b"], reason: "repaired" };
      const { creation_time, ...started } = await client.startPipelineUpdate({ params, body });
      assert.deepEqual(started, {
        ...body,
        update_id: started.update_id,
        pipeline_id: params.pipeline_id,
        state: "QUEUED",
        cause: "manual",
        requested_by: "internal-service",
        full_refresh: false,
        validate_only: false,
        attempt: 0,
        start_time: null,
        end_time: null,
        seconds: 0,
        rows_added: 0,
        rows_updated: 0,
        rows_removed: 0,
        rows_dropped: 0,
        tables: [],
        error: null,
      });
      const { state, error, end_time } = await ended(started.update_id);
      assert.equal(state, "FAILED");
      assert.match(error ?? "", missing);
      const run = await client.getRun({ params: { run_id: started.update_id } });
      assert.deepEqual([run.job_id, run.queued_at], [`pipeline-${params.pipeline_id}`, creation_time]);

      const { health, latest_updates } = await read();
      assert.equal(health?.status, "UNHEALTHY");
      assert.equal(health?.last_failure_time, end_time);
      assert.deepEqual(
        latest_updates?.map((one) => [one.update_id, one.state]),
        [[started.update_id, "FAILED"]],
      );
    });

    test("updates change the ETag of the response, but not the version of the configuration", async () => {
      const { client, params, ended } = await given();
      const { etag } = await client.withResponse.getPipeline({ params });
      await ended((await client.startPipelineUpdate({ params })).update_id);
      const after = await client.withResponse.getPipeline({ params });
      assert.notEqual(after.etag, etag, "the health has changed");
      assert.equal(after.etag?.split("-")[0], etag?.split("-")[0]);
      await client.updatePipeline({ params, body: { photon: true }, ifMatch: String(etag) });
    });

    test("Idempotency-Key: a repeated request starts one update and returns it", async () => {
      const { client, params } = await given();
      const start = () =>
        client.startPipelineUpdate({ params, body: {}, idempotencyKey: params.pipeline_id });
      const [one, other] = [await start(), await start()];
      assert.deepEqual(one, other);
      assert.equal((await client.listPipelineUpdates({ params })).updates.length, 1);
    });

    test("updates are paged, newest first; those of another pipeline are 404", async () => {
      const { client, params, ended } = await given();
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.unshift((await client.startPipelineUpdate({ params })).update_id);
      for (const id of ids) await ended(id);
      const first = await client.listPipelineUpdates({ params, query: { limit: 2 } });
      assert.deepEqual(
        first.updates.map(({ update_id }) => update_id),
        ids.slice(0, 2),
      );
      const query = { limit: 2, before: String(first.next_before) };
      const second = await client.listPipelineUpdates({ params, query });
      assert.deepEqual(
        [second.updates.map(({ update_id }) => update_id), second.next_before],
        [[ids[2]], null],
      );
      const counted = async (query: EndpointQueryInput<typeof endpoints.listPipelineUpdates>) =>
        (await client.listPipelineUpdates({ params, query })).updates.length;
      const { state } = await ended(ids[0] ?? "");
      assert.equal(await counted({ state }), 3);
      assert.equal(await counted({ state: "QUEUED" }), 0);
      assert.equal(await counted({ owner: "internal-service", limit: 2 }), 2);
      assert.equal(await counted({ owner: "nobody" }), 0);
      assert.equal(await counted({ created_before: "2020-01-01" }), 0);

      const other = await given();
      const elsewhere = { ...other.params, update_id: ids[0] ?? "" };
      await refused(client.getPipelineUpdate({ params: elsewhere }), 404, /"orders" has no update/);
      await refused(client.listPipelineUpdates({ params: { pipeline_id: "none" } }), 404);
    });

    test("a pipeline that reuses the id of a deleted one does not inherit its history", async () => {
      const { client, environment, params, ended } = await given();
      await ended((await client.startPipelineUpdate({ params })).update_id);
      await client.deletePipeline({ params });
      const body = { name: "orders", libraries, id: params.pipeline_id };
      const created = await client.createPipeline({ body, environment });
      assert.deepEqual([created.health?.status, created.latest_updates], ["UNKNOWN", []]);
      assert.deepEqual((await client.listPipelineUpdates({ params })).updates, []);
      assert.deepEqual((await client.listPipelineEvents({ params })).events, []);
    });

    test("an unknown field is 409, because a misspelled validate_only must not start a writing update", async () => {
      const { client, params, ended } = await given();
      const post = async (body: string) => {
        const headers = { "Content-Type": "application/json" };
        const path = `/api/v1/pipelines/${params.pipeline_id}/updates`;
        const answer = await server.fetch(path, { method: "POST", body, headers });
        return [answer.status, ((await answer.json()) as { detail?: string }).detail];
      };
      assert.deepEqual(await post('{"ful_refresh": true}'), [
        409,
        'An update has no option "ful_refresh". Did you mean full_refresh?',
      ]);
      assert.deepEqual(await post('{"dry": true}'), [
        409,
        'An update has no option "dry". Available options: full_refresh, full_refresh_selection, refresh_selection, validate_only, reason.',
      ]);
      assert.deepEqual((await client.listPipelineUpdates({ params })).updates, []);
      const job_id = `pipeline-${params.pipeline_id}`;
      const parameters = { validateonly: true };
      const { id } = await client.runJob({ params: { job_id }, body: { parameters } });
      assert.equal(
        (await ended(id)).error,
        'An update has no option "validateonly". Did you mean validate_only?',
      );
    });

    test("options that exclude each other are 422", async () => {
      const { client, params } = await given();
      for (const body of [
        { full_refresh: true, refresh_selection: ["a"] },
        { validate_only: true, full_refresh: true },
        { validate_only: true, refresh_selection: ["a"] },
      ]) {
        await refused(client.startPipelineUpdate({ params, body }), 422);
      }
    });

    test("invalid parameters of a job's run fail the run", async () => {
      const { client, params, ended } = await given();
      const parameters = { refresh_selection: "orders" };
      const job_id = `pipeline-${params.pipeline_id}`;
      const { id } = await client.runJob({ params: { job_id }, body: { parameters } });
      const { error } = await ended(id);
      assert.equal(error, "The parameters of this update: refresh_selection: Input should be a valid list.");
    });

    test("libraries that need Databricks are an error that names them, and the previous job is removed", async () => {
      const sentence =
        'The embedded platform runs SQL files and SQL notebooks. file "etl/orders.py", maven "a:b:1", ' +
        'whl "x.whl": these libraries need an environment on the platform databricks.';
      const foreign = [
        { file: { path: "etl/orders.py" } },
        { maven: { coordinates: "a:b:1" } },
        { whl: "x.whl" },
      ];
      const { client, environment, params, created } = await given({ libraries: [...foreign, ...libraries] });
      assert.equal(created.error_message, sentence);
      assert.equal((await client.listJobs({ environment })).total, 0);
      await refused(client.startPipelineUpdate({ params }), 409, sentence);
      await refused(client.startPipelineUpdate({ params, body: { validate_only: true } }), 409, sentence);
      await refused(client.stopPipeline({ params }), 409, sentence);

      const repaired = await client.updatePipeline({ params, body: { libraries } });
      assert.equal(repaired.error_message, null);
      assert.equal((await client.listJobs({ environment })).total, 1);
      await client.startPipelineUpdate({ params });
      const broken = await client.updatePipeline({ params, body: { libraries: [{ jar: "a.jar" }] } });
      assert.match(String(broken.error_message), /jar "a\.jar": this library needs an environment/);
      assert.equal((await client.listJobs({ environment })).total, 0);
      // Earlier updates of the pipeline are still listed.
      assert.equal((await client.listPipelineUpdates({ params })).updates.length, 1);
      assert.deepEqual(await kindsOf(params.pipeline_id), [
        "pipeline.created",
        "pipeline.failed",
        "pipeline.updated",
        "pipeline.updated",
        "pipeline.failed",
      ]);
    });

    test("a pipeline on a remote platform has no updates on this server", async () => {
      const { client, params } = await given({}, "remote");
      await refused(client.startPipelineUpdate({ params }), 409, /"orders" has no job on this server/);
      assert.deepEqual((await client.listPipelineUpdates({ params })).updates, []);
    });

    test("a continuous pipeline starts automatically; a stopped one stays stopped until an update is started", async () => {
      const { client, params, read, created } = await given({ continuous: true });
      assert.equal(created.stopped, null);
      await until(async () => ((await read()).latest_updates?.length ?? 0) > 0);
      const [first] = (await client.listPipelineUpdates({ params })).updates;
      assert.deepEqual([first?.cause, first?.requested_by], ["live", null]);

      const stopped = await client.stopPipeline({ params, body: { reason: "migration" } });
      assert.deepEqual([stopped.stopped?.by, stopped.stopped?.reason], ["internal-service", "migration"]);
      assert.equal(stopped.continuous, true);
      await client.stopPipeline({ params });
      const job_id = `pipeline-${params.pipeline_id}`;
      const isOpen = async () => {
        const [last] = (await client.listRunsOfJob({ params: { job_id }, query: { limit: 1 } })).runs;
        return last?.status === "queued" || last?.status === "running";
      };
      await until(async () => !(await isOpen()));

      await client.updatePipeline({ params, body: { development: true } });
      server = await server.restart();
      const { client: again } = server;
      assert.ok((await again.getPipeline({ params })).stopped);
      assert.ok((await again.getJob({ params: { job_id } })).paused);
      await again.startPipelineUpdate({ params, body: { validate_only: true } });
      assert.ok((await again.getPipeline({ params })).stopped, "a validation does not resume the pipeline");

      await again.startPipelineUpdate({ params });
      assert.equal((await again.getPipeline({ params })).stopped, null);
      // When that update has ended, the pipeline continues automatically.
      await until(async () => (await again.getJob({ params: { job_id } })).next_at !== null);
      await again.deletePipeline({ params });
      assert.deepEqual(await kindsOf(params.pipeline_id), [
        "pipeline.created",
        "pipeline.stopped",
        "pipeline.updated",
        "pipeline.started",
        "pipeline.deleted",
      ]);
    });

    test("events are paged, oldest first, for a pipeline or for one update", async () => {
      const { client, params, ended } = await given();
      const first = await ended(
        (await client.startPipelineUpdate({ params, body: { reason: "why" } })).update_id,
      );
      const second = await ended((await client.startPipelineUpdate({ params })).update_id);
      const all = await client.listPipelineEvents({ params });
      assert.deepEqual(
        all.events.map(({ id, state, message }) => [id, state, message]),
        [first, second].flatMap(({ update_id, reason, error }) => [
          [
            `${update_id}/0`,
            "QUEUED",
            `The update was requested by internal-service${reason === null ? "." : `: ${reason}`}`,
          ],
          [`${update_id}/1`, "RUNNING", "The update started."],
          [`${update_id}/2`, "FAILED", `The update failed: ${error}`],
        ]),
      );
      const paged: string[] = [];
      for (let after: string | undefined; ; ) {
        const query = { limit: 2, ...(after && { after }) };
        const { events, next_after } = await client.listPipelineEvents({ params, query });
        paged.push(...events.map(({ id }) => id));
        if (events.length === 0) break;
        after = String(next_after);
      }
      assert.deepEqual(
        paged,
        all.events.map(({ id }) => id),
      );
      const of = { query: { update_id: second.update_id } };
      assert.deepEqual((await client.listPipelineEvents({ params, ...of })).events, all.events.slice(3));
      await refused(client.listPipelineEvents({ params, query: { after: "x" } }), 400);
      await refused(client.listPipelineEvents({ params, query: { update_id: "x" } }), 404);
    });
  });
}
