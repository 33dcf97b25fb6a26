/** Runs with parameters through the API, on real databases. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Connector, DatasetInput } from "@lakehelm/contract";
import { emptyDatabase, query } from "@lakehelm/testing";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";

/** A source with a table of orders, on a real database. */
interface Shop {
  readonly connection: { readonly name: string; readonly type: string; readonly config: object };
  execute(sql: string): Promise<void>;
}

suite("runs of a connector with parameters", () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-parameters-"));
    server = await startTestServer();
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const shops: Record<string, () => Promise<Shop>> = {
    async postgresql() {
      const { url } = await emptyDatabase(unique("shop"));
      const { hostname: host, port, username: user, password, pathname } = new URL(url);
      const config = { host, port: Number(port), user, password, database: pathname.slice(1) };
      return {
        connection: { name: "shop", type: "postgresql", config },
        execute: async (sql) => void (await query(url, sql)),
      };
    },
    async sqlite() {
      const path = join(folder, `${unique("shop")}.db`);
      return {
        connection: { name: "shop", type: "sqlite", config: { path } },
        async execute(sql) {
          using file = new DatabaseSync(path);
          file.exec(sql);
        },
      };
    },
  };

  /** Ten orders, one a day from 2026-01-01 on. */
  const orders =
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, day TIMESTAMP NOT NULL, note TEXT); INSERT INTO orders VALUES " +
    Array.from(
      { length: 10 },
      (_, n) => `(${n}, '2026-01-${String(n + 1).padStart(2, "0")} 12:00:00', 'a')`,
    ).join();
  const dataset = (more: Partial<DatasetInput> = {}): DatasetInput => ({
    source_dataset: "orders",
    target_name: "orders",
    watermark_column: "day",
    ...more,
  });

  async function given(shop: Shop, datasets: DatasetInput[], target: Partial<Connector> = {}) {
    const { client } = server;
    const environment = unique("env");
    await client.createEnvironment({
      body: { name: environment, configuration: { catalog: "shop", schema: "raw" } },
    });
    const { id } = await client.createConnector({
      body: {
        name: unique("in"),
        target_type: "warehouse",
        target_config: { connection: shop.connection },
        execution_mode: "manual",
        created_by: "ada",
        datasets,
        ...(target.target_type && { target_type: target.target_type }),
        ...(target.target_config && { target_config: target.target_config }),
      },
      environment,
    });
    const job = { job_id: `connector-${id}` };
    const request = (parameters: object) =>
      client.runJob({ params: job, body: { parameters: { ...parameters } } });
    return {
      client,
      request,
      params: { connector_id: id },
      async run(parameters: object = {}) {
        const { id: run_id } = await request(parameters);
        const read = () => client.getRun({ params: { run_id } });
        await until(async () => !["queued", "running"].includes((await read()).status), 20);
        return read();
      },
      watermark: async () =>
        (await client.getConnector({ params: { connector_id: id } })).datasets?.[0]?.current_watermark,
      async rows(columns = "id, note"): Promise<string[]> {
        const { rows } = await client.runQuery({
          body: { sql: `SELECT ${columns} FROM shop.raw.orders ORDER BY ALL` },
          environment,
        });
        return rows.map((row) => row.join(" "));
      },
    };
  }
  const counts = ({ metrics }: { metrics: Readonly<Record<string, unknown>> }) => [
    metrics.rows_read,
    metrics.rows_inserted,
    metrics.rows_updated,
    metrics.rows_deleted,
  ];

  for (const [kind, open] of Object.entries(shops)) {
    test(`a window replaces appended rows of that window, and the watermark stays, with ${kind}`, async () => {
      const shop = await open();
      await shop.execute(orders);
      const { run, rows, watermark, request } = await given(shop, [dataset({ write_strategy: "append" })]);
      assert.equal((await run()).status, "succeeded");
      const reached = await watermark();
      // Corrections in the past, without a new time, are found only by a backfill. The last row is for the next run.
      await shop.execute("UPDATE orders SET note = 'b' WHERE id IN (2, 3, 7)");
      await shop.execute("INSERT INTO orders VALUES (20, '2026-01-03 13:00:00', 'late')");
      await shop.execute("INSERT INTO orders VALUES (21, '2026-01-20 12:00:00', 'new')");
      const window = { from: "2026-01-03", to: "2026-01-05T00:00:00Z" };
      const first = await run({ window, datasets: ["orders"] });
      assert.equal(first.status, "succeeded", first.error ?? "");
      assert.deepEqual(first.cause.parameters, { window, datasets: ["orders"] });
      // Days 3 and 4: two rows are replaced by three.
      assert.deepEqual(counts(first), [3, 3, 0, 2]);
      assert.equal(await watermark(), reached);
      const after = ["0 a", "1 a", "2 b", "20 late", "3 b", "4 a", "5 a", "6 a", "7 a", "8 a", "9 a"];
      assert.deepEqual((await rows()).sort(), after.sort());
      // Again: nothing is doubled. A window beyond the watermark leaves the new row to the next run, which adds it once.
      assert.deepEqual(counts(await run({ window })), [3, 0, 0, 0]);
      assert.deepEqual(counts(await run({ window: { from: "2026-01-09", to: "2026-02-01" } })), [2, 0, 0, 0]);
      assert.equal(await watermark(), reached);
      assert.deepEqual(counts(await run()).slice(1), [1, 0, 0]);
      assert.deepEqual((await rows()).sort(), [...after, "21 new"].sort());
      // The type of the watermark is known from the last run.
      for (const [window, place] of [
        [{ from: "yesterday", to: "today" }, "from"],
        [{ from: "2026-01-03", to: "soon" }, "to"],
      ] as const) {
        const wrong = await refused(request({ window }), 422, /is not a value of the watermark "day" of the/);
        assert.deepEqual(wrong.entries[0]?.loc, ["body", "parameters", "window", place]);
      }
      await refused(
        request({ window: { from: "2026-01-05", to: "2026-01-03" } }),
        422,
        /greater than "from"/,
      );
    });

    test(`a window updates rows by their keys, and a first run can be one, with ${kind}`, async () => {
      const shop = await open();
      await shop.execute(orders);
      const { run, rows, watermark } = await given(shop, [dataset({ primary_keys: ["id"] })]);
      // Before the first run, only the source knows the type.
      const wrong = await run({ window: { from: "yesterday", to: "today" } });
      assert.equal(wrong.status, "failed");
      assert.match(wrong.error ?? "", /window\.from: "yesterday" is not a value of the watermark "day"/);
      const window = { from: "2026-01-02", to: "2026-01-04" };
      assert.deepEqual(counts(await run({ window })), [2, 2, 0, 0]);
      assert.equal(await watermark(), null);
      assert.deepEqual(counts(await run()), [10, 8, 0, 0]);
      const reached = await watermark();
      await shop.execute("UPDATE orders SET note = 'b' WHERE id IN (1, 5)");
      assert.deepEqual(counts(await run({ window })), [2, 0, 1, 0]);
      assert.equal(await watermark(), reached);
      assert.equal((await rows()).filter((row) => row.endsWith("b")).join(), "1 b");
    });

    test(`a reset reads all rows again and keeps others; a full refresh also removes rows, with ${kind}`, async () => {
      for (const keyed of [true, false]) {
        const shop = await open();
        await shop.execute(orders);
        const { run, rows, watermark } = await given(shop, [
          dataset(keyed ? { primary_keys: ["id"] } : { write_strategy: "append" }),
        ]);
        await run();
        const reached = await watermark();
        await shop.execute(
          "DELETE FROM orders WHERE id IN (0, 9); UPDATE orders SET note = 'b' WHERE id = 1",
        );
        assert.deepEqual(counts(await run({ reset_watermark: true })), keyed ? [8, 0, 1, 0] : [8, 1, 0, 0]);
        assert.equal((await rows()).length, keyed ? 10 : 11);
        // The row with the greatest value was deleted, so the watermark starts over.
        assert.notEqual(await watermark(), reached);
        const refresh = await run({ full_refresh: true, datasets: ["orders"] });
        assert.equal(refresh.status, "succeeded", refresh.error ?? "");
        assert.deepEqual(counts(refresh), keyed ? [8, 0, 0, 2] : [8, 8, 0, 11]);
        assert.deepEqual(await rows("id"), ["1", "2", "3", "4", "5", "6", "7", "8"]);
        assert.deepEqual(counts(await run({ full_refresh: true })), [8, 0, 0, 0]);
      }
    });

    test(`a window of a numeric watermark, and rows in the target that are gone, with ${kind}`, async () => {
      const shop = await open();
      await shop.execute(orders);
      const { run, rows } = await given(shop, [
        dataset({ watermark_column: "id", write_strategy: "append" }),
      ]);
      await run();
      await shop.execute("DELETE FROM orders WHERE id = 4");
      assert.deepEqual(counts(await run({ window: { from: 3, to: 6 } })), [2, 2, 0, 3]);
      assert.deepEqual(await rows("id"), ["0", "1", "2", "3", "5", "6", "7", "8", "9"]);
    });
  }

  test("a run may delete more rows than max_delete_share allows, with the command that the error names", async () => {
    const [open] = Object.values(shops);
    const shop = await open?.();
    assert.ok(shop);
    await shop.execute(orders);
    const { run, request } = await given(shop, [
      dataset({ write_strategy: "replace", watermark_column: null }),
    ]);
    assert.equal((await run()).status, "succeeded");
    await shop.execute("DELETE FROM orders WHERE id > 1");
    // For a table with only a few rows, the share is checked only if it is 0.
    const refused = await run({ max_delete_share: 0 });
    assert.match(refused.error ?? "", / --set parameters\.max_delete_share=1$/);
    await assert.rejects(request({ max_delete_share: 2 }), { status: 422 });
    const allowed = await run({ max_delete_share: 1 });
    assert.equal(allowed.status, "succeeded", allowed.error ?? "");
  });

  test("chosen datasets alone are run, by target name or id, and do not hide that another fails", async () => {
    const shop = await (shops.sqlite as () => Promise<Shop>)();
    await shop.execute(orders);
    const { run, client, params } = await given(shop, [
      dataset({ primary_keys: ["id"] }),
      { source_dataset: "customers", target_name: "customers" },
    ]);
    assert.equal((await run()).status, "failed");
    const connector = () => client.getConnector({ params });
    const failing = await connector();
    assert.equal(failing.status, "failing");
    for (const name of ["orders", failing.datasets?.[0]?.id ?? ""]) {
      const { status, metrics } = await run({ datasets: [name, name] });
      assert.equal(status, "succeeded");
      assert.equal((metrics.datasets as unknown[]).length, 1);
    }
    assert.deepEqual(
      [(await connector()).status, (await connector()).error_message],
      ["failing", failing.error_message],
    );
    assert.equal((await run({ datasets: ["customers"] })).status, "failed");
    // A dataset that is removed after the request fails its retry.
    const { id: removed = "" } = (await connector()).datasets?.[1] ?? {};
    const last = await run({ datasets: [removed] });
    await client.removeDataset({ params: { ...params, dataset_id: removed } });
    const again = await client.retryRun({ params: { run_id: last.id } });
    const ended = await until(async () => {
      const read = await client.getRun({ params: { run_id: again.id } });
      return read.ended_at ? read : undefined;
    }, 20);
    assert.match(
      ended.error ?? "",
      /^The parameters of this run: datasets\.0: The connector .* has no dataset/,
    );
  });

  test("wrong parameters are 422 with their place, and nothing is queued", async () => {
    const shop = await (shops.sqlite as () => Promise<Shop>)();
    const { request, client, params } = await given(shop, [
      dataset({ write_strategy: "append" }),
      { source_dataset: "plain", target_name: "plain" },
    ]);
    const window = { from: "2026-01-01", to: "2026-02-01" };
    const wrong: [object, (string | number)[]][] = [
      [{ dataset: "orders" }, ["dataset"]],
      [{ datasets: "orders" }, ["datasets"]],
      [{ datasets: [] }, ["datasets"]],
      [{ datasets: ["orders", "ordres"] }, ["datasets", 1]],
      [{ datasets: [1] }, ["datasets", 0]],
      [{ full_refresh: "maybe" }, ["full_refresh"]],
      [{ full_refresh: true, reset_watermark: true }, ["reset_watermark"]],
      [{ full_refresh: true, window, datasets: ["orders"] }, ["full_refresh"]],
      [{ window, retry_rejects: true, datasets: ["orders"] }, ["retry_rejects"]],
      [{ window, datasets: ["orders", "plain"] }, ["window"]],
      [{ window: { from: 1 }, datasets: ["orders"] }, ["window", "to"]],
      [{ window: { ...window, until: 1 }, datasets: ["orders"] }, ["window", "until"]],
      [{ window: { from: 10n ** 40n, to: "x".repeat(300) }, datasets: ["orders"] }, ["window", "to"]],
      [{ window: { from: 2, to: 1 }, datasets: ["orders"] }, ["window", "to"]],
    ];
    for (const [parameters, loc] of wrong) {
      const { entries } = await refused(request(parameters), 422);
      assert.deepEqual(entries[0]?.loc, ["body", "parameters", ...loc], JSON.stringify(entries));
    }
    const { runs } = await client.listRuns({ query: { job: `connector-${params.connector_id}` } });
    assert.deepEqual(runs, []);
  });

  test("an export of a window upserts rows of a database; other targets refuse it", async () => {
    const shop = await (shops.sqlite as () => Promise<Shop>)();
    await shop.execute(orders);
    const source = await given(shop, [dataset({ primary_keys: ["id"] })]);
    await source.run();
    const path = join(folder, `${unique("out")}.db`);
    const { environment_id } = (await source.run()) as { environment_id: string };
    const { client } = source;
    new DatabaseSync(path).close();
    const { id } = await client.createConnector({
      body: {
        name: unique("out"),
        target_type: "sqlite",
        target_config: { path },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [dataset({ source_dataset: "shop.raw.orders", primary_keys: ["id"] })],
      },
      environment: environment_id,
    });
    const run = async (parameters: Record<string, unknown>) => {
      const { id: run_id } = await client.runJob({
        params: { job_id: `connector-${id}` },
        body: { parameters },
      });
      return until(async () => {
        const read = await client.getRun({ params: { run_id } });
        return read.ended_at ? read : undefined;
      }, 20);
    };
    const target = (sql: string) => {
      using file = new DatabaseSync(path);
      return file
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(" "));
    };
    assert.equal((await run({})).status, "succeeded");
    const watermark = async () =>
      (await client.getConnector({ params: { connector_id: id } })).datasets?.[0]?.current_watermark;
    const reached = await watermark();
    target("UPDATE orders SET note = 'changed there' RETURNING id");
    const backfill = await run({ window: { from: "2026-01-02", to: "2026-01-04" } });
    assert.equal(backfill.status, "succeeded", backfill.error ?? "");
    assert.deepEqual(target("SELECT id FROM orders WHERE note = 'a' ORDER BY id"), ["1", "2"]);
    assert.equal(await watermark(), reached);
    target("INSERT INTO orders (id, note) VALUES (99, 'only there') RETURNING id");
    const refresh = await run({ full_refresh: true });
    assert.equal(refresh.status, "succeeded", refresh.error ?? "");
    assert.equal(target("SELECT id FROM orders WHERE note = 'a'").length, 10);
    assert.deepEqual(target("SELECT count(*) FROM orders"), ["10"]);

    const refuses = async (target_type: string, config: object, parameters: object, sentence: RegExp) => {
      const { id: other } = await client.createConnector({
        body: {
          name: unique("out"),
          target_type,
          target_config: { ...config },
          execution_mode: "manual",
          created_by: "ada",
          datasets: [dataset({ source_dataset: "shop.raw.orders", write_strategy: "append" })],
        },
        environment: environment_id,
      });
      const params = { job_id: `connector-${other}` };
      const call = client.runJob({ params, body: { parameters: { ...parameters } } });
      await refused(call, 422, sentence);
    };
    const window = { from: "2026-01-02", to: "2026-01-04" };
    await refuses("csv", { path: folder }, { window }, /not written to a database/);
    await refuses("csv", { path: folder }, { full_refresh: true }, /appends files/);
    await refuses("sqlite", { path }, { window }, /needs the write_strategy "upsert"/);
    await refuses("http", { url: "http://127.0.0.1:9/" }, { reset_watermark: true }, /HTTP endpoint/);
  });
});
