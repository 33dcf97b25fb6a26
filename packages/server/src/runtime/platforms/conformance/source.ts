import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hold, SourceRow, TransferFixture } from "./harness.ts";

type Source = Pick<TransferFixture, "put" | "hold" | "failReads" | "restore" | "close"> & {
  readonly url: string;
};

const statuses = { retryable: 503, permanent: 404 } as const;

/** An API with rows, which can delay its readers or reject them. */
export async function serveSource(): Promise<Source> {
  let rows: readonly SourceRow[] = [];
  let failing: number | undefined;
  let gate: ReturnType<typeof createGate> | undefined;
  const server = createServer((_, response) => {
    if (failing !== undefined) return void response.writeHead(failing).end();
    response.setHeader("Content-Type", "application/json");
    const text = JSON.stringify(rows);
    if (!gate?.takes()) return void response.end(text);
    // Half of a response: the reader is in the middle of its work.
    response.write(text.slice(0, text.length / 2));
    gate.keep(response, text.slice(text.length / 2));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(newRows) {
      rows = newRows;
    },
    hold() {
      gate = createGate();
      return gate.hold;
    },
    failReads(how) {
      failing = statuses[how];
      return new RegExp(String(failing));
    },
    restore() {
      failing = undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function createGate() {
  const reached = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  let released = false;
  let requests = 0;
  let end: (() => void) | undefined;
  const hold: Hold = {
    reached: reached.promise,
    left: left.promise,
    release() {
      released = true;
      end?.();
    },
  };
  return {
    hold,
    /** A run sends two requests: for the columns, and then for the rows. The second one is held. */
    takes: () => !released && ++requests > 1,
    keep(response: ServerResponse, rest: string) {
      end = () => void response.end(rest);
      response.once("close", () => released || left.resolve());
      reached.resolve();
    },
  };
}
