import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import test from "node:test";
import { arrowStream } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { type ServerProcess, spawnServer, startProcess, testHome } from "./testing/process.ts";
import { engines } from "./testing/server.ts";

/** Sends a request whose body the server waits for. */
async function begun({ url, token }: ServerProcess, path: string, body: string) {
  const request = httpRequest(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      expect: "100-continue",
      connection: "keep-alive",
    },
  });
  const answered = once(request, "response").then(([response]) => response as IncomingMessage);
  request.flushHeaders();
  await once(request, "continue");
  return { finish: () => void request.end(body), answered };
}

for (const engine of engines) {
  test(`${engine}: SIGTERM lets requests finish, ends streams, and the process exits with 0`, async (t) => {
    const home = await testHome(t, engine);
    const server = await startProcess(t, home);
    const { url, token } = server;
    const body = JSON.stringify({
      name: "in flight",
      target_type: "postgresql",
      target_config: null,
      created_by: "t",
    });
    const inFlight = await begun(server, "/api/v1/connectors", body);
    const stream = await fetch(`${url}/api/v1/events`, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    assert.equal(stream.status, 200);
    const streamed = stream.text();

    const signalled = performance.now();
    server.child.kill("SIGTERM");
    await server.logged("stopping");

    assert.match(await streamed, /^: connected\n\n/);
    const { hostname, port } = new URL(url);
    await assert.rejects(once(connect(Number(port), hostname), "connect"), { code: "ECONNREFUSED" });
    inFlight.finish();
    const response = await inFlight.answered;
    assert.equal(response.statusCode, 200);
    const { id } = JSON.parse(await text(response));
    assert.equal(await server.ended, 0);
    // The limit is 10 s. With nothing left to wait for, the server must stop earlier.
    assert.ok(performance.now() - signalled < 5_000, `${performance.now() - signalled} ms`);

    const again = await startProcess(t, home);
    const connector = await again.client.getConnector({ params: { connector_id: id } });
    assert.equal(connector.name, "in flight");
  });
}

test("a second server on the same data folder exits with a message, and the first one continues", async (t) => {
  const home = await testHome(t, "sqlite");
  const first = await startProcess(t, home);

  const second = spawnServer(t, home);
  assert.ok(second.stderr);
  const [[code], output] = await Promise.all([once(second, "exit"), text(second.stderr)]);

  assert.equal(code, 1);
  assert.equal(
    output,
    `Lakehelm did not start. The data folder ${home.dataDir} is in use by another Lakehelm. ` +
      "Stop it, or set PLATFORM_DATA_DIR.\n",
  );
  assert.equal((await fetch(`${first.url}/health`)).status, 200);
});

test("work that runs at SIGTERM has five seconds, then gets 503 with Retry-After, and the log has no stack", async (t) => {
  /** An API that never answers. */
  const held: ServerResponse[] = [];
  const api = createServer((_, response) => void held.push(response)).listen(0, "127.0.0.1");
  t.after(() => {
    api.closeAllConnections();
    api.close();
  });
  await once(api, "listening");
  const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const home = await testHome(t, "sqlite");
  const server = await startProcess(t, home, {
    PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
    PLATFORM_QUERIES_AT_ONCE: "6",
    PLATFORM_QUERIES_PER_CALLER: "4",
  });
  const { client, token, url } = server;
  const lines: string[] = [];
  createInterface(server.child.stdout as Readable).on("line", (line) => lines.push(line));
  const connector = await client.createConnector({
    body: {
      name: "slow",
      target_type: "warehouse",
      target_config: { connection: { name: "api", type: "rest", config: { url: origin } } },
      execution_mode: "manual",
      created_by: "t",
      datasets: [{ source_dataset: "/orders", target_name: "shop.sales.orders" }],
    },
  });
  const send = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const preview = `/api/v1/connectors/${connector.id}/preview`;
  const endless = { sql: "SELECT max(a.id * b.id) FROM range(10000000) a, range(10000000) b" };
  const running = [
    send(preview, {}),
    send("/api/v1/queries", endless),
    send("/api/v1/queries", endless, { accept: arrowStream }),
    send("/api/v1/queries/parquet", endless),
    // This query waits for the others.
    send("/api/v1/queries", endless),
  ];
  await until(() => held.length === 1);

  const signalled = performance.now();
  server.child.kill("SIGTERM");
  for (const answer of await Promise.all(running)) {
    const ms = performance.now() - signalled;
    assert.ok(ms > 4_900, `${ms} ms`);
    assert.equal(await answer.text(), '{"detail":"The server is stopping. Send the request again."}');
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  assert.equal(await server.ended, 0);
  const noted = lines.filter(
    (line) => /"stack"|\b at .*\.ts:\d|requests did not finish/.test(line) || JSON.parse(line).level >= 50,
  );
  assert.deepEqual(noted, []);
});
