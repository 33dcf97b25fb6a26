import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface EndpointRequest {
  readonly key: string;
  readonly authorization: string | undefined;
  readonly body: { readonly records: readonly Record<string, unknown>[]; readonly [name: string]: unknown };
}

export interface EndpointReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** A stand-in for an HTTP endpoint: it responds with `reply` and records the acknowledged requests. */
export async function startEndpoint(
  t: Pick<TestContext, "after">,
  reply: (received: EndpointRequest) => EndpointReply,
) {
  const acknowledged: EndpointRequest[] = [];
  const server = createServer(async (request, response) => {
    const received = {
      key: String(request.headers["idempotency-key"]),
      authorization: request.headers.authorization,
      body: JSON.parse(await textOf(request)),
    };
    const { status, headers = {}, text = "" } = reply(received);
    if (status < 300) acknowledged.push(received);
    response.writeHead(status, headers).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/customers`, acknowledged };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
