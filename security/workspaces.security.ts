/** A viewer, and a user without a role in the environment, try every operation of an environment in a Databricks workspace. */
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { appRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/apps.ts";
import {
  flow,
  tickets,
} from "../packages/server/src/runtime/platforms/databricks/testing/connected-server.ts";
import {
  startFakeWorkspace,
  testClient,
} from "../packages/server/src/runtime/platforms/databricks/testing/fake-workspace.ts";
import { jobRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/jobs.ts";
import { objectRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/objects.ts";
import { pipelineRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/pipelines.ts";
import { FakeError, type Routes } from "../packages/server/src/runtime/platforms/databricks/testing/route.ts";
import { servingRoutes } from "../packages/server/src/runtime/platforms/databricks/testing/serving.ts";
import {
  fakeSqlWarehouse,
  testWarehouse,
} from "../packages/server/src/runtime/platforms/databricks/testing/sql-warehouse.ts";
import { fakeUnityCatalog } from "../packages/server/src/runtime/platforms/databricks/testing/unity-catalog.ts";
import { startTestServer } from "../packages/server/src/testing/server.ts";
import { type Caller, createCaller } from "./target.ts";

const root = "/Workspace/Shared/lake-root";
const secret = "Bearer s3cr3t-9920";
/** Values that no caller may read. `X-Api-Key` of the connector has a literal value. */
const secrets = [testClient.clientSecret, "s3cr3t-9920", "k-literal-7711", "issued-"];

/** A server, a workspace, the environment `lake` in it with one resource of each kind, and callers. */
async function start(t: TestContext, ...more: readonly Routes[]) {
  const jobs = jobRoutes();
  const objects = objectRoutes();
  const warehouse = fakeSqlWarehouse();
  const parts = [
    jobs,
    objects,
    pipelineRoutes(),
    appRoutes(),
    servingRoutes(),
    warehouse,
    fakeUnityCatalog(),
  ];
  const workspace = await startFakeWorkspace(t, ...parts.map(({ routes }) => routes), ...more);
  // In production a workspace must use TLS, so this is a development server.
  const server = await startTestServer();
  t.after(() => server.close());
  const [viewer, operator, admin] = await Promise.all([
    createCaller(server, "viewer"),
    createCaller(server, "operator"),
    createCaller(server, "admin"),
  ]);
  const { client } = admin;
  const here = { environment: "lake" };
  const { id } = await client.createEnvironment({
    body: {
      name: "lake",
      platform: "databricks",
      secretScope: "workspace",
      dataPlatformClientIdKey: "client-id",
      dataPlatformClientSecretKey: "client-secret",
      configuration: { host: workspace.url, warehouse_id: testWarehouse, catalog: "shop", root_path: root },
    },
  });
  const put = (scope: string, key: string, value: string) =>
    client.putSecret({ params: { scope, key }, body: { value }, ...here });
  await put("workspace", "client-id", testClient.clientId);
  await put("workspace", "client-secret", testClient.clientSecret);
  await put("shop", "api", secret);
  await client.putFile({ params: { path: "notes/a.txt" }, body: "x", ...here });
  const stranger = await createCaller(server, "viewer", "stranger@example.test");
  const other = await client.createEnvironment({ body: { name: "elsewhere" } });
  const { users } = await client.listUsers();
  const { id: user_id = "" } = users.find(({ username }) => username === "stranger@example.test") ?? {};
  await client.updateUser({ params: { user_id }, body: { role: "none" } });
  await client.putEnvironmentRole({
    params: { environment_id: other.id, username: "stranger@example.test" },
    body: { role: "operator" },
  });
  const logged = () => server.logged.join("\n");
  return { viewer, operator, admin, stranger, workspace, jobs, environment: id, here, logged };
}
type Started = Awaited<ReturnType<typeof start>>;

/** One resource of each kind, and the path parameters that name them. */
async function furnish({ admin, here, environment, jobs }: Started): Promise<Record<string, string>> {
  const { client } = admin;
  const connector = await client.createConnector({ body: tickets, ...here });
  const stored = await client.createFlow({ body: flow, ...here });
  const pipeline = await client.createPipeline({
    body: { name: "nightly", libraries: [{ file: { path: "notes/a.txt" } }], serverless: true },
    ...here,
  });
  const app = await client.createApp({ body: { name: "desk" }, ...here });
  await client.createAgent({ body: { name: "advisor" } });
  await client.createAutomation({ body: { alias: "evening" } });
  const job = await until(async () => {
    const params = { connector_id: connector.id };
    return (await client.getConnector({ params })).workflow_id ?? undefined;
  });
  const run = await client.runJob({ params: { job_id: job } });
  await until(() => jobs.runs.size > 0);
  return {
    connector_id: connector.id,
    flow_id: stored.id,
    pipeline_id: String(pipeline.pipeline_id),
    app_id: app.id,
    automation_alias: "evening",
    agent_name: "advisor",
    agent_id: "none",
    job_id: job,
    run_id: run.id,
    environment_id: environment,
    username: "viewer@example.test",
    action: "pause",
    scope: "workspace",
    key: "client-secret",
    path: "notes/a.txt",
  };
}

/** The example request of an endpoint, for one environment. */
function requestOf({ method, path, body, example }: Endpoint, params: Readonly<Record<string, string>>) {
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => params[name] ?? "none");
  const sample = structuredClone(example?.body ?? {}) as Record<string, unknown>;
  if ("environment" in sample || path.includes("/chat/")) sample.environment = "lake";
  const headers: Record<string, string> = { "x-environment-id": "lake" };
  if (body === undefined) return { path: filled, init: { method, headers } };
  headers["content-type"] = body === "bytes" ? "application/octet-stream" : "application/json";
  return { path: filled, init: { method, headers, body: body === "bytes" ? "x" : JSON.stringify(sample) } };
}

/** Operations whose streams never end. */
const endless = ["readEvents", "readJobLog"];
const operations = Object.entries<Endpoint>(endpoints).filter(
  ([name, { access }]) => access !== "public" && !endless.includes(name),
);

const changes = (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith("GET ") && !/\/sql\/statements|\/oidc\//.test(line));

suite("workspaces", () => {
  test("nothing that a viewer or a stranger sends changes the workspace, and nobody sees a secret", async (t) => {
    const started = await start(t);
    const { workspace, viewer, stranger } = started;
    const params = await furnish(started);
    const { client } = started.admin;
    // The server itself polls runs and looks for late creations.
    const before = changes(workspace.lines()).length;
    const sendAll = async (
      caller: Caller,
      check: (name: string, endpoint: Endpoint, status: number, text: string) => void,
    ) => {
      for (const [name, endpoint] of operations) {
        const { path, init } = requestOf(endpoint, params);
        const signal = AbortSignal.timeout(30_000);
        const response = await caller.fetch(path, { ...init, signal });
        const text = await response.text().catch((error) => assert.fail(`${name}: ${error}`));
        check(name, endpoint, response.status, text);
        for (const one of secrets) assert.ok(!text.includes(one), `${name} shows a secret: ${text}`);
      }
    };
    await sendAll(viewer, (name, { access }, status, text) => {
      if (access === "operator" || access === "admin")
        assert.equal(status, 403, `${name}: ${status} ${text}`);
      assert.notEqual(status, 500, `${name}: ${text}`);
    });
    await sendAll(stranger, (name, { access, scope }, status, text) => {
      for (const hidden of [workspace.url, "api.example.test"])
        assert.ok(!text.includes(hidden), `${name} shows ${hidden}: ${text}`);
      if (access === "operator" && /connector|job|run|flow|pipeline|drift/.test(scope))
        assert.ok([403, 404].includes(status), `${name}: ${status} ${text}`);
    });
    assert.deepEqual(changes(workspace.lines()).slice(before), []);
    assert.equal((await client.getRun({ params: { run_id: params.run_id ?? "" } })).status, "running");
    for (const one of secrets) assert.ok(!started.logged().includes(one), "the log shows a secret");
  });

  test("a query of a viewer reaches the warehouse only as a subquery", async (t) => {
    const { workspace, viewer } = await start(t);
    const attempts = [
      "DELETE FROM shop.sales.orders",
      "SELECT 1; DROP TABLE shop.sales.orders",
      "SELECT 1) AS a; DROP TABLE shop.sales.orders; --",
      "SELECT 1) UNION SELECT * FROM (SELECT 2",
      "/* */ INSERT INTO shop.sales.orders VALUES (1)",
      "WITH a AS (SELECT 1) INSERT INTO shop.sales.orders SELECT * FROM a",
      "WITH a AS (SELECT 1) DELETE FROM shop.sales.orders",
      "CREATE TABLE shop.sales.mine AS SELECT 1",
      "GRANT ALL PRIVILEGES ON CATALOG shop TO `eve@example.test`",
      "EXECUTE IMMEDIATE 'DROP TABLE shop.sales.orders'",
      "BEGIN DROP TABLE shop.sales.orders; END",
      "CALL system.drop('shop.sales.orders')",
      "SELECT 1 -- \n; DROP TABLE shop.sales.orders",
      "SELECT `a\u0000b` FROM t; DELETE FROM t",
      "SELECT secret('workspace', 'client-secret')",
      "LIST '/Volumes/shop'",
      "COPY INTO shop.sales.orders FROM '/Volumes/shop/x'",
    ];
    for (const sql of attempts) {
      const body = JSON.stringify({ sql });
      const headers = { "content-type": "application/json", "x-environment-id": "lake" };
      const response = await viewer.fetch("/api/v1/queries", { method: "POST", headers, body });
      const text = await response.text();
      assert.ok(response.status < 500, `${sql}: ${response.status} ${text}`);
      for (const one of secrets) assert.ok(!text.includes(one), text);
    }
    const sent = workspace.requests.filter(({ line }) => line === "POST /api/2.0/sql/statements");
    for (const { text } of sent) {
      const { statement } = JSON.parse(text) as { statement: string };
      assert.match(statement, /^SELECT \* FROM \(/);
      assert.doesNotMatch(statement, /;|DROP|DELETE|INSERT|GRANT|EXECUTE|COPY/i);
    }
  });

  test("files leave neither their folder here nor root_path there", async (t) => {
    const { workspace, viewer, operator, admin, here } = await start(t);
    const headers = { "x-environment-id": "lake" };
    const paths = [
      "..%2F..%2Fetc%2Fpasswd",
      "notes%2F..%2F..%2Fother",
      "%2FWorkspace%2FShared%2Fother%2Fa.py",
      "/Workspace/Shared/other/a.py",
      "notes/%2e%2e/%2e%2e/%2e%2e/a",
      "notes%5C..%5C..%5Ca",
    ];
    for (const path of paths) {
      const url = `/api/v1/files/${path}`;
      const read = await viewer.fetch(url, { headers });
      assert.ok([403, 404, 409, 422].includes(read.status), `${path}: ${read.status}`);
      await read.body?.cancel();
      for (const caller of [operator, admin]) {
        const init = {
          method: "PUT",
          headers: { ...headers, "content-type": "application/octet-stream" },
          body: "x",
        };
        await (await caller.fetch(url, init)).body?.cancel();
      }
    }
    await admin.client.putFile({ params: { path: "last.txt" }, body: "x", ...here });
    await until(
      () =>
        workspace.requests.some(({ line, text }) => /import|files/.test(line) && text.includes("last.txt")),
      60,
    );
    for (const { line, text, query } of workspace.requests) {
      const at = /workspace\/(import|mkdirs|delete)/.test(line)
        ? (query.path ?? JSON.parse(text).path)
        : root;
      assert.ok(at === root || String(at).startsWith(`${root}/`), `${line} ${text.slice(0, 200)}`);
      assert.doesNotMatch(String(at), /\.\./);
    }
  });

  test("a workspace that repeats our credentials in its errors does not reveal them", async (t) => {
    const echo: Routes[string] = ({ authorization, text }) => {
      throw new FakeError(400, "INVALID", `bad request: ${authorization} ${text}`);
    };
    const lines = [
      "POST /api/2.2/jobs/create",
      "GET /api/2.2/jobs/list",
      "POST /api/2.0/secrets/put",
      "GET /api/2.0/sql/warehouses/{id}",
      "POST /api/2.0/sql/statements",
      "GET /api/2.1/unity-catalog/schemas",
    ];
    const { workspace, viewer, admin, here, logged } = await start(
      t,
      Object.fromEntries(lines.map((line) => [line, echo])),
    );
    const seen = [];
    const { id } = await admin.client.createConnector({ body: tickets, ...here });
    await until(() => workspace.lines().some((line) => lines.includes(line)));
    const params = { connector_id: id };
    seen.push(
      await until(async () => {
        const read = await viewer.client.getConnector({ params });
        return read.error_message === null ? undefined : read;
      }, 60),
    );
    const query = JSON.stringify({ sql: "SELECT 1" });
    const headers = { "content-type": "application/json", "x-environment-id": "lake" };
    seen.push(await (await viewer.fetch("/api/v1/queries", { method: "POST", headers, body: query })).text());
    seen.push(await (await viewer.fetch("/api/v1/catalog", { headers })).text());
    seen.push(await admin.client.checkEnvironment({ params: { environment_id: "lake" } }));
    seen.push(await (await viewer.fetch("/api/v1/events?limit=200", { headers })).text());
    const issued = new Set(
      workspace.requests.flatMap(({ authorization }) => authorization?.match(/^Bearer (.+)/)?.[1] ?? []),
    );
    assert.ok(issued.size > 0);
    for (const one of [...issued, ...secrets]) {
      assert.ok(!JSON.stringify(seen).includes(one), `an answer shows ${one}: ${JSON.stringify(seen)}`);
      assert.ok(!logged().includes(one), `the log shows ${one}`);
    }
  });
});
