/** Connector operations through the API, on the real engine and a real SQLite file. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
    type = "sqlite",
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
        target_config: {
          connection: { name: "shop", type, config: type === "rest" ? config : { path, ...config } },
        },
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
      run: async (parameters: Record<string, unknown> = {}) =>
        ended(await client.runJob({ params: { job_id: `connector-${id}` }, body: { parameters } })),
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
    const nowhere = join(tmpdir(), "nowhere");
    const { id } = await client.createConnector({
      body: {
        name: unique("out"),
        target_type: "csv",
        target_config: { path: nowhere },
        created_by: "ada",
      },
    });
    assert.deepEqual(await client.checkConnector({ params: { connector_id: id } }), {
      ok: false,
      findings: [{ ok: false, sentence: `There is no folder ${nowhere}.` }],
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

  test("a run that can move nothing fails, and the connector says since when and why", async () => {
    const { client, params, run } = await given({ datasets: [] });
    const connector = () => client.getConnector({ params });
    assert.deepEqual([(await connector()).status, (await connector()).failing_since], ["active", undefined]);
    const first = await run();
    assert.equal(first.status, "failed");
    assert.match(first.error ?? "", /^The connector has no datasets, so there is nothing to move\./);
    const failing = await connector();
    assert.deepEqual([failing.status, failing.error_message], ["failing", first.error]);
    const since = failing.failing_since ?? "";
    assert.ok(since >= (first.started_at ?? "") && since <= (first.ended_at ?? ""), since);
    const { connectors } = await client.listConnectors({
      query: { status: "failing", search: failing.name },
    });
    assert.deepEqual(
      connectors.map(({ id }) => id),
      [failing.id],
    );

    // Another reason for the failure does not change `failing_since`; a pause hides it.
    const body = { source_dataset: "ordres", target_name: "orders", primary_keys: ["order_id"] };
    const [dataset] = (await client.addDataset({ params, body })).datasets ?? [];
    assert.equal((await run()).status, "failed");
    assert.equal((await connector()).failing_since, since);
    assert.match((await connector()).error_message ?? "", /Did you mean orders\?/);
    const paused = await client.pauseConnector({ params, body: {} });
    assert.deepEqual([paused.status, paused.failing_since], ["paused", undefined]);
    await client.resumeConnector({ params });
    assert.equal((await run()).status, "failed");
    assert.equal((await connector()).status, "failing");

    const dataset_id = dataset?.id ?? "";
    await client.updateDataset({ params: { ...params, dataset_id }, body: { source_dataset: "orders" } });
    assert.equal((await run()).status, "succeeded");
    const { status, error_message, failing_since } = await connector();
    assert.deepEqual([status, error_message, failing_since], ["active", null, undefined]);
    const moved = await server.events("connector.moved", `connector/${failing.id}`);
    assert.deepEqual(
      moved.map(({ data }) => data.status),
      ["failing", "failing", "failing", "active"],
    );
  });

  test("a run with a wrong declaration fails, and the connector says so", async () => {
    const wrong = { ...keyed, custom_config: { max_reject_share: 2 } };
    const { client, params, run } = await given({ datasets: [wrong] });
    assert.equal((await run()).status, "failed");
    const { status, error_message } = await client.getConnector({ params });
    assert.equal(status, "failing");
    assert.match(error_message ?? "", /max_reject_share must be a number from 0 to 1/);
  });

  test("a warning is in the run, at the dataset, and an event when it is new", async () => {
    const datasets = [{ ...keyed, custom_config: { watermark_column: "changed" } }];
    const { client, params, run, file } = await given({ datasets });
    file.exec("ALTER TABLE orders ADD COLUMN changed TIMESTAMP");
    file.exec("UPDATE orders SET changed = '2026-01-01 00:00:00'");
    file.exec("INSERT INTO orders VALUES (3, 30, NULL, '9999-12-31 00:00:00')");
    const warnings = async () => (await client.getConnector({ params })).datasets?.[0]?.warnings;
    const first = await run();
    assert.equal(first.status, "succeeded", first.error ?? "");
    const text =
      '1 row has a value in "changed" that no later row can exceed, such as infinity or the year 9999. It does not advance the watermark, and every run reads it again.';
    const [moved] = first.metrics.datasets as { warnings?: string[] }[];
    assert.deepEqual([moved?.warnings, await warnings()], [[text], [text]]);
    await run();
    const events = await server.events("connector.warned", `connector/${params.connector_id}`);
    assert.deepEqual(
      events.map(({ data }) => [data.target_name, data.warnings]),
      [["orders", [text]]],
    );
    file.exec("DELETE FROM orders WHERE order_id = 3");
    await run();
    assert.equal(await warnings(), undefined);
  });

  test("a column that widens is in the run and an event; one that cannot is changed by the command of the error", async () => {
    const { client, params, run, file } = await given({ datasets: [keyed] });
    const retype = (amount: string, more: string, id: number) =>
      file.exec(`ALTER TABLE orders RENAME TO old; CREATE TABLE orders (order_id INTEGER PRIMARY KEY, amount ${amount}, note TEXT, more ${more});
        INSERT INTO orders SELECT * FROM old; DROP TABLE old; INSERT INTO orders VALUES (${id}, 1, NULL, ${id})`);
    file.exec("ALTER TABLE orders ADD COLUMN more DECIMAL(8,1)");
    assert.equal((await run()).status, "succeeded");
    retype("TEXT", "DECIMAL(8,1)", 50);
    assert.equal((await run()).status, "failed", "a number to text");
    const { error_message } = await client.getConnector({ params });
    const [, dataset] =
      /--set 'parameters.datasets=\["(.+?)"\]' --set parameters.full_refresh=true$/.exec(
        error_message ?? "",
      ) ?? [];
    assert.ok(dataset, error_message ?? "");
    const refreshed = await run({ datasets: [dataset], full_refresh: true });
    assert.equal(refreshed.status, "succeeded", refreshed.error ?? "");
    retype("TEXT", "DECIMAL(12,1)", 70_000_000);
    const last = await run();
    assert.equal(last.status, "succeeded", last.error ?? "");
    const events = await server.events("connector.schema_changed", `connector/${params.connector_id}`);
    assert.deepEqual(
      events.map(({ data }) => data.changes),
      [
        [{ change: "table_created" }],
        [{ change: "column_retyped", column: "amount", type: "STRING", from_type: "DOUBLE" }],
        [{ change: "column_widened", column: "more", type: "DECIMAL(12,1)", from_type: "DECIMAL(8,1)" }],
      ],
    );
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

  test("a reference in a credential field is resolved for the engine and never shown", async (t) => {
    const received: (string | undefined)[] = [];
    const api = createServer(({ headers }, response) => {
      received.push(headers["x-key"] as string | undefined);
      response.writeHead(403).end(`no entry for ${headers["x-key"]}`);
    }).listen(0, "127.0.0.1");
    await once(api, "listening");
    t.after(() => api.close());
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const headers = { "X-Key": "{{secrets/shop/key}}" };
    const { client, params, environment } = await given({ type: "rest", config: { url, headers } });
    const { name } = await client.getEnvironment({ params: { environment_id: environment } });
    const sentence = `There is no secret shop/key in this environment. To store it: lakehelm secrets put --env ${name} shop key`;
    assert.deepEqual(await client.checkConnector({ params }), {
      ok: false,
      findings: [{ ok: false, sentence }],
    });
    await refused(client.previewConnector({ params }), 409, sentence);
    const value = unique("s3cret-key");
    await client.putSecret({ params: { scope: "shop", key: "key" }, body: { value }, environment });
    const checked = await client.checkConnector({ params });
    assert.equal(received.at(-1), value);
    assert.ok(!JSON.stringify([checked, await client.getConnector({ params })]).includes(value));
    assert.ok(!JSON.stringify(await server.rows()).includes(value));
  });

  test("a reference outside a credential field is refused", async () => {
    const reference = "{{secrets/shop/path}}";
    await refused(
      given({ config: { path: `/x/${reference}` } }),
      409,
      "target_config.connection.config.path: A reference to a secret is accepted only in a credential field. This kind of connection has none.",
    );
    const datasets = [{ source_dataset: reference, target_name: "orders" }];
    await refused(given({ datasets }), 409, /^datasets\[0\]\.source_dataset: /);
    const { client, params } = await given();
    const connection = { type: "postgresql", config: { user: reference, password: reference } };
    await refused(
      client.updateConnector({ params, body: { target_config: { connection } } }),
      409,
      /^target_config\.connection\.config\.user: .* Here these are: connection\.config\.password, connection\.config\.options\.$/,
    );
    await refused(client.updateConnector({ params, body: { name: `x ${reference}` } }), 409, /^name: /);
    const config = { headers: { Authorization: reference } };
    await refused(
      client.updateConnector({ params, body: { target_type: "csv", target_config: config } }),
      409,
      /^target_config\.headers\.Authorization: .* Here these are: access_key_id, secret_access_key, session_token\.$/,
    );
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

  test("policy.concurrency is the number of datasets that move at the same time", async (t) => {
    // Each dataset gets its rows only after all three have asked for theirs.
    const waiting = new Set<string>();
    const allHaveAsked = Promise.withResolvers<void>();
    const api = createServer(async ({ url = "" }, response) => {
      waiting.add(url.replace(/\?.*/, ""));
      if (waiting.size === 3) allHaveAsked.resolve();
      await allHaveAsked.promise;
      response.setHeader("content-type", "application/json").end('[{"id": 1}]');
    });
    await once(api.listen(0, "127.0.0.1"), "listening");
    t.after(() => api.close());
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const datasets = ["a", "b", "c"].map((name) => ({ source_dataset: name, target_name: name }));
    const { client, params, run } = await given({ type: "rest", config: { url }, datasets });
    await client.updateConnector({ params, body: { policy: { concurrency: 3 } } });
    const { status, error, metrics } = await run();
    assert.equal(status, "succeeded", error ?? "");
    assert.deepEqual(
      (metrics.datasets as { target_name: string; rows_read: number }[]).map(
        ({ target_name, rows_read }) => `${target_name} ${rows_read}`,
      ),
      ["a 1", "b 1", "c 1"],
    );
  });

  test("an error that several datasets have is said once, with all of them", async () => {
    const datasets = ["a", "b", "c"].map((name) => ({ source_dataset: name, target_name: name }));
    const config = { url: "http://127.0.0.1:9", requests: { a: { parent: "b" } } };
    const { run } = await given({ type: "rest", config, datasets });
    const { status, error } = await run();
    assert.equal(status, "failed");
    assert.match(error ?? "", /^a, b, c: connection\.config\.requests\."a"\.parent: /);
    assert.equal((error ?? "").split("requests").length, 2);
  });

  test("a run that its time limit stops makes its connector failing", async (t) => {
    const api = createServer(() => {});
    await once(api.listen(0, "127.0.0.1"), "listening");
    t.after(() => {
      api.closeAllConnections();
      api.close();
    });
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const { client, params, run } = await given({ type: "rest", config: { url } });
    await client.updateConnector({ params, body: { policy: { timeout_seconds: 1 } } });
    const { status, error } = await run();
    assert.deepEqual([status, error], ["failed", "It took longer than 1 s and was stopped."]);
    const { status: of, error_message, failing_since } = await client.getConnector({ params });
    assert.deepEqual([of, error_message], ["failing", error]);
    assert.ok(failing_since);
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
