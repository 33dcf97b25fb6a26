import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../../testing/server.ts";
import { databricksEnvironment } from "./testing/environment.ts";
import { startFakeWorkspace, testClient, testToken } from "./testing/fake-workspace.ts";
import { fakeSqlWarehouse } from "./testing/sql-warehouse.ts";
import { fakeUnityCatalog } from "./testing/unity-catalog.ts";

/** Lists of things that nobody has made yet. */
const empty = {
  "GET /api/2.2/jobs/list": () => ({}),
  "GET /api/2.0/pipelines": () => ({}),
  "GET /api/2.0/secrets/scopes/list": () => ({}),
  "GET /api/2.0/apps": () => ({}),
  "GET /api/2.0/serving-endpoints": () => ({}),
  "GET /api/2.0/workspace/get-status": () => ({ object_type: "DIRECTORY" }),
};

suite("POST /api/v1/environments/{id}/check", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const check = async (environment_id: string) => {
    const { ok, findings } = await server.client.checkEnvironment({ params: { environment_id } });
    return { ok, findings, status: Object.fromEntries(findings.map((one) => [one.name, one.status])) };
  };

  test("a workspace that is set up has nothing to do, and is only read", async (t) => {
    const unity = fakeUnityCatalog();
    const workspace = await startFakeWorkspace(t, empty, fakeSqlWarehouse().routes, unity.routes);
    const { ok, findings } = await check(await databricksEnvironment(server, workspace));
    assert.equal(ok, true, JSON.stringify(findings));
    assert.deepEqual(
      findings.map(({ name }) => name),
      "configuration identity warehouse catalog files jobs pipelines secrets apps serving".split(" "),
    );
    assert.match(findings[1]?.message ?? "", new RegExp(`accepts the credentials of ${testClient.clientId}`));
    assert.ok(workspace.lines().every((line) => line.startsWith("GET ")));
  });

  test("what is missing says what to do, and the rest is checked all the same", async (t) => {
    const unity = fakeUnityCatalog();
    unity.privileges = ["USE_CATALOG", "USE_SCHEMA", "SELECT"];
    const workspace = await startFakeWorkspace(t, empty, fakeSqlWarehouse().routes, unity.routes);
    const denied = { error_code: "PERMISSION_DENIED", message: "Apps are not enabled." };
    workspace.fail({ match: "GET /api/2.0/apps", kind: { status: 403, body: denied } });
    const { ok, findings, status } = await check(
      await databricksEnvironment(server, workspace, { warehouse_id: "wrong" }),
    );
    assert.equal(ok, false);
    assert.deepEqual(
      [status.warehouse, status.catalog, status.apps, status.jobs],
      ["failed", "warning", "failed", "ok"],
    );
    const of = (wanted: string) => findings.find(({ name }) => name === wanted);
    assert.match(of("warehouse")?.message ?? "", /SQL warehouse wrong does not exist/);
    assert.match(of("catalog")?.message ?? "", /MODIFY, CREATE TABLE/);
    assert.match(of("apps")?.message ?? "", /Apps are not enabled/);
    assert.ok(findings.filter((one) => one.status !== "ok").every(({ action }) => action));
  });

  test("wrong credentials fail the identity, and nothing else is asked", async (t) => {
    const workspace = await startFakeWorkspace(t, empty);
    workspace.clients.clear();
    const { ok, status, findings } = await check(await databricksEnvironment(server, workspace));
    assert.deepEqual([ok, status.identity, status.jobs], [false, "failed", "skipped"]);
    assert.match(findings[1]?.message ?? "", /Client authentication failed/);
    assert.doesNotMatch(
      JSON.stringify(findings) + server.logged.join(""),
      new RegExp(testClient.clientSecret),
    );
  });

  test("a workspace that cannot be reached is said to be so", async (t) => {
    const workspace = await startFakeWorkspace(t);
    await workspace.close();
    const { findings } = await check(await databricksEnvironment(server, workspace));
    assert.match(findings[1]?.message ?? "", /refused the connection/);
  });

  test("all mistakes of the configuration are listed", async () => {
    const { id } = await server.client.createEnvironment({
      body: { name: unique("wrong"), platform: "databricks", configuration: { host: "ftp://x", tags: 1 } },
    });
    const { ok, findings } = await check(id);
    assert.equal(ok, false);
    for (const expected of [/configuration\.host/, /configuration\.tags/, /no credentials/]) {
      assert.match(findings[0]?.message ?? "", expected);
    }
  });

  test("a token is enough: as a value, as a reference, or as the name of a secret", async (t) => {
    const workspace = await startFakeWorkspace(t, empty);
    for (const configuration of [
      { token: testToken },
      { token: "{{secrets/shared/pat}}" },
      { token_key: "pat" },
    ]) {
      const { id } = await server.client.createEnvironment({
        body: {
          name: unique("token"),
          platform: "databricks",
          secretScope: "shared",
          configuration: { host: workspace.url, ...configuration },
        },
      });
      await server.client.putSecret({
        params: { scope: "shared", key: "pat" },
        body: { value: testToken },
        environment: id,
      });
      assert.equal((await check(id)).status.identity, "ok");
    }
    assert.doesNotMatch(server.logged.join(""), new RegExp(testToken));
  });

  test("the embedded platform checks its data folder, its engine and its warehouse, and creates none", async () => {
    const { ok, status } = await check("local");
    assert.deepEqual([ok, status], [true, { "data folder": "ok", engine: "ok", warehouse: "ok" }]);
  });

  test("a platform that this server does not have is 409", async () => {
    const { id } = await server.client.createEnvironment({ body: { name: unique("x"), platform: "x" } });
    await refused(check(id), 409, /Unknown platform "x"/);
    await refused(check("nowhere"), 404);
  });
});
