import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Endpoint, endpoints, listFields, planKinds } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { startTestServer, type TestServer, unique } from "../testing/server.ts";

/** Names that look like another name, or that contain invisible characters. */
const hostile = [
  "оrders",
  "or\u202eders",
  "or\u0007ders",
  "orders ",
  "or\u200bders",
  "ｏrders",
  "or\u00a0ders",
];
const ordinary = ["注文", "Заказы SAP", "طلبات", "Zażółć 2026"];

/** Fields that name something that already exists, or whose name is not chosen in Lakehelm. */
const references = new Set([
  // Names of tables and columns follow the rules of SQL.
  "target_name",
  "table_name",
  "schema_name",
  "catalog_name",
  // The application of a command must exist.
  "application_name",
  // Names of another system.
  "channel_name",
  "workflow_name",
]);

const named: [string, Endpoint, string][] = Object.entries(endpoints as Record<string, Endpoint>).flatMap(
  ([name, endpoint]) => {
    const { body } = (endpoint.example ?? {}) as { readonly body?: unknown };
    const isRead =
      endpoint.method === "GET" ||
      endpoint.readOnly ||
      endpoint.access === "viewer" ||
      endpoint.tag === "Code generation";
    if (isRead || typeof body !== "object" || body === null) return [];
    return Object.keys(body)
      .filter((field) => /(?:^|_)(?:name|alias|username)$/.test(field) && !references.has(field))
      .map((field): [string, Endpoint, string] => [name, endpoint, field]);
  },
);

suite("names that look like others", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  test("there are operations of every kind to try", () => {
    const tags = new Set(named.map(([, { tag }]) => tag));
    assert.ok(tags.size >= 7, [...tags].join());
    for (const [kind, fields] of Object.entries(listFields)) {
      if (!("isNamed" in fields) || kind === "plans") continue;
      assert.ok(
        named.some(([name]) => new RegExp(`create${kind.slice(0, -1)}`, "i").test(name)) ||
          kind === "deployments",
        kind,
      );
    }
  });

  for (const [operation, endpoint, field] of named) {
    test(`${operation} refuses them in ${field}`, async () => {
      const { body, params = {} } = endpoint.example as {
        readonly body: Record<string, unknown>;
        readonly params?: Record<string, string>;
      };
      // A path with a parameter needs an existing resource: only creations can be tried with their example.
      if (/\{/.test(endpoint.path)) return;
      const send = async (name: string) => {
        const response = await server.fetch(endpoint.path, {
          method: endpoint.method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...body, ...params, [field]: name }),
        });
        return { status: response.status, text: await response.text() };
      };
      for (const name of hostile) {
        const { status, text } = await send(name);
        const exists =
          status === 404 ||
          (status === 409 && /alike|blank|not shown|control|another form|invisible/.test(text));
        assert.ok(exists, `${JSON.stringify(name)}: ${status} ${text}`);
      }
      for (const name of ordinary) {
        const { text } = await send(name);
        assert.doesNotMatch(text, /alike|blank|not shown|another form/, name);
      }
    });
  }

  test("a rename is refused, and a resource from before keeps its name", async () => {
    const { client } = server;
    const refusal = { status: 409, message: /alike/ };
    const { id: environment_id } = await client.createEnvironment({ body: { name: unique("e") } });
    await assert.rejects(
      client.updateEnvironment({ params: { environment_id }, body: { name: "dеv" } }),
      refusal,
    );
    const made = await client.createConnector({
      body: { name: unique("c"), target_type: "csv", target_config: null, created_by: "ada" },
    });
    const params = { connector_id: made.id };
    await assert.rejects(client.updateConnector({ params, body: { name: "оrders" } }), refusal);
    const agent = await client.createAgent({ body: { name: unique("a") } });
    await assert.rejects(
      client.updateAgent({ params: { agent_id: agent.id }, body: { aliases: ["dеsk"] } }),
      refusal,
    );
    await assert.rejects(client.putFile({ params: { path: "notes/аbc.txt" }, body: "x" }), refusal);
    await client.putFile({ params: { path: "заметки/注文.txt" }, body: "x" });
  });

  test("a plan refuses them for every kind", async () => {
    const client = createClient({ baseUrl: server.url, token: server.token, retries: 0 });
    const bodies = new Map(
      Object.entries(endpoints as Record<string, Endpoint>).map(([name, { example }]) => [
        name.replace(/^create/, "").toLowerCase(),
        (example as { body?: Record<string, unknown> } | undefined)?.body,
      ]),
    );
    for (const kind of planKinds) {
      const { name: _, alias: __, flow_name: ___, ...definition } = bodies.get(kind) ?? {};
      const resources = [{ kind, name: "оrders", definition }];
      await assert.rejects(
        client.createPlan({ body: { project: { name: "shop" }, environment: "local", resources } }),
        { status: 409, message: /alike/ },
        kind,
      );
    }
  });
});
