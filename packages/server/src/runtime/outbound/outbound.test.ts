import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";
import type { Lookup } from "./address.ts";
import { createOutbound } from "./outbound.ts";
import type { OutboundRequest } from "./outbound-request.ts";

const local: Lookup = async () => [{ address: "127.0.0.1", family: 4 }];
const allowingLocal = createOutbound({ PLATFORM_PRIVATE_ADDRESSES: ["127.0.0.0/8"] }, local);
const post = { method: "POST", headers: {}, timeoutMs: 5_000 } satisfies Partial<OutboundRequest>;

suite("the way out", () => {
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

  test("sends a request to exactly the address that was checked, by the host's name", async () => {
    const heard: unknown[] = [];
    const url = await given(async (request, response) => {
      const body = await request.toArray();
      heard.push([request.method, request.url, request.headers.host, request.headers["x-one"], String(body)]);
      response.writeHead(201, { "x-two": "2" }).end("thanks");
    });
    const answer = await allowingLocal.send({
      ...post,
      url: `${url}/a?b=c`,
      headers: { "X-One": "1" },
      body: "ä",
    });
    assert.deepEqual([answer.status, answer.headers["x-two"], answer.body], [201, "2", "thanks"]);
    assert.deepEqual(heard, [["POST", "/a?b=c", new URL(url).host, "1", "ä"]]);
  });

  test("a name that leads elsewhere when it is asked again gets nothing (DNS rebinding)", async () => {
    let requests = 0;
    const url = await given((_, response) => {
      requests += 1;
      response.end();
    });
    const answers = ["8.8.8.8", "127.0.0.1", "127.0.0.1"];
    let asked = 0;
    const rebinding: Lookup = async () => [{ address: answers[asked++] ?? "", family: 4 }];
    const outbound = createOutbound({ PLATFORM_PRIVATE_ADDRESSES: [] }, rebinding);
    assert.equal(await outbound.refusal(url), undefined);
    await assert.rejects(outbound.send({ ...post, url }), /hooks\.test is in a private network/);
    // One lookup per request: there is no second result that it could connect to.
    assert.equal(asked, 2);
    assert.equal(requests, 0);
  });

  test("redirects are answers", async () => {
    let requests = 0;
    const url = await given((_, response) => {
      requests += 1;
      response.writeHead(307, { location: "http://169.254.169.254/latest" }).end();
    });
    const { status, headers } = await allowingLocal.send({ ...post, url });
    assert.deepEqual([status, headers.location, requests], [307, "http://169.254.169.254/latest", 1]);
  });

  test("of an answer without end the first MiB is read", async () => {
    const url = await given((_, response) => {
      const more = () => void response.write("x".repeat(65_536), (error) => error ?? more());
      more();
    });
    const { body } = await allowingLocal.send({ ...post, url });
    assert.equal(body.length, 1024 * 1024);
  });

  test("what takes too long ends: a lookup, a silent server, an answer that trickles", async () => {
    const silent = await given(() => {});
    const trickling = await given((_, response) => void response.write("x"));
    const late = {
      name: "OutboundError",
      message: /hooks\.test did not answer within 0\.05 s/,
      retryable: true,
    };
    const soon = { ...post, timeoutMs: 50 };
    await assert.rejects(allowingLocal.send({ ...soon, url: silent }), late);
    await assert.rejects(allowingLocal.send({ ...soon, url: trickling }), late);
    const lost = createOutbound({ PLATFORM_PRIVATE_ADDRESSES: [] }, () => new Promise(() => {}));
    await assert.rejects(lost.send({ ...soon, url: silent }), late);
  });

  test("a caller can stop it", async () => {
    const stop = new AbortController();
    const url = await given(() => stop.abort(new Error("It was cancelled.")));
    await assert.rejects(allowingLocal.send({ ...post, url, signal: stop.signal }), /It was cancelled\./);
  });

  test("a server that hangs up, switches protocols, speaks no TLS or is not there may be better later", async () => {
    const hangingUp = await given((request) => request.socket.destroy());
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
    await fails(hangingUp, /broke the connection off/);
    await fails(switching, /broke the connection off/);
    await fails(`http://hooks.test:${port}/s3cret`, /^The host hooks\.test refused the connection\.$/);
    await fails(hangingUp.replace("http:", "https:"), /^The host hooks\.test /);
  });

  test("says why an address cannot be called, and never what it is", async () => {
    const outbound = createOutbound({ PLATFORM_PRIVATE_ADDRESSES: [] }, local);
    const refused = async (url: string, why: RegExp) => {
      const refusal = await outbound.refusal(url);
      assert.match(refusal ?? "", why, url);
      assert.doesNotMatch(refusal ?? "", /s3cret/);
      await assert.rejects(outbound.send({ ...post, url }), { message: refusal ?? "", retryable: false });
    };
    await refused("no address s3cret", /is no address/);
    await refused("file:///etc/s3cret", /Only http and https/);
    await refused("ftp://example.com/s3cret", /Only http and https/);
    await refused("https://ada:s3cret@example.com/", /must not carry a user/);
    await refused("https://intra.example/s3cret", /intra\.example is in a private network/);
    await refused("https://INTRA.example./s3cret", /intra\.example is in a private network/);
    await refused("http://[::1]:8000/s3cret", /::1 is in a private network/);
  });

  test("a name that is not found now is no refusal: it may be there when it is called", async () => {
    const missing = () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    const outbound = createOutbound({ PLATFORM_PRIVATE_ADDRESSES: [] }, missing);
    assert.equal(await outbound.refusal("https://chat.example/hook"), undefined);
    const sent = outbound.send({ ...post, url: "https://chat.example/hook" });
    await assert.rejects(sent, { message: "The host chat.example was not found.", retryable: true });
  });

  test("methods and headers that would break the request are refused, values unsaid", async () => {
    const url = await given((_, response) => void response.end());
    const send = (method: string, headers: Record<string, string>) =>
      allowingLocal.send({ ...post, method, headers, url });
    await assert.rejects(send("CONNECT", {}), /"CONNECT" is no method/);
    await assert.rejects(send("GET /", {}), /is no method/);
    await assert.rejects(send("GET", { Host: "other" }), /The header Host belongs to the connection/);
    await assert.rejects(send("GET", { "Transfer-Encoding": "chunked" }), /belongs to the connection/);
    await assert.rejects(send("GET", { "X-A": "s3cret\r\nX-B: 1" }), {
      message: 'The header "X-A" has characters that no header can have.',
    });
  });
});
