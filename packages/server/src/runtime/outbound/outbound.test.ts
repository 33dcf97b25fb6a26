import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";
import type { Lookup } from "@lakehelm/engine/egress";
import { keepConnections } from "./http-exchange.ts";
import { createOutbound } from "./outbound.ts";
import type { OutboundRequest } from "./outbound-request.ts";

const local: Lookup = async () => [{ address: "127.0.0.1", family: 4 }];
const strict = { allowsPrivate: false, privateAddresses: [] };
const allowingLocal = createOutbound({ allowsPrivate: false, privateAddresses: ["127.0.0.0/8"] }, local);
const post = { method: "POST", headers: {}, timeoutMs: 5_000 } satisfies Partial<OutboundRequest>;

suite("outbound requests", () => {
  const closing: (() => void)[] = [];
  after(() => closing.forEach((close) => void close()));

  async function given(listener: RequestListener) {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://hooks.test:${(server.address() as AddressInfo).port}`;
  }

  test("a request goes to the address that was checked, with the name of the host", async () => {
    const received: unknown[] = [];
    const url = await given(async (request, response) => {
      const body = await request.toArray();
      received.push([
        request.method,
        request.url,
        request.headers.host,
        request.headers["x-one"],
        String(body),
      ]);
      response.writeHead(201, { "x-two": "2" }).end("thanks");
    });
    const answer = await allowingLocal.send({
      ...post,
      url: `${url}/a?b=c`,
      headers: { "X-One": "1" },
      body: "ä",
    });
    assert.deepEqual([answer.status, answer.headers["x-two"], answer.body], [201, "2", "thanks"]);
    assert.deepEqual(received, [["POST", "/a?b=c", new URL(url).host, "1", "ä"]]);
  });

  test("a host whose second lookup returns another address gets no request (DNS rebinding)", async () => {
    let requests = 0;
    const url = await given((_, response) => {
      requests += 1;
      response.end();
    });
    const answers = ["8.8.8.8", "127.0.0.1", "127.0.0.1"];
    let lookups = 0;
    const rebinding: Lookup = async () => [{ address: answers[lookups++] ?? "", family: 4 }];
    const outbound = createOutbound(strict, rebinding);
    assert.equal(await outbound.refusal(url), undefined);
    await assert.rejects(outbound.send({ ...post, url }), /hooks\.test is in a private network/);
    // One lookup per request: there is no second result that it could connect to.
    assert.equal(lookups, 2);
    assert.equal(requests, 0);
  });

  test("redirects are not followed", async () => {
    let requests = 0;
    const url = await given((_, response) => {
      requests += 1;
      response.writeHead(307, { location: "http://169.254.169.254/latest" }).end();
    });
    const { status, headers } = await allowingLocal.send({ ...post, url });
    assert.deepEqual([status, headers.location, requests], [307, "http://169.254.169.254/latest", 1]);
  });

  test("at most 1 MiB of a response is read", async () => {
    const url = await given((_, response) => {
      const more = () => void response.write("x".repeat(65_536), (error) => error ?? more());
      more();
    });
    const { body } = await allowingLocal.send({ ...post, url });
    assert.equal(body.length, 1024 * 1024);
  });

  test("with kept connections the next request uses the same one, and a body above maxBytes is an error", async () => {
    const sockets = new Set<unknown>();
    const url = await given((request, response) => {
      sockets.add(request.socket);
      response.end("x".repeat(request.url === "/large" ? 5000 : 5));
    });
    const rules = { allowsPrivate: false, privateAddresses: ["127.0.0.0/8"] };
    const kept = createOutbound(rules, local, keepConnections());
    for (let n = 0; n < 3; n++) assert.equal((await kept.send({ ...post, url, maxBytes: 5 })).body, "xxxxx");
    assert.equal(sockets.size, 1);
    await assert.rejects(kept.send({ ...post, url: `${url}/large`, maxBytes: 1000 }), {
      message: "The host hooks.test sent more than 1000 bytes.",
      retryable: false,
    });
  });

  test("the timeout covers the lookup, a silent server and a slow response", async () => {
    const silent = await given(() => {});
    const trickling = await given((_, response) => void response.write("x"));
    const late = {
      name: "OutboundError",
      message: /hooks\.test did not respond within 0\.05 s/,
      retryable: true,
    };
    const soon = { ...post, timeoutMs: 50 };
    await assert.rejects(allowingLocal.send({ ...soon, url: silent }), late);
    await assert.rejects(allowingLocal.send({ ...soon, url: trickling }), late);
    const lost = createOutbound(strict, () => new Promise(() => {}));
    await assert.rejects(lost.send({ ...soon, url: silent }), late);
  });

  test("a caller can abort a request", async () => {
    const stop = new AbortController();
    const url = await given(() => stop.abort(new Error("It was cancelled.")));
    await assert.rejects(allowingLocal.send({ ...post, url, signal: stop.signal }), /It was cancelled\./);
  });

  test("connection errors are retryable", async () => {
    const hangUpUrl = await given((request) => request.socket.destroy());
    const switching = await given((_, response) => {
      response.writeHead(101, { connection: "upgrade", upgrade: "websocket" }).end();
    });
    const gone = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => gone.once("listening", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const fails = (url: string, message: RegExp) =>
      assert.rejects(allowingLocal.send({ ...post, url }), {
        name: "OutboundError",
        message,
        retryable: true,
      });
    await fails(hangUpUrl, /closed the connection/);
    await fails(switching, /closed the connection/);
    await fails(`http://hooks.test:${port}/s3cret`, /^The host hooks\.test refused the connection\.$/);
    await fails(hangUpUrl.replace("http:", "https:"), /^The host hooks\.test /);
  });

  test("a rejected address has a reason that does not repeat it", async () => {
    const outbound = createOutbound(strict, local);
    const assertRejected = async (url: string, why: RegExp) => {
      const refusal = await outbound.refusal(url);
      assert.match(refusal ?? "", why, url);
      assert.doesNotMatch(refusal ?? "", /s3cret/);
      await assert.rejects(outbound.send({ ...post, url }), { message: refusal ?? "", retryable: false });
    };
    await assertRejected("no address s3cret", /is not a URL/);
    await assertRejected("file:///etc/s3cret", /Only http and https/);
    await assertRejected("ftp://example.com/s3cret", /Only http and https/);
    await assertRejected("https://ada:s3cret@example.com/", /must not contain a user/);
    await assertRejected("https://intra.example/s3cret", /intra\.example is in a private network/);
    await assertRejected("https://INTRA.example./s3cret", /intra\.example is in a private network/);
    await assertRejected("http://[::1]:8000/s3cret", /::1 is in a private network/);
  });

  test("a host that cannot be resolved now is not rejected: it may be resolvable later", async () => {
    const missing = () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    const outbound = createOutbound(strict, missing);
    assert.equal(await outbound.refusal("https://chat.example/hook"), undefined);
    const sent = outbound.send({ ...post, url: "https://chat.example/hook" });
    await assert.rejects(sent, { message: "The host chat.example was not found.", retryable: true });
  });

  test("invalid methods and headers are rejected without repeating their values", async () => {
    const url = await given((_, response) => void response.end());
    const send = (method: string, headers: Record<string, string>) =>
      allowingLocal.send({ ...post, method, headers, url });
    await assert.rejects(send("CONNECT", {}), /"CONNECT" is not a supported HTTP method/);
    await assert.rejects(send("GET /", {}), /is not a supported HTTP method/);
    await assert.rejects(send("GET", { Host: "other" }), /The header Host is set by the HTTP client/);
    await assert.rejects(send("GET", { "Transfer-Encoding": "chunked" }), /is set by the HTTP client/);
    await assert.rejects(send("GET", { "X-A": "s3cret\r\nX-B: 1" }), {
      message: 'The header "X-A" has characters that are not allowed in a header.',
    });
  });
});
