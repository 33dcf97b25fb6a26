import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textIn } from "node:stream/consumers";
import { suite, test } from "node:test";
import { serveHttp } from "@lakehelm/testing/http-server";
import { originForm } from "./call.ts";
import { createClientAddresses } from "./client-address.ts";
import { createRelay, relayHeader } from "./relay.ts";
import { eventually, openWire, send } from "./test-requests.ts";

const addressOf = createClientAddresses([]).ofRequest;
const relay = createRelay(Buffer.alloc(32, 1), { now: () => new Date(), addressOf });

suite("requests forwarded to the server that holds the data folder", () => {
  test("a body is not parsed as a second request, whatever the Connection header names", {
    timeout: 5_000,
  }, async (t) => {
    const received: string[] = [];
    const holder = await serveHttp(t, async (request, response) => {
      received.push(`${request.method} ${request.url} ${await textIn(request)}`);
      response.end("answered");
    });
    const url = await serveHttp(t, (request, response) => {
      relay.forward({ url: holder }, request, response, "r-1").catch(() => response.destroy());
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
    const holder = await serveHttp(t, (request, response) => {
      ports.push(request.socket.remotePort);
      request.resume().once("end", () => response.end());
    });
    const url = await serveHttp(t, (request, response) => {
      relay.forward({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    for (const body of [undefined, undefined, "x", "y"]) {
      await send(url, { path: "/", ...(body !== undefined && { method: "POST", body }) });
    }
    assert.equal(ports[0], ports[1]);
    assert.equal(new Set(ports).size, 3);
  });

  test("the target of the request is a path at the holder, never another server", async (t) => {
    const received: (string | undefined)[] = [];
    const holder = await serveHttp(t, (request, response) => {
      received.push(request.url);
      response.end();
    });
    const stranger = await serveHttp(t, (_, response) => void response.end("the stranger"));
    const url = await serveHttp(t, (request, response) => {
      request.url = originForm(request.url ?? "");
      relay.forward({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    const { host } = new URL(stranger);
    const targets = [`${stranger}/a?b=c`, `HTTP://${host}/a?b=c`, `http://x@${host}/a`, `//${host}/a`];
    for (const path of [...targets, `http://${host}?b`, `/\\${host}/a`, `/@${host}/a`, `ftp://${host}/a`]) {
      assert.equal((await send(url, { path })).text, "", path);
    }
    assert.deepEqual(received, [
      "/a?b=c",
      "/a?b=c",
      "/a",
      `//${host}/a`,
      "/?b",
      `/\\${host}/a`,
      `/@${host}/a`,
      `/ftp://${host}/a`,
    ]);
  });

  test("only a server with the key can forward a request, and only this one, for a minute", async (t) => {
    const clients: string[] = [];
    let time = Date.now();
    const own = createRelay(Buffer.alloc(32, 1), { now: () => new Date(time), addressOf });
    const answers = async (request: IncomingMessage, response: ServerResponse) => {
      try {
        clients.push(own.addressOf(request));
        response.end(JSON.stringify(request.headers));
      } catch {
        response.writeHead(403).end();
      }
    };
    const holder = await serveHttp(t, answers);
    const url = await serveHttp(t, (request, response) => {
      own.forward({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    const { text, status } = await send(url, { path: "/a" });
    assert.equal(status, 200);
    assert.deepEqual(clients, ["127.0.0.1"]);
    const sent = JSON.parse(text) as Record<string, string>;
    const headers = { [relayHeader]: sent[relayHeader] ?? "", "x-request-id": "r-1" };
    const statusOf = async (changed: object, path = "/a", method = "GET") =>
      (await send(holder, { method, path, headers: { ...headers, ...changed } })).status;
    assert.equal(await statusOf({}), 200);
    assert.equal(await statusOf({}, "/b"), 403);
    assert.equal(await statusOf({}, "/a", "DELETE"), 403);
    assert.equal(await statusOf({ "x-request-id": "r-2" }), 403);
    assert.equal(
      await statusOf({ [relayHeader]: headers[relayHeader]?.replace("127.0.0.1", "10.0.0.1") }),
      403,
    );
    for (const forged of ["", "1", `${time} 10.0.0.1 `, `${time} 10.0.0.1 AAAA`]) {
      assert.equal(await statusOf({ [relayHeader]: forged }), 403, forged);
    }
    time += 61_000;
    assert.equal(await statusOf({}), 403);
    const foreign = createRelay(Buffer.alloc(32, 2), { now: () => new Date(time), addressOf });
    const other = await serveHttp(t, (request, response) => {
      foreign.forward({ url: holder }, request, response, "r-1").catch(() => response.destroy());
    });
    assert.equal((await send(other, { path: "/a" })).status, 403);
  });
});
