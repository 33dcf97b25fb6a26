import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { suite, test } from "node:test";
import { eventually, openWire } from "../http/test-requests.ts";
import { startTestGateway } from "./test-gateway.ts";

const at = "/apps/local/ui";

const asking = (cookie: string, more = "", protocol = "websocket") =>
  `GET ${at}/socket?x=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nCookie: ${cookie}\r\n${more}\r\n`;

const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";

suite("WebSockets forwarded to an app", () => {
  test("bytes are forwarded in both directions until one side ends, and the app gets the user", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    const sockets: Duplex[] = [];
    gateway.upstream.on("upgrade", ({ url, headers }: IncomingMessage, socket: Duplex, head: Buffer) => {
      sockets.push(socket);
      const received = [url, headers["x-forwarded-user"], headers.cookie, headers["sec-websocket-key"]].join(
        " ",
      );
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`);
      socket.write(`Sec-WebSocket-Accept: yes\r\n\r\nhello ${received};`);
      socket.write(head);
      socket.pipe(socket);
    });
    const wire = await openWire(gateway.url);
    wire.write(`${asking(await gateway.enter(), "Origin: http://x\r\nSec-WebSocket-Key: k\r\n")}first`);
    await wire.until(
      /^HTTP\/1\.1 101 .*sec-websocket-accept: yes\r\n.*hello \/socket\?x=1 ada@example\.com {2}k;first$/s,
    );
    wire.write("\x81\x05again");
    await wire.until(/again$/);
    assert.equal(gateway.acquired(), 1);
    sockets[0]?.end("bye");
    assert.match(await wire.ended(), /bye$/);
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("a caller that disconnects closes the connection to the app, and a stop closes both", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    const answered = () =>
      new Promise<Duplex>((reached) => {
        gateway.upstream.once("upgrade", (_, socket: Duplex) => {
          socket.write(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
          );
          reached(socket);
        });
      });
    const cookie = await gateway.enter();
    for (const end of [(wire: { socket: Duplex }) => wire.socket.destroy(), () => gateway.stop()]) {
      const wire = await openWire(gateway.url);
      const reached = answered();
      wire.write(asking(cookie));
      const socket = await reached;
      await wire.until(/^HTTP\/1\.1 101 /);
      const closed = once(socket.resume(), "end");
      await Promise.all([end(wire), closed]);
    }
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("it ends with the session", { timeout: 5_000 }, async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    gateway.upstream.on("upgrade", (_, socket: Duplex) => socket.write(`${switching}\r\n`));
    const cookie = await gateway.enter();
    gateway.clock = new Date(gateway.clock.getTime() + 3_600_000 - 1_000);
    const wire = await openWire(gateway.url);
    wire.write(asking(cookie));
    await wire.until(/^HTTP\/1\.1 101 /);
    await wire.ended();
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("a caller that disconnects before the app accepts is closed", { timeout: 5_000 }, async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    const reached = new Promise<Duplex>((resolve) => {
      gateway.upstream.once("upgrade", (_, socket: Duplex) => resolve(socket));
    });
    const wire = await openWire(gateway.url);
    wire.write(`${asking(await gateway.enter())}early`);
    const socket = await reached;
    assert.equal(gateway.acquired(), 1);
    const closed = once(socket.resume(), "end");
    wire.socket.end("more");
    await Promise.all([wire.ended(), closed]);
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("early data of a caller waits for the app, and a body is dropped", {
    timeout: 5_000,
  }, async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    const agree = Promise.withResolvers<void>();
    gateway.upstream.on("upgrade", async ({ headers }: IncomingMessage, socket: Duplex, head: Buffer) => {
      await agree.promise;
      socket.write(`${switching}X-Length: ${headers["content-length"]}\r\n\r\n${head}`);
      socket.pipe(socket);
    });
    const wire = await openWire(gateway.url);
    wire.write(`${asking(await gateway.enter(), "Content-Length: 5\r\n")}first`);
    await eventually(() => gateway.acquired() === 1, "it is forwarded");
    wire.write("second");
    agree.resolve();
    await wire.until(/x-length: undefined\r\n.*\r\n\r\nsecond$/s);
    wire.socket.destroy();

    const flood = await openWire(gateway.url);
    gateway.upstream.removeAllListeners("upgrade").on("upgrade", () => {});
    flood.write(asking(await gateway.enter()));
    flood.write(Buffer.alloc(1024 * 1024));
    await flood.ended().catch(() => {});
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("an invalid response of an app is a 502", { timeout: 5_000 }, async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    const cookie = await gateway.enter();
    for (const answer of ["HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n", ""]) {
      gateway.upstream.removeAllListeners("upgrade").on("upgrade", (_, socket: Duplex) => socket.end(answer));
      const wire = await openWire(gateway.url);
      wire.write(asking(cookie));
      assert.match(await wire.ended(), /^HTTP\/1\.1 502 .*The app does not respond/s);
    }
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });

  test("other origins and callers without a session are rejected", async (t) => {
    const gateway = await startTestGateway(t, (_, response) => response.end());
    gateway.upstream.on("upgrade", () => assert.fail("it was passed on"));
    const cookie = await gateway.enter();
    const { ticket } = gateway.tickets.issue(gateway.app, {
      name: "a",
      role: "viewer",
      authType: "user_token",
    });
    for (const [sent, status] of [
      [asking(cookie, "Origin: http://evil.example\r\n"), 403],
      [asking("x=1"), 401],
      [asking("x=1").replace("x=1 HTTP", `ticket=${ticket} HTTP`), 401],
      [asking(cookie).replace("/apps/local/ui/", "/nothing/"), 404],
    ] as const) {
      const wire = await openWire(gateway.url);
      wire.write(sent);
      assert.match(await wire.ended(), new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  test("an app may decline the upgrade, and other protocols are ordinary requests", async (t) => {
    const gateway = await startTestGateway(t, ({ headers }, response) => {
      response.writeHead(426, { "x-upgrade": String(headers.upgrade) }).end("no");
    });
    const cookie = await gateway.enter();
    const declined = await openWire(gateway.url);
    declined.write(asking(cookie));
    assert.match(
      await declined.ended(),
      /^HTTP\/1\.1 426 Upgrade Required\r\n.*x-upgrade: websocket\r\n.*no$/s,
    );
    const plain = await openWire(gateway.url);
    plain.write(asking(cookie, "", "h2c"));
    await plain.until(/^HTTP\/1\.1 426 .*x-upgrade: undefined\r\n/s);
    plain.socket.destroy();
    await eventually(() => gateway.acquired() === 0, "the process is released");
  });
});
