import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { type ServerProcess, spawnServer, startProcess, testHome } from "./testing/process.ts";
import { engines } from "./testing/server.ts";

/** A request that the server has begun to read: it has asked for the body. */
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
    // The limit is 10 s. With nothing left to wait for, it must not be used up.
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
