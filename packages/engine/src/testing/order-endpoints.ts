import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { orderOf, type TestOrder } from "./orders.ts";

export interface OrderEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

async function serve(server: Server): Promise<OrderEndpoint> {
  server.listen(0, "127.0.0.1");
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

/** An API that returns these records for every request. */
export const serveRecords = (records: () => readonly unknown[]): Promise<OrderEndpoint> =>
  serve(
    createServer((_, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(records()));
    }),
  );

/** An endpoint that stores the orders it receives: upserts by id, appends in order. It ignores a repeated idempotency key. */
export async function serveInbox(): Promise<OrderEndpoint & { readonly orders: () => TestOrder[] }> {
  const knownKeys = new Set<string>();
  const byKey = new Map<number, TestOrder>();
  const appended: TestOrder[] = [];
  const served = await serve(
    createServer(async (request, response) => {
      const { write_strategy, records } = JSON.parse(await text(request));
      const key = String(request.headers["idempotency-key"]);
      const orders: TestOrder[] = knownKeys.has(key) ? [] : records.map(orderOf);
      knownKeys.add(key);
      if (write_strategy === "append") appended.push(...orders);
      else for (const order of orders) byKey.set(order.id, order);
      response.end();
    }),
  );
  return { ...served, orders: () => [...byKey.values(), ...appended] };
}
