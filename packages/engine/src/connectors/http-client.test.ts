import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { serveHttp } from "@lakehelm/testing/http-server";
import { allowsLoopback } from "../testing/loopback.ts";
import { type HttpRequest, sendHttp } from "./http-client.ts";

const send = (url: string, more: Partial<HttpRequest> = {}) =>
  sendHttp(allowsLoopback, { url, headers: {}, signal: AbortSignal.timeout(10_000), ...more });

suite("the HTTP client of connectors", () => {
  test("a compressed body is decoded", async (t) => {
    const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [encoding, compress] of Object.entries(encodings)) {
      const url = await serveHttp(t, (_, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(compress("käse ".repeat(100_000))),
      );
      assert.equal(await text((await send(url)).body), "käse ".repeat(100_000), encoding);
    }
    const broken = await serveHttp(t, (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("not compressed"),
    );
    await assert.rejects(text((await send(broken)).body), /incorrect header check/);
  });

  test("connections are reused after a response was read", async (t) => {
    const ports = new Set<number | undefined>();
    const url = await serveHttp(t, (request, response) => {
      ports.add(request.socket.remotePort);
      response.end("x");
    });
    for (let at = 0; at < 3; at++) assert.equal(await text((await send(url)).body), "x");
    assert.equal(ports.size, 1);
  });

  test("a response that ends early, and one that takes too long, are errors", async (t) => {
    const cut = await serveHttp(t, (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x", () => response.destroy());
    });
    await assert.rejects(text((await send(cut)).body), /aborted/);
    const silent = await serveHttp(t, () => {});
    await assert.rejects(send(silent, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
    const trickling = await serveHttp(t, (_, response) => void response.write("x"));
    const { body } = await send(trickling, { signal: AbortSignal.timeout(200) });
    await assert.rejects(text(body), { name: "TimeoutError" });
    const switching = await serveHttp(t, (_, response) =>
      response.writeHead(101, { connection: "upgrade", upgrade: "websocket" }).end(),
    );
    await assert.rejects(send(switching), Error);
  });

  test("headers of the connection, credentials in the URL and refused addresses send nothing", async (t) => {
    let requests = 0;
    const url = await serveHttp(t, (_, response) => {
      requests += 1;
      response.end();
    });
    for (const name of ["Connection", "transfer-encoding", "Content-Length", "Upgrade", "Expect"]) {
      await assert.rejects(send(url, { headers: { [name]: "x" } }), /is set by the HTTP client/, name);
    }
    await assert.rejects(
      send(url.replace("//", "//ada:s3cret@")),
      /must not contain a user or a password\. Send/,
    );
    await assert.rejects(send(url.replace("127.0.0.1", "[::ffff:10.0.0.1]")), { name: "EgressRefused" });
    assert.equal(requests, 0);
  });

  test("redirects are returned, and repeated headers are joined", async (t) => {
    const url = await serveHttp(t, (request, response) =>
      response
        .writeHead(
          307,
          [
            ["location", "http://169.254.169.254/"],
            ["link", "<a>; rel=next"],
            ["link", "<b>; rel=last"],
            ["x-agent", request.headers["user-agent"] ?? ""],
          ].flat(),
        )
        .end(),
    );
    const { status, headers, discard } = await send(url, { headers: { "User-Agent": "mine" } });
    discard();
    assert.deepEqual(
      [status, headers.get("location"), headers.get("link"), headers.get("x-agent")],
      [307, "http://169.254.169.254/", "<a>; rel=next, <b>; rel=last", "mine"],
    );
  });
});
