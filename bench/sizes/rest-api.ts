import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SizedSystem, SystemsOptions } from "./system.ts";

const pageSize = 10_000;
const day = "2026-01-01T00:00:00Z";

/** An API with pages of rows that it generates on request. A request can ask for the rows changed since a time. */
export async function startRestApi({ rows: count, closing }: SystemsOptions): Promise<SizedSystem> {
  let changedIn = 0;
  const isChanged = (id: number) => changedIn > 0 && id % 100 === changedIn % 100;
  const quantityOf = (id: number) => 1 + (id % 9) + (isChanged(id) ? 1 : 0);
  const recordOf = (id: number) => ({
    id,
    quantity: quantityOf(id),
    price: (id % 10_000) / 100,
    email: `customer${id}@example.test`,
    note: id % 10 === 0 ? null : `Leave it at the door, no. ${id}`,
    updated_at: isChanged(id) ? new Date(Date.parse(day) + changedIn * 86_400_000).toISOString() : day,
  });
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://api.example.test");
    const since = searchParams.get("since");
    const isSecond = since !== null && since !== "" && changedIn > 0;
    const page = Number(searchParams.get("page") ?? 1) - 1;
    const ids = isSecond ? changedIds(page) : allIds(page);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(ids.map(recordOf)));
  });
  const allIds = (page: number) =>
    Array.from(
      { length: Math.max(0, Math.min(pageSize, count - page * pageSize)) },
      (_, n) => page * pageSize + n + 1,
    );
  function changedIds(page: number): number[] {
    const found: number[] = [];
    for (let id = changedIn % 100 || 100; id <= count; id += 100) found.push(id);
    return found.slice(page * pageSize, (page + 1) * pageSize);
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const config = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paging: { type: "page" },
    page_size: pageSize,
    watermark_param: "since",
  };
  return {
    name: "rest",
    columns: ["id", "quantity"],
    source: () => ({ connection: { name: "api", type: "rest", config }, dataset: "orders" }),
    change: async (round) => {
      changedIn = round;
    },
    async expectedSums() {
      let [ids, quantities] = [0, 0];
      for (let id = 1; id <= count; id++) {
        ids += id;
        quantities += quantityOf(id);
      }
      return `${count} ${ids} ${quantities}`;
    },
  };
}
