import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { tickets } from "../testing/connected-server.ts";
import { startDrifting } from "../testing/drifting-server.ts";

type Fixture = Awaited<ReturnType<typeof startDrifting>>;
type Found = Awaited<ReturnType<Fixture["drift"]>>;

const brief = (found: Found) => found.map(({ kind, field, declared, live }) => [kind, field, declared, live]);
const idOf = (found: Found, field: string | null) => ({
  drift_id: found.find((one) => one.field === field)?.id ?? "",
});

async function startApp({ client, pending }: Fixture) {
  const put = (path: string, body: string) =>
    client.putFile({ params: { path: `apps/desk/${path}` }, body, environment: "lake" });
  await put("app.yaml", "command: [python, app.py]\nenv:\n  - name: API_KEY\n    valueFrom: shop/api\n");
  await put("app.py", "print(1)");
  await until(async () => (await pending()) === 0);
  const { id } = await client.createApp({
    body: { name: "desk-ui", description: "The desk", source_path: "apps/desk" },
    environment: "lake",
  });
  await client.startApp({ body: { application_name: "desk-ui" }, environment: "lake" });
  return async () => {
    const { desired_state, observed_state } = await client.getApp({ params: { app_id: id } });
    return `${desired_state} ${observed_state}`;
  };
}

async function startEndpoint({ client }: Fixture) {
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const metadata = {
    model: "agents.desk",
    model_version: "1",
    environment_vars: { LANGUAGE: "de", KEY: "{{secrets/shop/api}}" },
  };
  await client.createAgentVersion({ params: { agent_id: id }, body: { version: "1.0.0", metadata } });
  const body = { agent_id: id, component: "agent_endpoint" } as const;
  await client.retryComponent({ body, environment: "lake" });
  return { id, stop: () => client.stopAgent({ body: { agent_id: id }, environment: "lake" }) };
}

for (const engine of enginesOfSlowSuites) {
  suite(`drift of what was released or runs, ${engine}`, () => {
    test("the job of an automation: fields are put back one by one, a pause is adopted, a deleted job is made again", async (t) => {
      const fixture = await startDrifting(t, engine);
      const { client, create, drift, jobs } = fixture;
      await create(tickets);
      const alias = "nightly";
      await client.createAutomation({
        body: {
          alias,
          definition: {
            tasks: [{ name: "load", kind: "connector", reference: "tickets" }],
            schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
          },
        },
      });
      const version = { metadata: { version: "1" } };
      const release = { automation_alias: alias, environment: "lake", ...version };
      await client.syncAutomationRelease({ body: release });
      assert.deepEqual(await drift(), []);
      const job = () => [...jobs.jobs.values()].find(({ settings }) => settings.name === alias);
      const settings = job()?.settings;
      settings.schedule.pause_status = "PAUSED";
      settings.max_concurrent_runs = 7;
      settings.tasks[0].timeout_seconds = 5;
      const found = await drift();
      assert.deepEqual(brief(found).sort(), [
        ["automation", "max_concurrent_runs", 1, 7],
        ["automation", "schedule.pause_status", "UNPAUSED", "PAUSED"],
        ["automation", "tasks.load.timeout_seconds", null, 5],
      ]);
      await refused(
        client.adoptDrift({ params: idOf(found, "max_concurrent_runs") }),
        409,
        /Change the definition and release it/,
      );
      await client.revertDrift({ params: idOf(found, "max_concurrent_runs") });
      assert.deepEqual(
        [job()?.settings.max_concurrent_runs, job()?.settings.tasks[0].timeout_seconds],
        [1, 5],
        "the others stay",
      );
      await client.adoptDrift({ params: idOf(found, "schedule.pause_status") });
      const details = await client.getAutomation({ params: { automation_alias: alias } });
      assert.equal(details.schedules[0]?.state, "paused");
      await client.revertDrift({ params: idOf(found, "tasks.load.timeout_seconds") });
      assert.equal(job()?.settings.schedule.pause_status, "PAUSED");
      assert.deepEqual(await drift(), []);

      const { job_id = "" } = job() ?? {};
      jobs.jobs.delete(job_id);
      const [gone] = await drift();
      assert.deepEqual([gone?.change, gone?.kind], ["gone", "automation"]);
      await refused(client.adoptDrift({ params: { drift_id: gone?.id ?? "" } }), 409, /delete the release/);
      await client.revertDrift({ params: { drift_id: gone?.id ?? "" } });
      // On a busy machine the response may come before the job is there.
      await until(async () => {
        const { releases } = await client.getAutomation({ params: { automation_alias: alias } });
        return job() !== undefined && releases[0]?.workflow_id === job()?.job_id;
      });
      assert.deepEqual([job()?.settings.schedule.pause_status, await drift()], ["PAUSED", []]);
    });
  });
}

suite("drift of what runs", () => {
  test("an app: what was changed is deployed again, a stop is adopted, a deleted app is made again", async (t) => {
    const fixture = await startDrifting(t);
    const { client, drift, apps } = fixture;
    const state = await startApp(fixture);
    assert.deepEqual(await drift(), []);
    const only = () => {
      const [app] = apps.apps.values();
      assert.ok(app);
      return app;
    };
    const declared = only().description;
    only().description = "Mine now";
    only().resources = [{ name: "db", database: {} }];
    only().deployments.push({
      deployment_id: "d9",
      source_code_path: "/Workspace/Users/eve/app",
      status: { state: "SUCCEEDED", message: "" },
    });
    const found = await drift();
    assert.deepEqual(
      found.map(({ field }) => field),
      ["description", "resources.secret-1", "resources.db", "source_code_path"],
    );
    assert.equal(found.at(-1)?.live, "/Workspace/Users/eve/app");
    await refused(client.adoptDrift({ params: idOf(found, "description") }), 409, /start it again/);
    // The mark was in the description: without it, nobody can know to whom the app belongs.
    await refused(client.revertDrift({ params: idOf(found, "source_code_path") }), 409, /did not create/);
    only().description = declared;
    await client.revertDrift({ params: idOf(found, "source_code_path") });
    assert.deepEqual([await state(), await drift()], ["running running", []]);

    only().compute = "STOPPED";
    const [stopped, ...others] = await drift();
    assert.deepEqual(brief([stopped as Found[0]]), [["app", "compute_status", "ACTIVE", "STOPPED"]]);
    assert.equal(others.length, 0);
    await client.adoptDrift({ params: { drift_id: stopped?.id ?? "" } });
    assert.deepEqual([await state(), await drift()], ["stopped stopped", []]);
    only().compute = "ACTIVE";
    const [started] = await drift();
    assert.deepEqual([started?.declared, started?.live], ["STOPPED", "ACTIVE"]);
    await refused(client.adoptDrift({ params: { drift_id: started?.id ?? "" } }), 409, /Start it here/);
    await client.revertDrift({ params: { drift_id: started?.id ?? "" } });
    assert.equal(only().compute, "STOPPED");
    apps.apps.clear();
    assert.deepEqual(await drift(), [], "one that should not run need not be there");

    await client.startApp({ body: { application_name: "desk-ui" }, environment: "lake" });
    apps.apps.clear();
    const [gone] = await drift();
    assert.equal(gone?.change, "gone");
    await client.revertDrift({ params: { drift_id: gone?.id ?? "" } });
    assert.deepEqual([await state(), only().compute, await drift()], ["running running", "ACTIVE", []]);
  });

  test("an endpoint: what it serves is put back, a stopped one is started, a deleted one is made again", async (t) => {
    const fixture = await startDrifting(t);
    const { client, drift, serving } = fixture;
    const { stop } = await startEndpoint(fixture);
    assert.deepEqual(await drift(), [], "what the service adds is no difference");
    const only = () => {
      const [endpoint] = serving.endpoints.values();
      assert.ok(endpoint);
      return endpoint;
    };
    Object.assign(only().config.served_entities[0], { entity_version: "4", workload_size: "Large" });
    only().tags.push({ key: "owner", value: "eve" });
    only().suspended = true;
    const found = await drift();
    assert.deepEqual(brief(found), [
      ["agent", "served_entities.agent.entity_version", "1", "4"],
      ["agent", "served_entities.agent.workload_size", "Small", "Large"],
      ["agent", "tags.owner", null, "eve"],
      ["agent", "suspend", null, "STOPPED"],
    ]);
    const params = idOf(found, "served_entities.agent.entity_version");
    await refused(client.adoptDrift({ params }), 409, /Register and activate a version/);
    await client.revertDrift({ params });
    assert.deepEqual(await drift(), []);
    const { config, tags, suspended } = only();
    assert.equal(config.served_entities[0].entity_version, "1");
    assert.deepEqual([tags.some(({ key }) => key === "owner"), suspended], [false, false]);

    serving.endpoints.clear();
    const [gone] = await drift();
    assert.deepEqual([gone?.change, gone?.resource.split("/")[0]], ["gone", "agent"]);
    await client.revertDrift({ params: { drift_id: gone?.id ?? "" } });
    assert.equal(only().config.served_entities[0].entity_version, "1");
    assert.deepEqual(await drift(), []);
    await stop();
    assert.deepEqual([serving.endpoints.size, await drift()], [0, []]);
  });

  test("a restart and a comparison with nothing changed write nothing, whatever runs there", async (t) => {
    const fixture = await startDrifting(t);
    await fixture.create(tickets);
    await startApp(fixture);
    await startEndpoint(fixture);
    assert.deepEqual(await fixture.drift(), []);
    const before = fixture.changes();
    await fixture.crash();
    assert.deepEqual(await fixture.drift(), []);
    assert.deepEqual(fixture.changes().slice(before.length), []);
  });

  test("an update of an endpoint that is not done yet is no difference", async (t) => {
    const fixture = await startDrifting(t);
    const { client, drift, serving } = fixture;
    const { id } = await startEndpoint(fixture);
    await client.createAgentVersion({
      params: { agent_id: id },
      body: { version: "2.0.0", metadata: { model: "agents.desk", model_version: "2" } },
    });
    serving.state.isSlow = true;
    const body = { agent_name: "desk", version: "2.0.0", environment: "lake", action: "activate" } as const;
    await client.syncAgentRelease({ body });
    for (const endpoint of serving.endpoints.values()) serving.settle(endpoint);
    assert.deepEqual(await drift(), []);
    serving.state.isSlow = false;
  });
});
