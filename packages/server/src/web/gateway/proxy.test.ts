import assert from "node:assert/strict";
import { once } from "node:events";
import { request as begin, type IncomingMessage } from "node:http";
import { text as textIn } from "node:stream/consumers";
import { suite, test } from "node:test";
import { eventually, openWire, send } from "../http/test-requests.ts";
import { ada, startTestGateway } from "./test-gateway.ts";

const at = "/apps/local/ui";

suite("requests forwarded to an app", () => {
  test("only the gateway sets the headers with the user and the address of the app", async (t) => {
    const gateway = await startTestGateway(t, ({ url, headers }, response) =>
      response.end(JSON.stringify({ url, headers })),
    );
    const cookie = `a=1; ${await gateway.enter()}; LAKEHELM_APP=x; b=2`;
    const got = await send(gateway.url, {
      path: `${at}/orders/%2F?x=1`,
      headers: {
        cookie,
        authorization: "Bearer secret",
        "x-service-auth": "secret",
        "x-forwarded-user": "root",
        "x-forwarded-access-token": "secret",
        "x-forwarded-for": "10.0.0.1",
        forwarded: "for=10.0.0.1",
        "x-real-ip": "10.0.0.1",
        "x-request-id": "mine",
        // An app behind CGI or WSGI cannot distinguish these headers from those with dashes.
        x_forwarded_email: "root@example.com",
        "X_Forwarded-Role": "admin",
        x_service_auth: "secret",
        x_request_id: "mine",
        "x.real.ip": "10.0.0.1",
        connection: "keep-alive, x-hop",
        "x-hop": "1",
        te: "trailers",
        "x-kept": "yes",
      },
    });
    const { url, headers } = JSON.parse(got.text) as Pick<IncomingMessage, "url" | "headers">;
    const { "x-request-id": id, ...others } = headers;
    assert.equal(url, "/orders/%2F?x=1");
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    assert.equal(got.headers["x-request-id"], id);
    assert.deepEqual(others, {
      host: new URL(gateway.url).host,
      connection: "keep-alive",
      cookie: "a=1; b=2",
      "x-kept": "yes",
      "x-forwarded-user": ada.name,
      "x-forwarded-preferred-username": ada.name,
      "x-forwarded-email": ada.name,
      "x-forwarded-role": "operator",
      "x-forwarded-host": new URL(gateway.url).host,
      "x-forwarded-proto": "http",
      "x-forwarded-prefix": at,
      "x-forwarded-for": "127.0.0.1",
      "x-real-ip": "127.0.0.1",
    });
  });

  test("any user name can be sent in a header", async (t) => {
    const gateway = await startTestGateway(t, ({ headers }, response) =>
      response.end(JSON.stringify([headers["x-forwarded-user"], headers["x-forwarded-email"]])),
    );
    for (const name of ["Zoë 100% ", "a\r\nx-forwarded-role: admin", "😀", "internal-service"]) {
      const cookie = await gateway.enter({ ...ada, name });
      const got = await send(gateway.url, { path: `${at}/`, headers: { cookie } });
      const [user, mail] = JSON.parse(got.text);
      assert.deepEqual([decodeURIComponent(user), mail], [name, null]);
    }
  });

  test("cookies and redirects of the app are limited to its paths and cannot replace ours", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => {
      response.setHeader("set-cookie", [
        "a=1; Path=/; Domain=example.com; HttpOnly",
        `b=2; path=${at}/x`,
        "c=3; Path=/x",
        "d=4",
        "lakehelm_app=forged; Path=/",
        "__HOST-lakehelm_app=forged",
        "=lakehelm_app=forged",
        "lakehelm_app",
      ]);
      response.writeHead(302, { location: "/login", "service-worker-allowed": "/", "x-kept": "yes" }).end();
    });
    const got = await send(gateway.url, { path: `${at}/`, headers: { cookie: await gateway.enter() } });
    assert.equal(got.status, 302);
    assert.deepEqual(got.headers["set-cookie"], [
      `a=1; Path=${at}; HttpOnly`,
      `b=2; Path=${at}/x`,
      `c=3; Path=${at}/x`,
      "d=4",
    ]);
    const { location, "service-worker-allowed": worker, "x-kept": kept } = got.headers;
    assert.deepEqual([location, worker, kept], [`${at}/login`, undefined, "yes"]);
  });

  test("request and response are streamed", async (t) => {
    const gateway = await startTestGateway(t, (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      request.pipe(response);
    });
    const sending = begin(`${gateway.url}${at}/`, {
      method: "POST",
      agent: false,
      headers: { cookie: await gateway.enter() },
    });
    sending.flushHeaders();
    const [answer] = (await once(sending, "response")) as [IncomingMessage];
    for (const piece of ["data: 1\n\n", "data: 2\n\n"]) {
      const arrived = once(answer, "data");
      sending.write(piece);
      assert.equal(String((await arrived)[0]), piece);
    }
    assert.equal(gateway.acquired(), 1);
    sending.end();
    assert.equal(await textIn(answer), "");
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("a slow reader applies backpressure to the app", async (t) => {
    let written = 0;
    const gateway = await startTestGateway(t, (_, response) => {
      const piece = Buffer.alloc(64 * 1024);
      const more = () => {
        do written += piece.length;
        while (response.write(piece) && written < 256 * 1024 * 1024);
      };
      response.on("drain", more);
      more();
    });
    const sending = begin(`${gateway.url}${at}/`, {
      agent: false,
      headers: { cookie: await gateway.enter() },
    });
    sending.end();
    const [answer] = (await once(sending, "response")) as [IncomingMessage];
    let before = -1;
    await eventually(() => {
      const isStill = written === before;
      before = written;
      return isStill;
    }, "the app waits");
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes are on their way`);
    answer.destroy();
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("a caller that disconnects aborts the forwarded request", async (t) => {
    const reached = Promise.withResolvers<IncomingMessage>();
    const gateway = await startTestGateway(t, (request) => reached.resolve(request));
    const wire = await openWire(gateway.url);
    wire.write(`GET ${at}/ HTTP/1.1\r\nHost: x\r\nCookie: ${await gateway.enter()}\r\n\r\n`);
    const request = await reached.promise;
    const gone = once(request.socket, "close");
    wire.socket.destroy();
    await gone;
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("an app that disconnects or is unreachable is a 502 or a broken response, never a complete one", async (t) => {
    const gateway = await startTestGateway(t, ({ url }, response) => {
      if (url === "/half") response.write("half");
      setImmediate(() => response.destroy());
    });
    const headers = { cookie: await gateway.enter() };
    assert.equal((await send(gateway.url, { path: `${at}/none`, headers })).status, 502);
    await assert.rejects(send(gateway.url, { path: `${at}/half`, headers }));
    gateway.upstream.close();
    gateway.upstream.closeAllConnections();
    const body = Buffer.alloc(5_000_000);
    const refused = await send(gateway.url, { method: "POST", path: `${at}/`, headers, body });
    assert.equal(refused.status, 502);
    assert.equal(gateway.acquired(), 0);
  });

  test("the body of a GET is not parsed as a second request", async (t) => {
    const received: string[] = [];
    const gateway = await startTestGateway(t, async (request, response) => {
      received.push(`${request.method} ${request.url} ${await textIn(request)}`);
      response.end("answered");
    });
    const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\nX-Forwarded-User: root\r\n\r\n";
    const wire = await openWire(gateway.url);
    wire.write(
      `GET ${at}/ HTTP/1.1\r\nHost: x\r\nCookie: ${await gateway.enter()}\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    );
    await wire.until(/answered/);
    wire.socket.destroy();
    assert.deepEqual(received, [`GET / ${hidden}`]);
  });

  test("nor is a body whose length the Connection header names", async (t) => {
    const received: string[] = [];
    const gateway = await startTestGateway(t, async (request, response) => {
      received.push(`${request.method} ${request.url} ${await textIn(request)}`);
      response.end("answered");
    });
    const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\nX-Forwarded-User: root\r\n\r\n";
    const wire = await openWire(gateway.url);
    wire.write(
      `DELETE ${at}/ HTTP/1.1\r\nHost: x\r\nCookie: ${await gateway.enter()}\r\nConnection: content-length\r\n` +
        `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    await wire.until(/answered/);
    wire.socket.destroy();
    assert.deepEqual(received, [`DELETE / ${hidden}`]);
  });

  test("an invalid response of an app is a 502, and the server continues", {
    timeout: 5_000,
  }, async (t) => {
    const switching = "HTTP/1.1 101 Switching Protocols\r\n";
    const responses: Record<string, string> = {
      "/low": "HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n",
      "/bare": `${switching}\r\n`,
      "/switch": `${switching}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    };
    const gateway = await startTestGateway(t, ({ url = "", socket }, response) => {
      if (responses[url] === undefined) return void response.end("well");
      socket.write(responses[url]);
    });
    const headers = { cookie: await gateway.enter() };
    for (const path of Object.keys(responses)) {
      for (const method of ["GET", "POST"]) {
        const got = await send(gateway.url, { method, path: at + path, headers });
        assert.equal(got.status, 502, `${method} ${path}`);
        assert.match(got.text, /The app does not respond/);
      }
      assert.equal((await send(gateway.url, { path: `${at}/`, headers })).text, "well");
    }
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("an event stream ends with the session", { timeout: 5_000 }, async (t) => {
    const gateway = await startTestGateway(t, (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    const cookie = await gateway.enter();
    gateway.clock = new Date(gateway.clock.getTime() + 3_600_000 - 50);
    const stream = await openWire(gateway.url);
    stream.write(`GET ${at}/events HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
    await stream.until(/data: 1/);
    await stream.ended();
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("connections to the app are reused, and safe requests are retried on a new one", async (t) => {
    const received: string[] = [];
    const ports = new Set<number | undefined>();
    const gateway = await startTestGateway(t, ({ method, url, socket }, response) => {
      received.push(`${method} ${url}`);
      // The second request on a connection arrives while the connection is being closed.
      if (url === "/again" && ports.has(socket.remotePort)) return void socket.destroy();
      ports.add(socket.remotePort);
      response.end("answered");
    });
    const headers = { cookie: await gateway.enter() };
    const ask = async (method: string, path: string) =>
      (await send(gateway.url, { method, path: at + path, headers })).status;
    assert.deepEqual([await ask("GET", "/"), await ask("GET", "/"), ports.size], [200, 200, 1]);
    assert.equal(await ask("GET", "/again"), 200);
    assert.deepEqual(received, ["GET /", "GET /", "GET /again", "GET /again"]);
    assert.deepEqual(
      [await ask("POST", "/again"), ports.size],
      [200, 3],
      "what may change something has its own",
    );
    assert.equal(gateway.acquired(), 0);
  });

  test("a body is read only within a session", async (t) => {
    const gateway = await startTestGateway(t, async (request, response) =>
      response.end(`got ${await textIn(request)}`),
    );
    const post = (cookie: string) =>
      `POST ${at}/ HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    const wire = await openWire(gateway.url);
    wire.write(post(await gateway.enter()));
    await wire.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    wire.write("ok");
    await wire.until(/got ok/);
    wire.socket.destroy();
    const stranger = await openWire(gateway.url);
    stranger.write(post("x=1"));
    await stranger.until(/^HTTP\/1\.1 401 /);
    stranger.socket.destroy();
  });

  test("a stop closes event streams immediately and lets other responses finish", async (t) => {
    const slow = Promise.withResolvers<() => void>();
    const gateway = await startTestGateway(t, ({ url }, response) => {
      if (url === "/slow") return slow.resolve(() => response.end("whole"));
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    const headers = { cookie: await gateway.enter() };
    const stream = await openWire(gateway.url);
    stream.write(`GET ${at}/events HTTP/1.1\r\nHost: x\r\nCookie: ${headers.cookie}\r\n\r\n`);
    await stream.until(/data: 1/);
    const answer = send(gateway.url, { path: `${at}/slow`, headers });
    const finish = await slow.promise;
    const stopped = gateway.stop();
    await stream.ended();
    finish();
    assert.equal((await answer).text, "whole");
    await stopped;
  });
});
