import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hold, SourceRow, TransferFixture } from "./harness.ts";

type Source = Pick<TransferFixture, "put" | "hold" | "refuse" | "mend" | "close"> & { readonly url: string };

const statuses = { "for now": 503, "for good": 404 } as const;

/** An API with rows, which can delay its readers or reject them. */
export async function serveSource(): Promise<Source> {
  let rows: readonly SourceRow[] = [];
  let refusing: number | undefined;
  let holding: ReturnType<typeof createHolding> | undefined;
  const server = createServer((_, response) => {
    if (refusing !== undefined) return void response.writeHead(refusing).end();
    response.setHeader("Content-Type", "application/json");
    const text = JSON.stringify(rows);
    if (!holding?.takes()) return void response.end(text);
    // Half of a response: the reader is in the middle of its work.
    response.write(text.slice(0, text.length / 2));
    holding.keep(response, text.slice(text.length / 2));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(others) {
      rows = others;
    },
    hold() {
      holding = createHolding();
      return holding.hold;
    },
    refuse(how) {
      refusing = statuses[how];
      return new RegExp(String(refusing));
    },
    mend() {
      refusing = undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function createHolding() {
  const reached = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  let released = false;
  let asked = 0;
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
    takes: () => !released && ++asked > 1,
    keep(response: ServerResponse, rest: string) {
      end = () => void response.end(rest);
      response.once("close", () => released || left.resolve());
      reached.resolve();
    },
  };
}
