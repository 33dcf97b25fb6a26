import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { type EndpointRequest, startEndpoint } from "./http-endpoint.ts";
import { secrets, syncTo } from "./reverse-etl-requests.ts";
import { type NotebookCrashPoint, type SparkEngine, startSpark } from "./spark-engine.ts";

const fine = () => ({ status: 204 });
const headers = { Authorization: "{{secrets/lakehelm/hook}}" };
const byKey = { primary_keys: ["id"], watermark_column: "updated_at" };

describe("reverse ETL to an HTTP endpoint", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.gold");
    await engine.sql(
      "CREATE TABLE main.gold.customers (id INT, name STRING, updated_at TIMESTAMP) USING DELTA",
    );
  });

  const add = (...rows: readonly string[]) =>
    engine.sql(`INSERT INTO main.gold.customers VALUES ${rows.map((row) => `(${row})`).join(", ")}`);
  const at = (second: number) => `TIMESTAMP '2026-01-01 00:00:0${second}Z'`;
  const run = (notebook: string) => engine.completes(notebook, { secrets });
  const sent = (received: readonly EndpointRequest[]) =>
    received.map(({ body }) => body.records.map(({ id, name }) => `${id} ${name}`).join(", "));

  it("sends batches, oldest first, and each state of a row once", async (t) => {
    const { url, acknowledged } = await startEndpoint(t, fine);
    await add(`1, 'one', ${at(1)}`, `2, 'two', ${at(2)}`, `3, '', ${at(3)}`, "4, NULL, NULL");
    const notebook = syncTo("http", { url, headers, batch_size: 2 }, [byKey]);
    assert.match(
      (await run(notebook)).output,
      /4 read, 4 sent, 0 rejected, mark None -> 2026-01-01 00:00:03/,
    );
    assert.deepEqual(sent(acknowledged), ["1 one, 2 two", "3 , 4 null"]);
    const [first] = acknowledged;
    assert.equal(first?.authorization, secrets["lakehelm/hook"]);
    assert.deepEqual(first?.body, {
      ...{
        connector: 'Shop\'s "data"',
        dataset: "customers",
        write_strategy: "upsert",
        primary_keys: ["id"],
      },
      records: [
        { id: 1, name: "one", updated_at: "2026-01-01T00:00:01.000000Z" },
        { id: 2, name: "two", updated_at: "2026-01-01T00:00:02.000000Z" },
      ],
    });

    assert.match((await run(notebook)).output, /0 read, 0 sent/);
    await add(`5, 'late', ${at(3)}`, `1, 'older', ${at(3)}`, `1, 'ONE', ${at(4)}`, `2, 'too late', ${at(1)}`);
    assert.match(
      (await run(notebook)).output,
      /2 read, 2 sent, 0 rejected, 1 superseded by another row with the same key, mark .*03 -> .*04/,
    );
    assert.deepEqual(sent(acknowledged).slice(2), ["5 late, 1 ONE"]);
  });

  it(
    "appends equal rows as often as they occur, and sends changes without a watermark",
    onlyNightly,
    async (t) => {
      const { url, acknowledged } = await startEndpoint(t, fine);
      await add("1, 'a', NULL", "1, 'a', NULL");
      const notebook = syncTo("http", { url }, [
        { target_name: "log" },
        { target_name: "state", primary_keys: ["id"] },
      ]);
      await run(notebook);
      await run(notebook);
      const flow = async (change: string) => {
        await engine.sql(change);
        await run(notebook);
      };
      await flow("UPDATE main.gold.customers SET name = 'b'");
      await flow("UPDATE main.gold.customers SET name = 'a'");
      const of = (dataset: string) => sent(acknowledged.filter(({ body }) => body.dataset === dataset));
      assert.deepEqual(of("log"), ["1 a, 1 a", "1 b, 1 b"]);
      assert.deepEqual(of("state"), ["1 a", "1 b", "1 a"]);
    },
  );

  it(
    "waits for a busy endpoint, keeps the rows that it refuses, and fails at a redirect",
    onlyNightly,
    async (t) => {
      let busy = 2;
      const { url, acknowledged } = await startEndpoint(t, ({ body }) => {
        if (busy-- > 0) return { status: busy === 1 ? 429 : 503, headers: { "Retry-After": "1" } };
        const bad = body.records.find(({ name }) => name === "bad");
        return bad ? { status: 422, text: "no such name" } : { status: 200 };
      });
      await add(...["a", "b", "bad", "d"].map((name, id) => `${id}, '${name}', ${at(id)}`));
      const notebook = syncTo("http", { url, headers }, [byKey]);
      assert.match((await run(notebook)).output, /4 read, 3 sent, 1 rejected/);
      assert.deepEqual(sent(acknowledged), ["0 a, 1 b", "3 d"]);
      const [table] = await engine.sql("SHOW TABLES IN main.gold LIKE '*rejects'");
      const [refused] = await engine.sql(`SELECT content, reason FROM main.gold.${table?.tableName}`);
      assert.deepEqual(JSON.parse(String(refused?.content)).name, "bad");
      assert.equal(refused?.reason, "422 Unprocessable Entity: no such name");
      assert.match((await run(notebook)).output, /0 read, 0 sent/);

      const closed = await startEndpoint(t, () => ({ status: 302, headers: { Location: url } }));
      const { error } = await engine.runNotebook(
        syncTo("http", { url: closed.url, headers }, [byKey], "other"),
        {
          secrets,
        },
      );
      assert.match(error?.message ?? "", /HTTP Error 302/);
    },
  );

  it("sends rows again that were refused, and keeps its watermark", onlyNightly, async (t) => {
    let accepts = false;
    const { url, acknowledged } = await startEndpoint(t, ({ body }) =>
      !accepts && body.records.some(({ name }) => name === "bad") ? { status: 422 } : { status: 200 },
    );
    await add(`1, 'a', ${at(1)}`, `2, 'bad', ${at(2)}`, `3, 'bad', ${at(3)}`, "4, 'bad', NULL");
    const notebook = syncTo("http", { url, headers, max_reject_share: 1 }, [
      byKey,
      { target_name: "log", watermark_column: "updated_at" },
    ]);
    const retry = () => engine.completes(notebook, { secrets, parameters: { retry_rejects: "true" } });
    assert.match((await run(notebook)).output, /customers: 4 read, 1 sent, 3 rejected/);
    await add(`2, 'mended', ${at(2)}`);
    await engine.sql("DELETE FROM main.gold.customers WHERE id = 2 AND name = 'bad'");
    assert.match((await retry()).output, /customers: 3 read, 1 sent, 2 rejected, mark .*03 -> .*03/);
    accepts = true;
    assert.match((await retry()).output, /customers: 2 read, 2 sent, 0 rejected, mark .*03 -> .*03/);
    assert.match((await retry()).output, /customers: 0 read[\s\S]*log: 0 read/);
    const of = (dataset: string) => sent(acknowledged.filter(({ body }) => body.dataset === dataset));
    assert.deepEqual(of("customers"), ["1 a", "2 mended", "3 bad, 4 bad"]);
    assert.deepEqual(of("log"), ["1 a", "3 bad, 4 bad"]);
    assert.match((await run(notebook)).output, /customers: 0 read[\s\S]*log: 0 read/);
  });

  // The effects: the bound, then a request and its acknowledgement for each of two batches.
  const effects = [/MERGE/, /POST/, /MERGE/, /POST/, /MERGE/];
  for (const [index, effect] of someOf([...effects.entries()], 1)) {
    // The first two effects create the tables.
    const crashAt: NotebookCrashPoint = { effect: index + 3, when: "after" };
    it(`repeats a batch with the same key after a crash at effect ${crashAt.effect}`, async (t) => {
      const { url, acknowledged } = await startEndpoint(t, fine);
      await add(`1, 'one', ${at(1)}`, `2, 'two', ${at(2)}`, `3, 'three', ${at(2)}`);
      const notebook = syncTo("http", { url, batch_size: 2 }, [byKey]);
      const crash = await engine.runNotebook(notebook, { secrets, crashAt });
      assert.ok(crash.crashed, crash.output);
      assert.match(crash.effects.at(-1) ?? "", effect);
      await add(`4, 'new', ${at(3)}`);
      await run(notebook);
      const byItsKey = new Map(acknowledged.map((received) => [received.key, received]));
      assert.equal(sent([...byItsKey.values()]).join(", "), "1 one, 2 two, 3 three, 4 new");
      assert.match((await run(notebook)).output, /0 read, 0 sent/);
    });
  }
});
