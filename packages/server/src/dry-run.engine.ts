import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { acceptsDryRun, type Endpoint, endpoints, isBounded } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { validDesign } from "./resources/automations/test-designs.ts";
import { startReceiver, type TestReceiver } from "./resources/chat/test-receiver.ts";
import { storedCharacters, whileFull } from "./testing/full-quotas.ts";
import { type RemotePlatform, startRemotePlatform } from "./testing/remote-platform.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer } from "./testing/server.ts";

type Name = keyof typeof endpoints;

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
}

/**
 * Events for changed definitions that a plan can make. A write that causes one must be declared accordingly, because it
 * is refused where only plans may change definitions.
 */
const definitionChanged =
  /^(?:(?:connector|flow|pipeline|agent|app|automation)\.(?:created|updated|deleted|dataset_\w+|definition_set)|automation\.release_\w+)$/;

/** Replaces ids and secrets, which are new in each request. */
const comparable = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .replace(/(lh[pt]_)?[\w-]{43}(?=")/g, "<secret>");

/**
 * Every kind of write, in an order in which each succeeds. The optional function reads the values for later writes from
 * the real answer.
 */
const writes: [Name, (given: Record<string, string>) => Sent, ((body: never) => Record<string, string>)?][] =
  [
    ["createEnvironment", () => ({ body: { name: "prod", configuration: { token: "s3cret" } } })],
    ["updateEnvironment", () => ({ params: { environment_id: "prod" }, body: { description: "now" } })],
    [
      "createUser",
      () => ({ body: { username: "ada@example.com", password: "a long and rare sentence" } }),
      id("user_id"),
    ],
    ["updateUser", ({ user_id }) => ({ params: { user_id: user_id ?? "" }, body: { role: "viewer" } })],
    [
      "createToken",
      ({ user_id }) => ({ params: { user_id: user_id ?? "" }, body: { comment: "laptop" } }),
      (body: { details: { id: string } }) => ({ token_id: body.details.id }),
    ],
    ["revokeToken", (given) => ({ params: pick(given, "user_id", "token_id") })],
    [
      "putEnvironmentRole",
      () => ({ params: { environment_id: "prod", username: "ada@example.com" }, body: { role: "operator" } }),
    ],
    ["deleteEnvironmentRole", () => ({ params: { environment_id: "prod", username: "ada@example.com" } })],
    ["deleteUser", (given) => ({ params: pick(given, "user_id") })],
    [
      "runBatch",
      () => ({
        body: {
          mode: "each",
          operations: [{ method: "PATCH", path: "/api/v1/environments/prod", body: { description: "then" } }],
        },
      }),
    ],
    ["putSecret", () => ({ params: { scope: "shop", key: "password" }, body: { value: "s3cret" } })],
    [
      "limitSecretScope",
      () => ({ params: { scope: "shop" }, body: { environments: ["prod"], roles: ["admin"] } }),
    ],
    ["deleteSecret", () => ({ params: { scope: "shop", key: "password" } })],
    [
      "createConnector",
      () => ({
        body: { name: "crm", target_type: "csv", target_config: null, created_by: "ada" },
        headers: { "idempotency-key": "k-1" },
      }),
      (body: { id: string; workflow_id: string }) => ({ connector_id: body.id, job_id: body.workflow_id }),
    ],
    [
      "addDataset",
      (given) => ({ params: pick(given, "connector_id"), body: endpoints.addDataset.example.body }),
      (body: { datasets: { id: string }[] }) => ({ dataset_id: body.datasets[0]?.id ?? "" }),
    ],
    [
      "updateDataset",
      (given) => ({ params: pick(given, "connector_id", "dataset_id"), body: { write_strategy: "replace" } }),
    ],
    ["removeDataset", (given) => ({ params: pick(given, "connector_id", "dataset_id") })],
    [
      "updateConnector",
      (given) => ({
        params: pick(given, "connector_id"),
        body: { schedule_cron: "0 7 * * *" },
        headers: { "if-match": "*" },
      }),
    ],
    ["pauseConnector", (given) => ({ params: pick(given, "connector_id"), body: { reason: "tonight" } })],
    ["resumeConnector", (given) => ({ params: pick(given, "connector_id") })],
    ["runJob", (given) => ({ params: pick(given, "job_id"), body: { reason: "now" } }), id("run_id")],
    ["retryRejects", (given) => ({ params: pick(given, "connector_id") })],
    ["cancelRun", (given) => ({ params: pick(given, "run_id") })],
    ["deleteConnector", (given) => ({ params: pick(given, "connector_id") })],
    ["createFlow", () => ({ body: endpoints.createFlow.example.body }), id("flow_id")],
    [
      "updateFlow",
      (given) => ({
        params: pick(given, "flow_id"),
        body: { ...endpoints.createFlow.example.body, description: "new" },
      }),
    ],
    ["pauseFlow", (given) => ({ params: pick(given, "flow_id"), body: {} })],
    ["resumeFlow", (given) => ({ params: pick(given, "flow_id") })],
    ["deleteFlow", (given) => ({ params: pick(given, "flow_id") })],
    [
      "createPipeline",
      () => ({ body: { name: "orders", libraries: [{ file: { path: "pipelines/orders.sql" } }] } }),
      (body: { pipeline_id: string }) => ({ pipeline_id: body.pipeline_id }),
    ],
    ["updatePipeline", (given) => ({ params: pick(given, "pipeline_id"), body: { serverless: true } })],
    [
      "startPipelineUpdate",
      (given) => ({ params: pick(given, "pipeline_id"), body: {} }),
      (body: { update_id: string }) => ({ run_id: body.update_id }),
    ],
    ["stopPipeline", (given) => ({ params: pick(given, "pipeline_id"), body: {} })],
    ["deletePipeline", (given) => ({ params: pick(given, "pipeline_id") })],
    ["createDeployment", () => ({ body: endpoints.createDeployment.example.body }), id("deployment_id")],
    [
      "updateDeployment",
      (given) => ({ params: pick(given, "deployment_id"), body: { deployment_name: "1.4.1" } }),
    ],
    ["startDeployment", (given) => ({ params: pick(given, "deployment_id") })],
    [
      "appendDeploymentLog",
      (given) => ({ params: pick(given, "deployment_id"), body: { log_chunk: "a\n" } }),
    ],
    [
      "finishDeployment",
      (given) => ({ params: pick(given, "deployment_id"), body: { status: "succeeded" } }),
    ],
    ["deleteDeployment", (given) => ({ params: pick(given, "deployment_id") })],
    ["createPlan", () => ({ body: { environment: "prod", project: { name: "shop" } } })],
    ["createAgent", () => ({ body: { name: "desk" } }), id("agent_id")],
    ["updateAgent", (given) => ({ params: pick(given, "agent_id"), body: { aliases: ["orders-bot"] } })],
    [
      "createAgentVersion",
      (given) => ({ params: pick(given, "agent_id"), body: { version: "1.0.0", source_path: "desk" } }),
    ],
    [
      "syncAgentRelease",
      () => ({ body: { agent_name: "desk", version: "1.0.0", environment: "remote", action: "activate" } }),
    ],
    [
      "createApp",
      () => ({ body: { name: "ui", agent: "desk" }, headers: { "x-environment-id": "remote" } }),
      id("app_id"),
    ],
    ["updateApp", (given) => ({ params: pick(given, "app_id"), body: { description: "of orders" } })],
    ["startApp", () => ({ body: { application_name: "ui" }, headers: { "x-environment-id": "remote" } })],
    ["createTicket", (given) => ({ params: pick(given, "app_id") })],
    [
      "retryComponent",
      (given) => ({
        body: { agent_id: given.agent_id, component: "agent_endpoint" },
        headers: { "x-environment-id": "remote" },
      }),
    ],
    ["stopApp", () => ({ body: { application_name: "ui" }, headers: { "x-environment-id": "remote" } })],
    ["startApp", () => ({ body: { application_name: "ui" }, headers: { "x-environment-id": "remote" } })],
    ["deleteApp", (given) => ({ params: pick(given, "app_id") })],
    ["createAgentVersion", (given) => ({ params: pick(given, "agent_id"), body: { version: "2.0.0" } })],
    ["deleteAgentVersion", (given) => ({ params: { ...pick(given, "agent_id"), version: "2.0.0" } })],
    ["stopAgent", (given) => ({ body: pick(given, "agent_id"), headers: { "x-environment-id": "remote" } })],
    ["deleteAgent", (given) => ({ params: pick(given, "agent_id") })],
    ["createAutomation", () => ({ body: { alias: "daily" } })],
    [
      "putAttempt",
      () => ({
        params: { automation_alias: "daily", attempt_id: "a1" },
        body: { ...validDesign, files: [], metadata: {} },
      }),
    ],
    ["deleteAttempt", () => ({ params: { automation_alias: "daily", attempt_id: "a1" } })],
    [
      "setDefinition",
      () => ({
        params: { automation_alias: "daily" },
        body: { ...validDesign, tasks: [{ name: "tell", kind: "http", url: "http://127.0.0.1:1/" }] },
      }),
    ],
    ["updateAutomation", () => ({ params: { automation_alias: "daily" }, body: { description: "later" } })],
    [
      "syncAutomationRelease",
      () => ({
        body: {
          automation_alias: "daily",
          environment: "dev",
          action: "activate",
          metadata: { version: "1" },
        },
      }),
    ],
    ["setSchedule", () => ({ params: { automation_alias: "daily", action: "pause" }, body: {} })],
    [
      "bindChat",
      (given) => ({
        body: {
          environment: "dev",
          channel_id: "C1",
          channel_url: given.channel,
          automation_alias: "daily",
        },
      }),
      (body: { binding: { id: string } }) => ({ binding_id: body.binding.id }),
    ],
    [
      "runAutomation",
      () => ({ params: { automation_alias: "daily" }, body: {}, headers: { "x-environment-id": "dev" } }),
      id("run_id"),
    ],
    ["retryRun", (given) => ({ params: pick(given, "run_id") })],
    ["retryDelivery", (given) => ({ params: pick(given, "delivery_id") })],
    ["deleteBinding", (given) => ({ params: pick(given, "binding_id") })],
    [
      "syncAutomationRelease",
      () => ({ body: { automation_alias: "daily", environment: "dev", action: "delete", metadata: {} } }),
    ],
    ["deleteAutomation", () => ({ params: { automation_alias: "daily" } })],
    [
      "requestEnvironmentChange",
      () => ({ params: prod, body: { change: { name: "old" }, reason: "Moved" } }),
    ],
    ["withdrawEnvironmentChange", () => ({ params: prod })],
    [
      "requestEnvironmentChange",
      () => ({ params: prod, body: { change: { protected: true }, reason: "It is live" } }),
      id("asked"),
    ],
    [
      "approveEnvironmentChange",
      ({ second_admin, asked = "" }) => ({
        params: prod,
        body: { id: asked },
        headers: { authorization: `Bearer ${second_admin}` },
      }),
    ],
    ["deleteEnvironment", () => ({ params: prod, query: "force=true" })],
  ];

const prod = { environment_id: "prod" };

function id(name: string) {
  return (body: { id: string }) => ({ [name]: body.id });
}

function pick(given: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, given[name] ?? "none"]));
}

for (const engine of enginesOfSlowSuites) {
  suite(`dry runs on ${engine}`, () => {
    const noon = new Date("2026-03-01T12:00:00Z");
    let server: TestServer;
    let remote: RemotePlatform;
    let channel: TestReceiver;
    const closing: (() => void)[] = [];
    const given: Record<string, string> = {};

    before(async () => {
      remote = await startRemotePlatform("remote", ["csv"]);
      channel = await startReceiver({ after: (close) => void closing.push(close as () => void) });
      channel.respond = () => ({ status: 410 });
      given.channel = `${channel.url}/hook`;
      server = await startTestServer({
        engine,
        platforms: [remote.platform],
        now: () => noon,
        settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
      });
      await server.client.createEnvironment({ body: { name: "remote", platform: "remote" } });
      await server.client.createEnvironment({ body: { name: "dev" } });
      const admin = await server.client.createUser({ body: { username: "second", role: "admin" } });
      const { token } = await server.client.createToken({ params: { user_id: admin.id }, body: {} });
      given.second_admin = token;
    });
    after(async () => {
      for (const close of closing) close();
      await server.close();
      await remote.close();
    });

    async function send(
      name: Name,
      { params = {}, query = "", body, headers }: Sent,
      dry?: string,
    ): Promise<Answer> {
      const { method, path } = endpoints[name] as Endpoint;
      const at = path.replace(/\{(\w+)\*?\}/g, (_, key: string) => encodeURIComponent(params[key] ?? "none"));
      const search = [query, dry === undefined ? "" : `dry_run=${dry}`].filter(Boolean).join("&");
      const response = await server.fetch(`${at}${search && `?${search}`}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      assert.equal(response.headers.get("dry-run"), dry === "true" ? "true" : null, `${name}: ${text}`);
      return {
        status: response.status,
        etag: response.headers.get("etag"),
        body: JSON.parse(text),
      };
    }

    /** Everything that a request could change. */
    const state = async () => ({
      rows: await server.rows(),
      files: await Promise.all(
        ["workspaces", "staging"].map((folder) => readdir(join(server.dataDir, folder), { recursive: true })),
      ),
      remote: remote.requests.length,
      channel: channel.received.length,
    });

    /** Runs and deliveries continue after their request. */
    const settled = () =>
      until(async () => {
        const { runs } = await server.client.listRuns();
        const { deliveries } = await server.client.listDeliveries({ query: { state: "waiting" } });
        return runs.every(({ ended_at }) => ended_at !== null) && deliveries.length === 0;
      }, 20);

    /** Every failed run of the automation is reported to the channel, which refuses it. */
    async function deadDelivery(n: number): Promise<Record<string, string>> {
      const list = async () => (await server.client.listDeliveries({ query: { state: "dead" } })).deliveries;
      await until(async () => (await list()).length === n, 20);
      return { delivery_id: (await list())[0]?.id ?? "" };
    }

    test("a dry run of every write gives its answer and changes nothing, and beyond a quota its refusal", async () => {
      let seen = (await server.events()).length;
      for (const [name, request, learn] of writes) {
        const before = await state();
        const dry = await send(name, request(given), "true");
        assert.deepEqual(await state(), before, `${name} has written something`);
        const full = await whileFull(server, () => send(name, request(given), "true"));
        const stored = await storedCharacters(server);
        const real = await send(name, request(given));
        const grown = (await storedCharacters(server)) - stored;
        // Beyond a quota, a request that may add something is refused; one that only changes a state or removes
        // something never is.
        const isRefused = full.status === 413;
        const isFree = isBounded(endpoints[name]);
        const what = `${name} stores ${grown} characters more, and beyond a quota it gets ${full.status}: ${JSON.stringify(full.body)}`;
        if (name === "runBatch") assert.match(JSON.stringify(full.body), /"status":413/, what);
        else if (isFree || grown > 0) assert.equal(isRefused, !isFree, what);
        if (isFree) assert.ok(grown < 2_000, what);
        const shown = ({ status, etag, body }: Answer) => [
          status,
          etag,
          JSON.parse(comparable(JSON.stringify(body))),
        ];
        // A dry run of a batch says that nothing was committed.
        if (name === "runBatch") Object.assign(dry.body as object, { committed: true });
        assert.deepEqual(shown(dry), shown(real), name);
        assert.equal(real.status, name === "cancelRun" ? 409 : 200, `${name}: ${JSON.stringify(real.body)}`);
        Object.assign(given, learn?.(real.body as never));
        const said = (await server.events()).slice(seen);
        seen += said.length;
        const { changes } = endpoints[name] as Endpoint;
        if (changes !== "definition" && changes !== "draft" && name !== "runBatch") {
          const changed = said.filter(({ kind }) => definitionChanged.test(kind)).map(({ kind }) => kind);
          assert.deepEqual(changed, [], `${name} changes a definition, and is declared as "${changes}"`);
        }
        await settled();
        if (name === "runAutomation") Object.assign(given, await deadDelivery(1));
        if (name === "retryRun") Object.assign(given, await deadDelivery(2));
        if (name === "retryDelivery") await deadDelivery(2);
      }
    });

    test("every other write refuses a dry run, and is not carried out", async () => {
      const tried = new Set<string>(writes.map(([name]) => name));
      for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
        if (endpoint.method === "GET" || endpoint.readOnly) continue;
        assert.equal(tried.has(name), acceptsDryRun(endpoint), name);
        if (acceptsDryRun(endpoint)) continue;
        const before = await state();
        const body = endpoint.body === undefined ? undefined : endpoint.example?.body;
        const headers = { "x-environment-id": "dev" };
        const { status, body: answer } = await send(name as Name, { params: given, body, headers }, "true");
        assert.deepEqual(await state(), before, name);
        const message = `This request ${endpoint.effect}, which no transaction can undo.`;
        const detail = [{ type: "value_error", loc: ["query", "dry_run"], msg: message, input: "true" }];
        assert.deepEqual([status, answer], [422, { detail }], name);
      }
    });

    test("a dry run of what changes nothing is the request itself", async () => {
      const before = await state();
      const request = { body: { query: "select 1 as one" }, headers: { "x-environment-id": "dev" } };
      const dry = await send("validateQuery", request, "true");
      assert.equal(dry.status, 200);
      assert.deepEqual(await state(), before);
    });

    test("a run that is cancelled in a dry run goes on", async (t) => {
      const { client } = server;
      const waiting = await startReceiver(t);
      const answer = Promise.withResolvers<void>();
      waiting.respond = () => answer.promise.then(() => ({ status: 200 }));
      const params = { automation_alias: "long" };
      const tasks = [{ name: "wait", kind: "http" as const, url: waiting.url }];
      await client.createAutomation({ body: { alias: "long", definition: { tasks } } });
      await client.syncAutomationRelease({ body: { ...params, environment: "dev", metadata: {} } });
      const { id: run_id } = await client.runAutomation({ params, environment: "dev", body: {} });
      await until(() => waiting.received.length > 0, 20);
      assert.equal((await send("cancelRun", { params: { run_id } }, "true")).status, 200);
      answer.resolve();
      const read = () => client.getRun({ params: { run_id } });
      await until(async () => (await read()).ended_at !== null, 20);
      assert.equal((await read()).status, "succeeded");
    });
  });
}
