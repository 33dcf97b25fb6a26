/** An HTTP server that receives messages and responds as a test defines. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface ReceiverResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestReceiver {
  readonly url: string;
  /** All requests so far, to any path, in order. */
  readonly received: ReceivedMessage[];
  /** The first lines of the messages to a path. */
  firstLines(path?: string): string[];
  ids(path?: string): unknown[];
  /** The response from now on. */
  respond: (received: ReceivedMessage) => ReceiverResponse | Promise<ReceiverResponse>;
}

export async function startReceiver(t: Pick<TestContext, "after">): Promise<TestReceiver> {
  const received: ReceivedMessage[] = [];
  const at = (path: string | undefined) => received.filter((one) => path === undefined || one.path === path);
  const read = (path: string | undefined) =>
    at(path).map(({ text }) => JSON.parse(text) as { id: string; text: string });
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const one = { path: request.url ?? "", headers: request.headers, text };
    received.push(one);
    const { status, headers } = await receiver.respond(one);
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    firstLines: (path) => read(path).map(({ text }) => text.split("\n", 1)[0] ?? ""),
    ids: (path) => read(path).map(({ id }) => id),
    respond: () => ({ status: 200 }),
  };
  return receiver;
}
