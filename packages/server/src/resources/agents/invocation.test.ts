import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { eventually } from "../../web/http/test-requests.ts";
import { declaredAgent } from "./document.ts";
import { createAgentInvocation } from "./invocation.ts";

const context = { actor: "ada", requestId: null, time: "2026-03-01T12:00:00.000Z" };
const agent = declaredAgent("a-1", { name: "desk" }, context);

/** Invokes an endpoint that responds to every request with these bytes, or disconnects if there are none. */
async function invokeEndpoint(t: TestContext, answer: string) {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => (answer === "" ? socket.end() : socket.write(answer)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  let acquired = 0;
  const acquire = () => {
    acquired++;
    return { port, release: () => void acquired-- };
  };
  const { forward } = createAgentInvocation({
    agents: { read: () => assert.fail() },
    processes: { acquire },
    remoteIn: async () => undefined,
  });
  const response = forward(agent, "e-1", {
    body: "{}",
    contentType: "application/json",
    caller: { name: "ada", role: "viewer" },
    requestId: null,
    signal: t.signal,
  });
  return { response, acquired: () => acquired };
}

suite("an endpoint with an invalid response", () => {
  const switching = "HTTP/1.1 101 Switching Protocols\r\n";
  for (const [what, answer] of [
    ["a status below 100", "HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n"],
    ["an unexpected protocol upgrade", `${switching}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ["a bare 101", `${switching}\r\n`],
    ["nothing", ""],
  ] as const) {
    test(`${what}: it is unavailable, and the process is released`, {
      timeout: 5_000,
    }, async (t) => {
      const { response, acquired } = await invokeEndpoint(t, answer);
      await assert.rejects(response, {
        kind: "unavailable",
        message: /^The endpoint of "desk" does not answer: .+\.$/,
      });
      await eventually(() => acquired() === 0, "it is released");
    });
  }
});
