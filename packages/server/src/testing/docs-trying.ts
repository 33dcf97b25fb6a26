import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectorCreateRequest, DatasetInput, Run } from "@lakehelm/contract";
import { shownType } from "@lakehelm/engine";
import { type Blocks, pairsOf } from "./docs-blocks.ts";
import { after, before, changes, sums } from "./docs-orders.ts";
import { type Place, secret } from "./docs-places.ts";
import type { TestServer } from "./server.ts";
import { until } from "./store.ts";
import { fillWarehouse, shop } from "./warehouse.ts";

/** Tries an example as its page has it: only hosts, ports and folders are those of this machine. */
export async function tryExample(
  { server, blocks, scratch }: { server: TestServer; blocks: Blocks; scratch: string },
  name: string,
  meet: (folder: string) => Promise<Place>,
): Promise<void> {
  const { client } = server;
  const folder = join(scratch, name);
  await mkdir(folder);
  const place = await meet(folder);
  try {
    const here = { "/srv/shop": folder, ...place.here };
    const filled = (text: string) =>
      Object.entries(here).reduce((rest, [written, real]) => rest.replaceAll(written, real), text);
    const body = JSON.parse(filled(blocks.text("runs", name) ?? "")) as Body;
    const table = blocks.text("types", name);
    const types = pairsOf(table ?? "");
    const environment = await environmentFor(server, body, types);
    for (const [, scope = "", key = ""] of JSON.stringify(body).matchAll(
      /\{\{secrets\/([^/]+)\/([^}]+)\}\}/g,
    )) {
      await client.putSecret({ params: { scope, key }, body: { value: secret }, environment });
    }
    await place.put?.(before);
    const asked = blocks.text("sql", name);
    if (asked !== undefined) await place.prepare?.(filled(asked));

    const made = await client.createConnector({ body, environment });
    assert.deepEqual([made.status, made.error_message], ["active", null]);
    const params = { connector_id: made.id };
    const { findings } = await client.checkConnector({ params });
    assert.deepEqual(
      findings.map(({ ok, sentence }) => `${ok ? "" : "no: "}${sentence}`),
      filled(blocks.text("check", name) ?? "").split("\n"),
    );
    const run = async () => {
      const { id: run_id } = await client.runJob({ params: { job_id: `connector-${made.id}` } });
      const read = () => client.getRun({ params: { run_id } });
      await until(async () => !["queued", "running"].includes((await read()).status), 20);
      return wroteOf(await read());
    };
    assert.deepEqual(await run(), [3, 0]);
    if (place.put) {
      const sql = "SELECT order_id, amount FROM shop.sales.orders ORDER BY order_id";
      const arrived = async () =>
        (await client.runQuery({ body: { sql }, environment })).rows?.map((row) => row.map(Number));
      assert.deepEqual(await arrived(), sums(before));
      await place.put(changes);
      assert.deepEqual(await run(), [1, 1]);
      assert.deepEqual(await arrived(), sums(after));
    } else {
      const orders = [
        [1, 10.5],
        [2, 20],
        [3, 90071992547409.93],
      ];
      assert.deepEqual(await place.arrived?.(), orders);
      assert.deepEqual(await run(), [0, 0]);
      assert.deepEqual(await place.arrived?.(), orders);
    }

    if (table === undefined) return;
    const offered = async (dataset: string) => {
      const { datasets } = await client.discoverConnector({ params });
      return (
        datasets.find((one) => one.name.replace(/^.*\./, "") === dataset.replace(/^.*\.(?=kinds)/, ""))
          ?.columns ?? []
      );
    };
    if (place.kinds) {
      const dataset = await place.kinds(types.map(([from]) => from));
      const columns = await offered(dataset);
      assert.deepEqual(
        types.map(([from], at) => [from, columns.find((column) => column.name === `c${at}`)?.type]),
        types.map(([from, to]) => [from, shownType(to)]),
      );
    } else {
      await client.addDataset({ params, body: { source_dataset: "shop.sales.kinds", target_name: "kinds" } });
      await run();
      const columns = await offered("kinds");
      assert.deepEqual(
        types.map(([from], at) => [from, columns.find((column) => column.name === `c${at}`)?.origin]),
        types,
      );
    }
  } finally {
    await place.close();
  }
}

type Body = Omit<ConnectorCreateRequest, "datasets"> & { datasets: DatasetInput[] };

/** Its warehouse is empty where rows come in, and has the shop's tables where they go out. */
async function environmentFor(
  server: TestServer,
  { name, target_type }: Body,
  types: readonly (readonly [from: string, to: string])[],
): Promise<string> {
  const { id } = await server.client.createEnvironment({ body: { name } });
  if (target_type === "warehouse") return id;
  const kinds = types.map(([from], at) => `c${at} ${from}`).join(", ");
  await fillWarehouse(server, id, ...shop, ...(kinds ? [`CREATE TABLE shop.sales.kinds (${kinds})`] : []));
  return id;
}

/** How many rows a run has inserted and updated. */
function wroteOf({ status, error_message, metrics }: Run): unknown[] {
  assert.equal(status, "succeeded", error_message ?? "");
  return [metrics.rows_inserted, metrics.rows_updated];
}
