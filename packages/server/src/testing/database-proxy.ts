import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A proxy to the database that can be cut, blocked and restored. */
interface DatabaseProxy {
  readonly url: string;
  /** Connections end at once and new ones are not accepted. */
  cut(): void;
  /** Drops all data in both directions, without an error. */
  block(): void;
  restore(): void;
}

export async function proxyTo(t: TestContext, database: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let state: "whole" | "cut" | "blocked" = "whole";
  const server = createServer((near) => {
    if (state === "cut") return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => state === "whole" && to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  t.after(() => {
    drop();
    server.close();
  });
  const url = new URL(database);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut() {
      state = "cut";
      drop();
    },
    block() {
      state = "blocked";
    },
    restore() {
      drop();
      state = "whole";
    },
  };
}
