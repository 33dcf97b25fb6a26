import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textIn } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import { relay } from "./relay.ts";
import { eventually, openWire, send } from "./test-requests.ts";

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

suite("requests forwarded to the server that holds the data folder", () => {
  test("a body is not parsed as a second request, whatever the Connection header names", {
    timeout: 5_000,
  }, async (t) => {
    const received: string[] = [];
    const holder = await serve(t, async (request, response) => {
      received.push(`${request.method} ${request.url} ${await textIn(request)}`);
      response.end("answered");
    });
    const url = await serve(t, (request, response) => {
      relay({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    const hidden = "PUT /hidden HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n";
    for (const method of ["GET", "DELETE", "HEAD", "POST"]) {
      received.length = 0;
      const wire = await openWire(url);
      wire.write(
        `${method} /first HTTP/1.1\r\nHost: x\r\nConnection: content-length\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      );
      await wire.until(/^HTTP\/1\.1 200 /);
      wire.socket.destroy();
      assert.equal((await send(url, { path: "/second" })).text, "answered");
      await eventually(() => received.length >= 2, "both have come");
      assert.deepEqual(received, [`${method} /first ${hidden}`, "GET /second "]);
    }
  });

  test("requests with a body use separate connections; others share one", async (t) => {
    const ports: (number | undefined)[] = [];
    const holder = await serve(t, (request, response) => {
      ports.push(request.socket.remotePort);
      request.resume().once("end", () => response.end());
    });
    const url = await serve(t, (request, response) => {
      relay({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    for (const body of [undefined, undefined, "x", "y"]) {
      await send(url, { path: "/", ...(body !== undefined && { method: "POST", body }) });
    }
    assert.equal(ports[0], ports[1]);
    assert.equal(new Set(ports).size, 3);
  });
});
