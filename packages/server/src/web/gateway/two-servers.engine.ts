/** If several servers share a PostgreSQL, agents and apps run on the server that holds the data folder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { putTestAgent } from "../../resources/agents/test-agent.ts";
import { startTestServer } from "../../testing/server.ts";
import { putTinyApp } from "../../testing/tiny-app.ts";
import { send } from "../http/test-requests.ts";
import { cookieOf } from "./test-gateway.ts";

test("every server issues tickets and forwards requests; the lease holder serves the apps", async (t) => {
  const holder = await startTestServer({ engine: "postgres" });
  t.after(() => holder.close());
  const other = await holder.another();
  t.after(() => other.close());
  const { client } = other;
  const app = await client.createApp({
    body: { name: "ui", source_path: await putTinyApp(client, "local") },
  });
  await client.startApp({ body: { application_name: "ui" } });

  const { url } = await client.createTicket({ params: { app_id: app.id } });
  const { origin, pathname, search } = new URL(url);
  assert.equal(origin, holder.server.appsUrl);
  const headers = { cookie: cookieOf(await send(origin, { path: pathname + search })) };
  assert.match((await send(origin, { path: `${pathname}pid`, headers })).text, /^\d+$/);
  for (const [path, statuses] of [
    ["/", [200, 503]],
    // A session is valid at every server, but only one of them has the app.
    [`${pathname}pid`, [200, 503]],
  ] as const) {
    const ask = async (at: string) => (await send(at, { path, headers })).status;
    assert.deepEqual([await ask(holder.server.appsUrl), await ask(other.server.appsUrl)], statuses);
  }

  const source_path = await putTestAgent(client, "local");
  await client.createAgent({ body: { name: "desk", source_path } });
  await client.retryComponent({ body: { agent_id: "desk", component: "agent_endpoint" } });
  const leaving = new AbortController();
  const answer = await other.fetch("/agents/desk/invocations", {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: "events" }] }),
    headers: { "content-type": "application/json" },
    signal: leaving.signal,
  });
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  const { value } = await (answer.body as ReadableStream<Uint8Array>).getReader().read();
  assert.equal(new TextDecoder().decode(value), "data: 1\n\n");
  leaving.abort();
});
