import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as runner from "node:test";
import type { ConnectorCreateRequest, DatasetInput } from "@lakehelm/contract";
import { databricksType } from "@lakehelm/engine";
import { until } from "@lakehelm/testing/until";
import { type Blocks, pairsOf } from "./docs-blocks.ts";
import { after, before, changes, createOrders, insertOrders, sums } from "./docs-orders.ts";
import { type ExternalSystem, secret } from "./docs-systems.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { fillWarehouse } from "./warehouse.ts";

/** What the examples run with. */
export interface ExampleContext {
  readonly server: TestServer;
  readonly blocks: Blocks;
  /** An empty folder for all examples. */
  readonly scratch: string;
}

/** In a suite: runs the examples of one kind of connector, each with the system that it needs. */
export function examplesOf(
  prefix: string,
  blocks: Blocks,
  systems: Readonly<Record<string, (folder: string) => Promise<ExternalSystem>>>,
): void {
  let bench: ExampleContext;
  runner.before(async () => {
    const scratch = await mkdtemp(join(tmpdir(), "lakehelm-docs-"));
    bench = { server: await startTestServer(), blocks, scratch };
  });
  runner.after(async () => {
    await bench.server.close();
    await rm(bench.scratch, { recursive: true });
  });
  for (const name of blocks.names("runs").filter((one) => one.startsWith(prefix))) {
    const open = systems[name] ?? (() => Promise.reject(new Error(`No setup for the example ${name}.`)));
    runner.test(`${name} runs as documented`, () => tryExample(bench, name, open));
  }
}

/** Runs an example of a page: only hosts, ports and folders are replaced by those of this machine. */
export async function tryExample(
  bench: ExampleContext,
  name: string,
  open: (folder: string) => Promise<ExternalSystem>,
): Promise<void> {
  const folder = join(bench.scratch, name);
  await mkdir(folder);
  const system = await open(folder);
  try {
    await system.put?.(before);
    const trial = await begin(bench, name, system, folder);
    await trial.check();
    await (system.put ? transfersIn(trial, system.put) : transfersOut(trial, system));
    await trial.types(system);
  } finally {
    await system.close();
  }
}

type Trial = Awaited<ReturnType<typeof begin>>;
type Body = Omit<ConnectorCreateRequest, "datasets" | "paused" | "policy"> & { datasets: DatasetInput[] };

/** Creates the connector, and everything that its page requires first. */
async function begin(
  { server, blocks }: ExampleContext,
  name: string,
  system: ExternalSystem,
  folder: string,
) {
  const { client } = server;
  const here = Object.entries({ "/srv/shop": folder, ...system.here });
  const text = (kind: string) =>
    here.reduce((rest, [written, real]) => rest.replaceAll(written, real), blocks.text(kind, name) ?? "");
  const body = JSON.parse(text("runs")) as Body;
  const types = pairsOf(blocks.text("types", name) ?? "");
  const environment = await environmentFor(server, body, types);
  for (const [, scope = "", key = ""] of text("runs").matchAll(/\{\{secrets\/([^/]+)\/([^}]+)\}\}/g)) {
    await client.putSecret({ params: { scope, key }, body: { value: secret }, environment });
    // Here, the systems of all pages run on one host, with different ports than in the pages.
    await client.limitSecretScope({ params: { scope }, body: { hosts: ["127.0.0.1"] } });
  }
  if (text("sql") !== "") await system.prepare?.(text("sql"));
  const made = await client.createConnector({ body, environment });
  assert.deepEqual([made.status, made.error_message], ["active", null]);
  const params = { connector_id: made.id };

  /** The numbers of inserted and updated rows. */
  async function run(): Promise<unknown[]> {
    const { id: run_id } = await client.runJob({ params: { job_id: `connector-${made.id}` } });
    const read = () => client.getRun({ params: { run_id } });
    await until(async () => !["queued", "running"].includes((await read()).status), 50);
    const { status, error, metrics } = await read();
    assert.equal(status, "succeeded", error ?? "");
    return [metrics.rows_inserted, metrics.rows_updated];
  }
  async function columnsOf(dataset: string) {
    const { datasets } = await client.discoverConnector({ params });
    return new Map(
      datasets.find((one) => one.name === dataset)?.columns.map((column) => [column.name, column]),
    );
  }
  return {
    run,
    async check() {
      const { findings } = await client.checkConnector({ params });
      const messages = findings.map(({ ok, sentence }) => `${ok ? "" : "no: "}${sentence}`);
      assert.deepEqual(messages, text("check").split("\n"));
    },
    async received() {
      const sql = "SELECT order_id, amount FROM shop.sales.orders ORDER BY order_id";
      const { rows } = await client.runQuery({ body: { sql }, environment });
      return rows?.map((row) => row.map(Number));
    },
    /** Checks that each type becomes what the table of the page says. */
    async types({ kinds, plain = (type) => type }: ExternalSystem) {
      if (types.length === 0) return;
      const from = types.map(([type]) => type);
      if (kinds) {
        const columns = await columnsOf(await kinds(from));
        assert.deepEqual(
          from.map((type, at) => [type, columns.get(`c${at}`)?.type]),
          types.map(([type, to]) => [type, databricksType(to)]),
        );
        return;
      }
      await client.addDataset({ params, body: { source_dataset: "shop.sales.kinds", target_name: "kinds" } });
      await run();
      const columns = await columnsOf("kinds");
      assert.deepEqual(
        from.map((type, at) => [type, plain(columns.get(`c${at}`)?.origin ?? "")]),
        types,
      );
    },
  };
}

/** The warehouse is empty for inbound examples, and has the orders for outbound ones. */
async function environmentFor(
  server: TestServer,
  { name, target_type }: Body,
  types: readonly (readonly [from: string, to: string])[],
): Promise<string> {
  const { id } = await server.client.createEnvironment({ body: { name } });
  if (target_type === "warehouse") return id;
  const kinds = types.map(([from], at) => `c${at} ${from}`).join(", ");
  await fillWarehouse(
    server,
    id,
    "USE shop.sales",
    createOrders,
    insertOrders(before),
    ...(kinds ? [`CREATE TABLE kinds (${kinds})`] : []),
  );
  return id;
}

async function transfersIn({ run, received }: Trial, put: NonNullable<ExternalSystem["put"]>): Promise<void> {
  assert.deepEqual(await run(), [3, 0]);
  assert.deepEqual(await received(), sums(before));
  await put(changes);
  assert.deepEqual(await run(), [1, 1]);
  assert.deepEqual(await received(), sums(after));
}

/** A second run finds nothing to write. After the target has lost its rows, a run writes all of them again. */
async function transfersOut({ run }: Trial, { received, clear }: ExternalSystem): Promise<void> {
  assert.deepEqual(await run(), [3, 0]);
  assert.deepEqual(await received?.(), sums(before));
  assert.deepEqual(await run(), [0, 0]);
  assert.deepEqual(await received?.(), sums(before));
  if (!clear) return;
  await clear();
  assert.deepEqual(await run(), [3, 0]);
  assert.deepEqual(await received?.(), sums(before));
}
