import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { ShopOrder } from "./docs-orders.ts";

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Rejects requests without the secret that the pages use. */
async function serve(secret: string, listener: RequestListener): Promise<Served> {
  const server = createServer((request, response) => {
    if (request.headers.authorization === `Bearer ${secret}`) return listener(request, response);
    response.writeHead(401).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An API whose pages have `limit` records each; `updated_since` selects new ones. */
export const serveOrders = (secret: string, orders: () => readonly ShopOrder[]): Promise<Served> =>
  serve(secret, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
    if (pathname !== "/v1/orders") {
      response.writeHead(404).end();
      return;
    }
    const since = searchParams.get("updated_since") ?? "";
    const found = orders().filter(({ updated_at }) => updated_at >= since);
    const size = Number(searchParams.get("limit"));
    const from = (Number(searchParams.get("page")) - 1) * size;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ data: found.slice(from, from + size), total: found.length }));
  });

/** An endpoint that accepts orders by their key. */
export async function serveInbox(secret: string): Promise<Served & { received(): readonly ShopOrder[] }> {
  const byKey = new Map<number, ShopOrder>();
  const served = await serve(secret, async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const { records } = (await json(request)) as { records: ShopOrder[] };
    for (const order of records) byKey.set(order.order_id, order);
    response.end();
  });
  return { ...served, received: () => [...byKey.values()] };
}
