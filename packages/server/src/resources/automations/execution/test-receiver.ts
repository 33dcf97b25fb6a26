/** A server that records the requests it receives and responds as the test defines. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface TaskCall {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Resolves when the client disconnects without waiting for the response. */
  readonly gone: Promise<void>;
}

interface StubResponse {
  readonly status?: number;
  readonly body?: unknown;
}

type Responder = (received: TaskCall, nth: number) => StubResponse | Promise<StubResponse>;

export interface RequestReceiver {
  readonly url: string;
  /** Sets the response for a path; any other path gets 200 and `{}`. */
  on(path: string, responder: Responder): void;
  received(path: string): readonly TaskCall[];
  close(): Promise<void>;
}

export async function startRequestReceiver(): Promise<RequestReceiver> {
  const all: TaskCall[] = [];
  const responders = new Map<string, Responder>();
  const received = (path: string) => all.filter((one) => one.path === path);
  const server = createServer(async (request, response) => {
    const { url: path = "", method = "", headers } = request;
    const gone = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableEnded) resolve();
      });
    });
    const one = { path, method, headers, body: await text(request), gone };
    all.push(one);
    const { status = 200, body = {} } = (await responders.get(path)?.(one, received(path).length)) ?? {};
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (path, responder) => void responders.set(path, responder),
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
