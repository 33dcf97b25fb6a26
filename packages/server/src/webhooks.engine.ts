/** Makes a real server send every webhook of the contract, and compares what arrives with its schema. */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { webhooks } from "@lakehelm/contract";
import { conformanceError } from "@lakehelm/contract/schema";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "./testing/server.ts";

interface Received {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** An agent that replies with the request that it received. */
const agent = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
createServer(async (request, response) => {
  const { method, headers } = request;
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ output_text: JSON.stringify({ method, headers, body: JSON.parse(body || "null") }) }));
}).listen(process.env.DATABRICKS_APP_PORT, "127.0.0.1");
`;

suite("the webhooks of the contract", () => {
  /** By the name of the webhook, which is also the path of its URL. */
  const received = new Map<string, Received[]>();
  const receiver = createServer(async (request, response) => {
    const { method = "", headers, url = "" } = request;
    const sent = await text(request);
    // A check of the connection has no body.
    if (method !== "OPTIONS") record(url.slice(1), { method, headers, body: JSON.parse(sent) });
    response.writeHead(200).end();
  });
  const record = (name: string, one: Received) => received.set(name, [...(received.get(name) ?? []), one]);
  const at = (name: keyof typeof webhooks) =>
    `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`;
  let server: TestServer;

  before(async () => {
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    server = await startTestServer({
      settings: {
        PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
        PLATFORM_MAIL_WEBHOOK_URL: at("mail"),
        PLATFORM_AUDIT_ANCHOR_URL: at("eventAnchor"),
        PLATFORM_AUDIT_ANCHOR_TOKEN: "anchor-token-of-the-test",
      },
    });
  });
  after(async () => {
    await server.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  const environment = "local";
  const arrives = (name: keyof typeof webhooks) => until(() => received.has(name));

  test("messages to channels: signed JSON, Slack, Microsoft Teams", async () => {
    const { client } = server;
    for (const [name, kind] of [
      ["channelMessage", "webhook"],
      ["slackMessage", "slack"],
      ["teamsMessage", "teams"],
    ] as const) {
      const body = { environment, channel_id: name, channel_url: at(name), metadata: { kind } };
      const { binding } = await client.bindChat({ body });
      await client.testBinding({ params: { binding_id: binding.id } });
      await arrives(name);
    }
    await client.syncAutomationRelease({ body: { automation_alias: "released", environment } });
    await until(() => (received.get("channelMessage")?.length ?? 0) >= 2);
  });

  test("rows of a connector, and the request of an http task", async () => {
    const { client } = server;
    await client.createConnector({
      body: {
        name: "out",
        target_type: "http",
        target_config: { url: at("connectorBatch") },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "main.default.orders", target_name: "orders", primary_keys: ["id"] }],
      },
    });
    await client.createAutomation({
      body: {
        alias: "sending",
        definition: {
          tasks: [
            { name: "make", kind: "sql", query: "create table orders as select 1 as id, 2.5 as amount" },
            { name: "send", kind: "connector", reference: "out", depends_on: ["make"] },
            {
              name: "call",
              kind: "http",
              url: at("automationRequest"),
              depends_on: ["send"],
              parameters: { body: { text: "done" } },
            },
          ],
        },
      },
    });
    await client.syncAutomationRelease({ body: { automation_alias: "sending", environment } });
    const { id } = await client.runAutomation({ params: { automation_alias: "sending" } });
    await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
    const { status, metrics } = await client.getRun({ params: { run_id: id } });
    assert.equal(status, "succeeded", JSON.stringify(metrics));
  });

  test("a mail about a pipeline", async () => {
    const { client } = server;
    const { pipeline_id } = await client.createPipeline({
      body: {
        name: "broken",
        libraries: [{ file: { path: "missing.sql" } }],
        notifications: [{ email_recipients: ["ada@example.test"], alerts: ["on-update-failure"] }],
      },
    });
    await client.startPipelineUpdate({ params: { pipeline_id } });
    await arrives("mail");
  });

  test("a chat message to an agent", async () => {
    const { client } = server;
    const put = (path: string, body: string) => client.putFile({ params: { path }, body });
    await put("agents/echo/agent.mjs", agent);
    await put("agents/echo/app.yaml", "command: [node, agent.mjs]\n");
    await client.createAgent({ body: { name: "echo", source_path: "agents/echo" } });
    const release = { agent_name: "echo", version: "1.0.0", environment, action: "activate" } as const;
    await client.syncAgentRelease({ body: release });
    await client.retryComponent({ body: { agent_id: "echo", component: "agent_endpoint" } });
    await client.bindChat({ body: { environment, channel_id: "questions" } });
    const { answer } = await client.postChatMessage({
      params: { agent_id: "echo" },
      body: { environment, channel_id: "questions", text: "How many?", user: "ada" },
    });
    record("agentQuestion", JSON.parse(answer));
  });

  test("the position of the event log", async () => {
    await arrives("eventAnchor");
  });

  for (const [name, { body, headers, methods }] of Object.entries<webhooks.Webhook>(webhooks)) {
    test(`${name} has its method, its headers and its body`, () => {
      const all = received.get(name) ?? [];
      assert.ok(all.length > 0, "it was sent");
      for (const one of all) {
        assert.equal(one.method, methods[0]);
        assert.match(one.headers["content-type"] ?? "", /^application\/json/);
        for (const header of Object.keys(headers)) {
          assert.ok(one.headers[header.toLowerCase()], `${header} is missing`);
        }
        assert.equal(conformanceError(body, one.body), undefined);
      }
    });
  }

  test("nothing else was sent", () => {
    assert.deepEqual([...received.keys()].sort(), Object.keys(webhooks).sort());
  });
});
