import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { type DatabaseEngine, enginesOfSlowSuites } from "../../../../testing/server.ts";
import { startWithWorkspace, tickets } from "../testing/connected-server.ts";
import { lostAnswers } from "../testing/faults.ts";

const manifest = `command: [python, app.py]
env:
  - name: TITLE
    value: Orders
  - name: API_KEY
    valueFrom: shop/api
memory_mb: 256
`;

/** The app `desk-ui` with its code. */
async function startWithApp(t: TestContext, engine: DatabaseEngine = "sqlite") {
  const fixture = await startWithWorkspace(t, engine);
  const { client } = fixture;
  const put = (path: string, body: string) =>
    client.putFile({ params: { path: `apps/desk/${path}` }, body, environment: "lake" });
  await put("app.yaml", manifest);
  await put("app.py", "# Databricks notebook source\nprint(1)\n");
  await put("static/page.css", "body {}");
  await until(async () => (await fixture.pending()) === 0);
  const { id } = await client.createApp({
    body: { name: "desk-ui", description: "The desk", source_path: "apps/desk" },
    environment: "lake",
  });
  const body = { application_name: "desk-ui" };
  const read = async () => {
    const { desired_state, observed_state, message, url } = await fixture.client.getApp({
      params: { app_id: id },
    });
    return { state: `${desired_state} ${observed_state}`, message, url };
  };
  const only = () => {
    const all = [...fixture.apps.apps.values()];
    assert.equal(all.length, 1, "there is exactly one app");
    return all[0] as (typeof all)[0];
  };
  return {
    ...fixture,
    fixture,
    id,
    read,
    only,
    put,
    start: () => fixture.client.startApp({ body, environment: "lake" }),
    stop: () => fixture.client.stopApp({ body, environment: "lake" }),
    remove: () => fixture.client.deleteApp({ params: { app_id: id } }),
  };
}

for (const engine of enginesOfSlowSuites) {
  suite(`apps in a workspace, ${engine}`, () => {
    test("an app is uploaded, deployed, started, stopped and deleted with everything of it", async (t) => {
      const { client, id, start, stop, remove, read, only, put, objects, apps } = await startWithApp(
        t,
        engine,
      );
      const { message } = await start();
      assert.equal(message, "desk-ui is running.");
      const app = only();
      assert.match(app.name, /^desk-ui-[0-9a-f]{8}$/);
      assert.match(app.description, new RegExp(`^The desk \\[lakehelm \\w+ \\S+ app/${id}\\]$`));
      const { url } = await read();
      assert.equal(url, `https://${app.name}.apps.example.test`);
      assert.equal((await client.createTicket({ params: { app_id: id } })).url, url);
      const [deployment] = app.deployments;
      const folder = deployment?.source_code_path ?? "";
      const fileAt = (path: string) => objects.objects.get(`${folder}/${path}`);
      assert.equal(fileAt("app.py")?.type, "FILE", "the workspace does not make a notebook of it");
      assert.equal(fileAt("static/page.css")?.content, "body {}");
      assert.deepEqual(JSON.parse(fileAt("app.yaml")?.content ?? ""), {
        command: ["python", "app.py"],
        env: [
          { name: "TITLE", value: "Orders" },
          { name: "API_KEY", valueFrom: "secret-1" },
        ],
      });
      const [resource] = app.resources as { name: string; secret: { scope: string; key: string } }[];
      assert.equal(
        objects.secrets.get(`${resource?.secret.scope}/${resource?.secret.key}`),
        "Bearer s3cr3t-9920",
      );
      const { lines } = await client.readAppLog({ params: { app_id: id } });
      assert.ok(lines.some(({ line }) => line.includes("deployment SUCCEEDED")));

      await stop();
      assert.deepEqual([(await read()).state, app.compute], ["stopped stopped", "STOPPED"]);
      await put("app.py", "print(2)\n");
      await start();
      assert.equal((await read()).state, "running running");
      const sources = [...objects.deployed()].filter(([path]) => path.endsWith("/app.py"));
      assert.deepEqual(
        sources.map(([, { content }]) => content),
        ["print(2)\n"],
      );

      await remove();
      assert.deepEqual([apps.apps.size, objects.deployed().size, objects.secrets.size], [0, 0, 0]);
    });

    test("a crash after each request that changes something leaves one app and one deployment", async (t) => {
      const { fixture, start, read, only, workspace } = await startWithApp(t, engine);
      for (const match of ["POST /api/2.0/apps", "POST /api/2.0/apps/*"]) {
        const before = workspace.requests.length;
        workspace.fail({ match, kind: "silence", after: true });
        const unanswered = start().catch((error) => error);
        await until(() =>
          workspace.requests
            .slice(before)
            .some(
              ({ line }) => line === match || (match.endsWith("*") && line.startsWith("POST /api/2.0/apps/")),
            ),
        );
        await fixture.crash();
        await unanswered;
        await until(async () => (await fixture.pending()) === 0);
        assert.equal((await read()).state, "running running");
        await fixture.client.stopApp({ body: { application_name: "desk-ui" }, environment: "lake" });
      }
      const sources = only().deployments.map(({ source_code_path }) => source_code_path);
      assert.equal(new Set(sources).size, sources.length, "each request was deployed once");
    });
  });
}

suite("apps in a workspace", () => {
  test("a slow start does not hold the caller, and another resource is installed meanwhile", async (t) => {
    const { fixture, start, read, only, apps, create } = await startWithApp(t);
    apps.state.isSlow = true;
    const { message } = await start();
    assert.equal(message, "desk-ui is being started.");
    const connector = await create(tickets);
    assert.equal(connector.status, "active");
    only().compute = "ACTIVE";
    await until(() => only().deployments.length === 1);
    Object.assign(only().deployments[0]?.status ?? {}, { state: "SUCCEEDED" });
    await until(async () => (await fixture.pending()) === 0);
    assert.equal((await read()).state, "running running");
  });

  test("a deployment that fails says why; a stranger's app of the same name is never touched", async (t) => {
    const { start, stop, remove, read, only, apps } = await startWithApp(t);
    apps.state.deploymentEnd = { state: "FAILED", message: "No module named flask" };
    await refused(start(), 409, /No module named flask/);
    assert.equal((await read()).state, "running failed");
    await stop();
    const stranger = { ...only(), description: "Somebody else's", compute: "ACTIVE" as const };
    apps.apps.set(stranger.name, stranger);
    await refused(start(), 409, /that Lakehelm did not create/);
    await stop();
    await remove();
    assert.deepEqual([...apps.apps.values()], [stranger]);
    assert.equal(stranger.compute, "ACTIVE");
  });

  test("each way of losing an answer, at each request, ends with one app", async (t) => {
    const { workspace, start, stop, remove, read, only, fixture, apps, objects } = await startWithApp(t);
    for (const fault of someOf(lostAnswers, 2)) {
      for (const method of ["POST", "PATCH", "GET"])
        workspace.fail({ match: `${method} /api/2.0/apps*`, ...fault });
      workspace.fail({ match: "POST /api/2.0/workspace/import", ...fault });
      await start();
      await until(async () => (await fixture.pending()) === 0);
      assert.equal((await read()).state, "running running");
      only();
      workspace.fail({ match: "POST /api/2.0/apps*", ...fault });
      await stop();
      await until(async () => (await fixture.pending()) === 0);
      assert.equal((await read()).state, "stopped stopped");
    }
    workspace.fail({ match: "DELETE /api/2.0/apps*", kind: "drop", after: true });
    await remove();
    await until(async () => (await fixture.pending()) === 0);
    assert.deepEqual([apps.apps.size, objects.deployed().size], [0, 0]);
  });
});
