/** Runs the examples of docs/reference/connectors/s3.md, if versitygw is installed. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, suite } from "node:test";
import { startS3, type TestS3, withDuckdb, withoutS3 } from "@lakehelm/engine/testing";
import { readBlocks } from "../../testing/docs-blocks.ts";
import { examplesOf } from "../../testing/docs-examples.ts";
import { type ExternalSystem, secret } from "../../testing/docs-systems.ts";

const blocks = await readBlocks();
const endings: (() => Promise<void>)[] = [];
// All secrets of the examples have the same value.
const s3 = await startS3((end) => endings.push(end), [secret, secret]);
after(async () => {
  for (const end of endings) await end();
});

suite("the examples of the page about S3", { skip: s3 ? false : withoutS3 }, () => {
  const server = s3 as TestS3;
  const here = (bucket: string) => ({
    "https://minio.internal:9000": server.endpoint,
    "shop-lake": bucket,
  });
  const places: Readonly<Record<string, (folder: string) => Promise<ExternalSystem>>> = {
    async "s3-in"() {
      await server.createBucket("shop-in");
      let delivery = 0;
      return {
        here: here("shop-in"),
        async put(orders) {
          const names = Object.keys(orders[0] ?? {});
          const rows = orders.map((order) => Object.values(order).join(","));
          const path = `shop-in/drop/orders/2026-0${++delivery}.csv`;
          await server.put(path, [names.join(","), ...rows, ""].join("\n"));
        },
        async close() {},
      };
    },
    async "s3-out"(folder) {
      await server.createBucket("shop-out");
      const key = "shop-out/exports/orders.parquet";
      return {
        here: here("shop-out"),
        async received() {
          const path = join(folder, "received.parquet");
          await writeFile(path, Buffer.from(await (await server.get(key)).arrayBuffer()));
          return withDuckdb(async (duck) => {
            const read = await duck.runAndReadAll(`SELECT order_id, amount FROM '${path}' ORDER BY order_id`);
            return read.getRowsJson().map((row) => row.map(Number));
          });
        },
        clear: () => server.remove(key),
        async close() {},
      };
    },
  };
  examplesOf("s3-", blocks, places);
});
