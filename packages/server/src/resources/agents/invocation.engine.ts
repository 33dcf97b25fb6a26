import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { eventually } from "../../web/http/test-requests.ts";
import { putTestAgent } from "./test-agent.ts";

suite("invoking an agent", () => {
  let server: TestServer;
  const name = "order-desk";
  before(async () => {
    server = await startTestServer();
    const source_path = await putTestAgent(server.client, "local");
    await server.client.createAgent({ body: { name, aliases: ["orders/bot"], source_path } });
    await server.client.retryComponent({ body: { agent_id: name, component: "agent_endpoint" } });
  });
  after(() => server.close());

  const ask = (content: string, init: RequestInit = {}) =>
    server.fetch(`/agents/${name}/invocations`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ role: "user", content }] }),
      ...init,
      headers: { "content-type": "application/json", ...init.headers },
    });

  test("an agent is invoked by id, name or alias, and its response is unchanged", async () => {
    const { id } = await server.client.getAgent({ params: { agent_id: name } });
    const body = JSON.stringify({ messages: [{ role: "user", content: "hello" }], top: 1 });
    for (const agent_name of [id, name, "orders/bot"]) {
      const headers = { "content-type": "application/json" };
      const answer = await server.client.invokeAgent({ params: { agent_name }, body, headers });
      assert.match(String((answer as { output_text: string }).output_text), /^hello \d+ \{"top":1\}$/);
    }
    const bytes = Uint8Array.of(0, 255, 10);
    const echo = await ask("", { body: bytes, headers: { "content-type": "image/x" } });
    assert.deepEqual([echo.status, echo.headers.get("content-type")], [201, "text/x-echo"]);
    const failed = await ask("fail");
    assert.deepEqual([failed.status, await failed.json()], [500, { error: "no idea" }]);
    const empty = await server.fetch(`/agents/${name}/invocations`, {
      method: "POST",
      headers: { "content-type": "x/y" },
    });
    assert.equal(empty.status, 201);
  });

  test("the agent gets the caller's name and role, and no token", async () => {
    const sent = { "x-forwarded-user": "root", cookie: "a=1", "x-request-id": "r-1", accept: "text/x" };
    const received = (await (await ask("headers", { headers: sent })).json()) as Record<string, string>;
    const { host, connection, ...others } = received;
    assert.deepEqual(others, {
      accept: "text/x",
      "content-type": "application/json",
      "content-length": others["content-length"],
      "x-forwarded-user": "internal-service",
      "x-forwarded-preferred-username": "internal-service",
      "x-forwarded-role": "admin",
      "x-request-id": "r-1",
    });
  });

  test("a response is streamed, and the agent is disconnected when the caller disconnects", async () => {
    const leaving = new AbortController();
    const answer = await ask("events", { signal: leaving.signal });
    assert.equal(answer.headers.get("content-type"), "text/event-stream");
    const { value } = await (answer.body as ReadableStream<Uint8Array>).getReader().read();
    assert.equal(new TextDecoder().decode(value), "data: 1\n\n");
    leaving.abort();
    const lines = async () =>
      (await server.client.readAgentLog({ params: { agent_id: name } })).lines.map(({ line }) => line);
    await eventually(async () => (await lines()).includes("the caller disconnected"), "the agent notices");
  });

  test("an agent that disconnects aborts the response without an internal error", async () => {
    const answer = await ask("break off");
    await assert.rejects(answer.text());
    assert.deepEqual(
      server.logged.filter((line) => line.includes('"level":50')),
      [],
    );
  });

  test("an agent with an invalid response is unavailable", { timeout: 20_000 }, async () => {
    for (const question of ["switch", "no status"]) {
      const answer = await ask(question);
      assert.equal(answer.status, 503, question);
      assert.match(await answer.text(), /The endpoint of \\"order-desk\\" does not answer/);
    }
  });

  test("a stopped endpoint is 409, with the call that starts it", async () => {
    const { client } = server;
    const idle = unique("idle");
    await client.createAgent({ body: { name: idle } });
    const call = (agent_name: string, environment?: string) =>
      client.invokeAgent({ params: { agent_name }, body: "{}", ...(environment && { environment }) });
    await refused(call("nobody"), 404, 'There is no agent "nobody".');
    await refused(
      call(idle),
      409,
      /is not running in this environment\. To start it .*POST \/api\/agents\/retry-component/,
    );
    await client.createEnvironment({ body: { name: "elsewhere" } });
    await refused(call(name, "elsewhere"), 409, /is not running in this environment/);
    await refused(call(name, "nowhere"), 404);
    const stranger = await fetch(`${server.url}/agents/${name}/invocations`, { method: "POST", body: "{}" });
    assert.equal(stranger.status, 401);
  });
});
