import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { SizedSystem } from "./system.ts";

interface ReceivedRow {
  readonly id: number;
  readonly quantity: number;
}

/** An endpoint that stores the last quantity of each row, so that its rows can be compared with the warehouse. */
export async function startReceiver(closing: (() => Promise<void>)[]): Promise<SizedSystem> {
  const tables = new Map<string, Map<number, number>>();
  const server = createServer(async (request, response) => {
    if (request.method === "POST") keep(await batchOf(request));
    response.writeHead(request.method === "POST" ? 200 : 405).end();
  });
  function keep({ dataset, records }: { dataset: string; records: readonly ReceivedRow[] }): void {
    const rows = tables.get(dataset) ?? new Map<number, number>();
    tables.set(dataset, rows);
    for (const { id, quantity } of records) rows.set(id, quantity);
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  return {
    name: "http",
    target: () => ({ type: "http", config: { url, batch_size: 10_000 } }),
    columns: ["id", "quantity"],
    clear: async () => tables.clear(),
    async arrivedSums(table) {
      let [ids, quantities] = [0, 0];
      const rows = tables.get(table) ?? new Map<number, number>();
      for (const [id, quantity] of rows) {
        ids += id;
        quantities += quantity;
      }
      return `${rows.size} ${ids} ${quantities}`;
    },
  };
}

async function batchOf(request: IncomingMessage) {
  return JSON.parse(await text(request)) as { dataset: string; records: readonly ReceivedRow[] };
}
