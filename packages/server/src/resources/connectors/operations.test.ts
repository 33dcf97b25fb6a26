/** Connector operations through the API, on the real engine and a real SQLite file. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { type RemotePlatform, startRemotePlatform } from "../../testing/remote-platform.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";

suite("connector operations", () => {
  let remote: RemotePlatform;
  let server: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-shops-"));
    remote = await startRemotePlatform("remote");
    server = await startTestServer({ platforms: [remote.platform] });
  });
  after(async () => {
    await server.close();
    await remote.close();
    await rm(folder, { recursive: true });
  });

  /** A SQLite file with two orders, and a connector that reads it. */
  async function given({
    datasets = [{ source_dataset: "orders", target_name: "orders" }] as object[],
    config = {},
  } = {}) {
    const { client } = server;
    const name = unique("shop");
    const path = join(folder, `${name}.db`);
    const file = new DatabaseSync(path);
    file.exec("CREATE TABLE orders (order_id INTEGER PRIMARY KEY, amount REAL, note TEXT)");
    file.exec("INSERT INTO orders VALUES (1, 10.5, 'first'), (2, 20, NULL)");
    const { id: environment } = await client.createEnvironment({
      body: { name, configuration: { catalog: "shop", schema: "raw" } },
    });
    const { id } = await client.createConnector({
      body: {
        name,
        target_type: "warehouse",
        target_config: { connection: { name: "shop", type: "sqlite", config: { path, ...config } } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: datasets as { source_dataset: string; target_name: string }[],
      },
      environment,
    });
    const params = { connector_id: id };
    const ended = async (run: Run) => {
      const read = () => client.getRun({ params: { run_id: run.id } });
      // Polling more often would slow the engine down on a busy machine.
      await until(async () => !["queued", "running"].includes((await read()).status), 50);
      return read();
    };
    return {
      client,
      file,
      environment,
      params,
      ended,
      run: async () => ended(await client.runJob({ params: { job_id: `connector-${id}` } })),
      total: async () => (await client.readCatalog({ environment })).total,
    };
  }
  const keyed = { source_dataset: "orders", target_name: "orders", primary_keys: ["order_id"] };

  test("check reports whether the connection works", async () => {
    const { client, params } = await given();
    const { ok, findings } = await client.checkConnector({ params });
    assert.equal(ok, true, JSON.stringify(findings));
    const wrong = await given({ config: { path: "/nowhere/shop.db" } });
    const answer = await client.checkConnector({ params: wrong.params });
    assert.equal(answer.ok, false);
    assert.match(answer.findings.find((finding) => !finding.ok)?.sentence ?? "", /\/nowhere\/shop\.db/);
    const { id } = await client.createConnector({
      body: {
        name: unique("out"),
        target_type: "csv",
        target_config: { path: "/nowhere" },
        created_by: "ada",
      },
    });
    assert.deepEqual(await client.checkConnector({ params: { connector_id: id } }), {
      ok: false,
      findings: [{ ok: false, sentence: "There is no folder /nowhere." }],
    });
  });

  test("discover lists the source's datasets, also for a connector without datasets", async () => {
    const { client, params } = await given({ datasets: [] });
    const { datasets } = await client.discoverConnector({ params });
    const [orders] = datasets;
    assert.deepEqual([orders?.name, orders?.primary_keys], ["orders", ["order_id"]]);
    assert.deepEqual(
      orders?.columns.map(({ name, type, origin }) => [name, type, origin]),
      [
        ["order_id", "BIGINT", "INTEGER"],
        ["amount", "DOUBLE", "REAL"],
        ["note", "STRING", "TEXT"],
      ],
    );
    assert.deepEqual(await client.previewConnector({ params }), { datasets: [] });
  });

  test("preview shows what the next run would do, and writes nothing", async () => {
    const { client, params, run, total, file } = await given({ datasets: [keyed] });
    const [first] = (await client.previewConnector({ params })).datasets;
    assert.deepEqual([first?.target_name, first?.insert, first?.update], ["orders", 2, 0]);
    assert.deepEqual(first?.samples[0]?.action, "insert");
    assert.match(first?.schema[0] ?? "", /create the table shop\.raw\.orders/);
    assert.equal(await total(), 0);
    assert.equal((await run()).status, "succeeded");
    file.exec("UPDATE orders SET note = 'changed' WHERE order_id = 1");
    file.exec("INSERT INTO orders VALUES (3, 30, NULL)");
    const body = { dataset_id: first?.dataset_id ?? "" };
    const [next] = (await client.previewConnector({ params, body })).datasets;
    assert.deepEqual([next?.insert, next?.update, next?.unchanged, next?.schema], [1, 1, 1, []]);
    await refused(client.previewConnector({ params, body: { dataset_id: "x" } }), 404, /has no dataset x/);
  });

  test("rejected rows are listed and can be retried", async () => {
    const lenient = { ...keyed, custom_config: { max_reject_share: 1 } };
    const { client, params, run, ended, file, environment } = await given({ datasets: [lenient] });
    file.exec("INSERT INTO orders VALUES (3, 'thirty', NULL)");
    assert.equal((await run()).status, "succeeded");
    const { rejects, total } = await client.listRejects({ params });
    assert.equal(total, 1);
    assert.deepEqual([rejects[0]?.target_name, rejects[0]?.row.order_id], ["orders", "3"]);
    assert.match(rejects[0]?.reason ?? "", /"amount".*thirty/);
    assert.deepEqual((await client.listRejects({ params, query: { skip: 1 } })).rejects, []);
    file.exec("UPDATE orders SET amount = 30 WHERE order_id = 3");
    const retried = await client.retryRejects({ params });
    assert.deepEqual([retried.status, retried.cause.parameters], ["queued", { retry_rejects: true }]);
    assert.equal((await ended(retried)).status, "succeeded");
    assert.equal((await client.listRejects({ params })).total, 0);
    const sql = "select amount from orders where order_id = 3";
    assert.deepEqual((await client.runQuery({ body: { sql }, environment })).rows, [[30]]);
  });

  test("secret references are resolved for the engine and never shown", async () => {
    const { client, params, environment, file } = await given({ config: { path: "{{secrets/shop/path}}" } });
    const sentence = "There is no secret shop/path in this environment.";
    assert.deepEqual(await client.checkConnector({ params }), {
      ok: false,
      findings: [{ ok: false, sentence }],
    });
    await refused(client.previewConnector({ params }), 409, sentence);
    const path = file.location() ?? "";
    await client.putSecret({ params: { scope: "shop", key: "path" }, body: { value: path }, environment });
    assert.equal((await client.checkConnector({ params })).ok, true);
    assert.ok(!JSON.stringify(await client.getConnector({ params })).includes(path));
    assert.ok(!JSON.stringify(await server.rows()).includes(path));
  });

  test("check finds a primary key and a watermark that do not exist", async () => {
    for (const [wrong, sentence] of [
      [{ primary_keys: ["idd"] }, /has no column "idd", which is configured as its primary key/],
      [{ watermark_column: "update_at" }, /has no column "update_at", which is configured as its watermark/],
    ] as const) {
      const datasets = [{ source_dataset: "orders", target_name: "orders", ...wrong }];
      const { client, params } = await given({ datasets });
      const { ok, findings } = await client.checkConnector({ params });
      assert.equal(ok, false);
      assert.match(findings.at(-1)?.sentence ?? "", sentence);
    }
  });

  test("problems that prevent a run are a 409 that lists all of them", async () => {
    const { client } = server;
    const create = (target_config: Record<string, unknown>, datasets?: object[]) =>
      client.createConnector({
        body: {
          name: unique("c"),
          target_type: "warehouse",
          target_config,
          created_by: "ada",
          ...(datasets && { datasets: datasets as [] }),
        },
      });
    const bare = await create({});
    const { ok, findings } = await client.checkConnector({ params: { connector_id: bare.id } });
    assert.equal(ok, false);
    assert.match(findings[0]?.sentence ?? "", /must name the source/);
    await refused(
      client.discoverConnector({ params: { connector_id: bare.id } }),
      409,
      /must name the source/,
    );
    const misspelled = await create({ connection: { name: "x", type: "sqlit", config: {} } });
    await refused(
      client.discoverConnector({ params: { connector_id: misspelled.id } }),
      409,
      /Did you mean sqlite\?/,
    );
    const wrong = await create({ connection: { name: "x", type: "sqlite", config: { path: "x" } } }, [
      { ...keyed, custom_config: { max_reject_share: 2 } },
      { ...keyed, target_name: "b", custom_config: { deletes: 1 } },
    ]);
    const { detail } = await refused(client.previewConnector({ params: { connector_id: wrong.id } }), 409);
    assert.match(detail, /"orders": custom_config\.max_reject_share .* "b": custom_config\.deletes/);
  });

  test("an unknown connector is 404, a platform without a warehouse 409", async () => {
    const { client } = server;
    const params = { connector_id: "unknown" };
    for (const call of [
      client.checkConnector,
      client.discoverConnector,
      client.listRejects,
      client.retryRejects,
    ])
      await refused(call({ params }), 404, "There is no connector unknown.");
    const environment = unique("away");
    await client.createEnvironment({ body: { name: environment, platform: "remote" } });
    const body = { name: unique("far"), target_type: "csv", target_config: { path: "x" }, created_by: "ada" };
    const { id } = await client.createConnector({ body, environment });
    const far = { connector_id: id };
    await refused(client.checkConnector({ params: far }), 409, "The platform remote has no warehouse.");
    await refused(client.retryRejects({ params: far }), 409, /has no job to run/);
  });
});
