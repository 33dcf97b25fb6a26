/** Alterations of tables through the API and the command, with what their connectors and flows do afterwards. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { DatasetInput, EndpointBodyInput, endpoints, Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { lakehelm } from "../../../../cli/src/testing/terminal.ts";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";

type Change = Parameters<TestServer["client"]["alterTable"]>[0]["body"]["changes"][number];

suite("alterations of tables", () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-alterations-"));
    server = await startTestServer();
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** A source with orders, a connector that has loaded them into `shop.raw.orders`, and an environment of its own. */
  async function given(dataset: Partial<DatasetInput> = {}) {
    const { client } = server;
    const environment = unique("env");
    const path = join(folder, `${environment}.db`);
    const execute = (sql: string) => {
      using file = new DatabaseSync(path);
      file.exec(sql);
    };
    execute(`CREATE TABLE orders (id INTEGER PRIMARY KEY, day TIMESTAMP NOT NULL, amount BIGINT, note TEXT, code INTEGER);
      INSERT INTO orders VALUES (1, '2026-01-01 00:00:00', 10, 'a', 1), (2, '2026-01-02 00:00:00', 20, 'b', 2)`);
    await client.createEnvironment({
      body: { name: environment, configuration: { catalog: "shop", schema: "raw" } },
    });
    const runs = async (job: string): Promise<Run> => {
      const { id: run_id } = await client.runJob({ params: { job_id: job }, body: {} });
      const read = () => client.getRun({ params: { run_id } });
      await until(async () => !["queued", "running"].includes((await read()).status), 20);
      return read();
    };
    const name = unique("in");
    const { id } = await client.createConnector({
      body: {
        name,
        target_type: "warehouse",
        target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [
          {
            source_dataset: "orders",
            target_name: "orders",
            primary_keys: ["id"],
            watermark_column: "day",
            ...dataset,
          },
        ],
      },
      environment,
    });
    const body = (changes: Change[], table = "orders") => ({ table, changes });
    const shop = {
      environment,
      client,
      execute,
      name,
      run: () => runs(`connector-${id}`),
      runs,
      plan: (...changes: Change[]) => client.planTableAlteration({ body: body(changes), environment }),
      alter: (...changes: Change[]) => client.alterTable({ body: body(changes), environment }),
      force: (...changes: Change[]) =>
        client.alterTable({ body: { ...body(changes), force: true }, environment }),
      async rows(sql = "SELECT * FROM orders ORDER BY id") {
        const { columns, rows } = await client.runQuery({ body: { sql }, environment });
        return { names: columns.map((one) => one.name), types: columns.map((one) => one.type), rows };
      },
      async flow() {
        const flow_name = unique("flow");
        const flow = await client.createFlow({ body: totals(flow_name, "BIGINT"), environment });
        return { id: flow.id, flow_name, run: () => runs(`flow-${flow.id}`) };
      },
    };
    const first = await shop.run();
    assert.equal(first.status, "succeeded", first.error ?? "");
    return shop;
  }
  const totals = (flow_name: string, amount: string): EndpointBodyInput<typeof endpoints.createFlow> => ({
    flow_name,
    source_tables: ["orders"],
    target_name: "totals",
    trigger_type: "manual",
    matched_sql: "select id, amount from orders",
    target_schema: {
      description: "Amounts",
      columns: [
        { name: "id", type: "BIGINT", pk: true },
        { name: "amount", type: amount },
      ],
    },
    requested_by: "ada@example.test",
  });
  const succeeds = async (run: Promise<Run>): Promise<Run> => {
    const ended = await run;
    assert.equal(ended.status, "succeeded", ended.error ?? "");
    return ended;
  };

  test("a plan changes nothing, and an alteration is an event and keeps the runs of its connector silent", async () => {
    const shop = await given();
    const changes: Change[] = [
      { change: "set_type", column: "AMOUNT", type: "decimal(20,0)" },
      { change: "move", column: "amount", after: null },
    ];
    const planned = await shop.plan(...changes);
    assert.deepEqual(
      [planned.applied, planned.problems, planned.breaking, planned.columns[0]?.type],
      [false, [], false, "DECIMAL(20,0)"],
    );
    assert.deepEqual((await shop.rows()).names, ["id", "day", "amount", "note", "code"]);
    const done = await shop.alter(...changes);
    assert.deepEqual({ ...done, applied: false }, planned);
    assert.deepEqual((await shop.rows()).names, ["amount", "id", "day", "note", "code"]);
    const said = async () => {
      const { events } = await shop.client.readEvents({ query: { kind: "table.*", sort: "created" } });
      return events.map(({ kind, subject }) => `${kind} ${subject.replace(/^table\/[^/]+\//, "")}`).join();
    };
    const both = "table.alteration_started shop.raw.orders,table.altered shop.raw.orders";
    await until(async () => (await said()) === both, 20);
    shop.execute("INSERT INTO orders VALUES (3, '2026-01-03 00:00:00', 30, 'c', 3)");
    const run = await succeeds(shop.run());
    assert.doesNotMatch(JSON.stringify(run), /Something else|removed rows/);
    assert.deepEqual((await shop.rows("SELECT id, amount FROM orders ORDER BY id")).rows.map(String), [
      "1,10",
      "2,20",
      "3,30",
    ]);
    // The same again changes nothing, and a plan that is out of date is refused.
    assert.equal((await shop.alter(...changes)).applied, false);
    const body = { table: "orders", changes: [{ change: "drop" as const, column: "note" }], digest: "other" };
    await refused(shop.client.alterTable({ body, environment: shop.environment }), 409, /out of date/);
    const other = { ...body, table: "a\0b" };
    await refused(
      shop.client.planTableAlteration({ body: other, environment: shop.environment }),
      409,
      /There is no table/,
    );
  });

  test("a type that is narrower than the source stays, and rows that do not fit are rejected", async () => {
    const shop = await given({ custom_config: { max_reject_share: 1 } });
    const { writers } = await shop.alter({ change: "set_type", column: "amount", type: "TINYINT" });
    assert.match(writers[0]?.sentence ?? "", /does not fit TINYINT is rejected/);
    shop.execute(
      "INSERT INTO orders VALUES (3, '2026-01-03 00:00:00', 100, 'c', 3), (4, '2026-01-04 00:00:00', 1000, 'd', 4)",
    );
    const run = await shop.run();
    assert.equal(run.error, null);
    const { rows, types } = await shop.rows("SELECT amount FROM orders ORDER BY id");
    assert.deepEqual([types, rows], [["TINYINT"], [[10], [20], [100]]]);
    // The plan has the command that restores the former type.
    const [, command = ""] = /(lakehelm tables alter .*)$/.exec(writers[0]?.sentence ?? "") ?? [];
    await runPrinted(command, shop.environment);
    shop.execute("UPDATE orders SET day = '2026-01-05 00:00:00' WHERE id = 4");
    await succeeds(shop.run());
    assert.deepEqual(
      (await shop.rows("SELECT amount FROM orders ORDER BY id")).rows.flat().map(Number),
      [10, 20, 100, 1000],
    );
  });

  test("a dropped column of a source comes back, as the plan says; one that is gone there does not", async () => {
    const shop = await given();
    const drop: Change = { change: "drop", column: "note" };
    const { writers, breaking } = await shop.plan(drop);
    assert.deepEqual([breaking, writers[0]?.level], [true, "breaking"]);
    assert.match(writers[0]?.sentence ?? "", /adds note again.*have NULL/);
    await refused(shop.alter(drop), 409, /set force \(--force\)/);
    await shop.force(drop);
    assert.deepEqual((await shop.rows()).names, ["id", "day", "amount", "code"]);
    shop.execute("INSERT INTO orders VALUES (3, '2026-01-03 00:00:00', 30, 'c', 3)");
    await succeeds(shop.run());
    assert.deepEqual((await shop.rows("SELECT note FROM orders ORDER BY id")).rows, [[null], ["b"], ["c"]]);
    shop.execute(
      "ALTER TABLE orders DROP COLUMN note; UPDATE orders SET day = '2026-01-04 00:00:00' WHERE id = 1",
    );
    await succeeds(shop.run());
    assert.ok((await shop.rows()).names.includes("note"));
    assert.equal((await shop.plan(drop)).breaking, false);
    await shop.alter(drop);
    shop.execute("UPDATE orders SET day = '2026-01-05 00:00:00' WHERE id = 1");
    await succeeds(shop.run());
    assert.deepEqual((await shop.rows()).names, ["id", "day", "amount", "code"]);
  });

  test("without a watermark, the next run fills a dropped column again, as the plan says", async () => {
    const shop = await given({ watermark_column: null });
    const drop: Change = { change: "drop", column: "note" };
    const { writers } = await shop.plan(drop);
    assert.match(writers[0]?.sentence ?? "", /adds note again.*with the values of the source/);
    await shop.force(drop);
    await succeeds(shop.run());
    assert.deepEqual((await shop.rows("SELECT note FROM orders ORDER BY id")).rows, [["a"], ["b"]]);
  });

  test("what a connector needs is refused: its names, its keys, its watermark", async () => {
    const shop = await given();
    await refused(
      shop.force({ change: "rename", column: "note", name: "remark" }),
      409,
      /writes note by the name.*Rename the column at the source/,
    );
    for (const column of ["id", "day"]) {
      await refused(shop.force({ change: "drop", column }), 409, /cannot be dropped/);
      await refused(shop.force({ change: "rename", column, name: "x" }), 409, /cannot be renamed/);
      await refused(shop.force({ change: "set_type", column, type: "STRING" }), 409, /cannot be changed to/);
    }
    await refused(
      shop.force({ change: "set_type", column: "note", type: "INT" }),
      409,
      /2 rows have a note that does not fit INT/,
    );
    assert.deepEqual((await shop.rows()).rows.length, 2);
    await succeeds(shop.run());
  });

  test("a flow decides about its own columns; what only the table has can be altered", async () => {
    const shop = await given();
    const flow = await shop.flow();
    await succeeds(flow.run());
    const alter = (force: boolean, ...changes: Change[]) =>
      shop.client.alterTable({ body: { table: "totals", changes, force }, environment: shop.environment });
    const instead = /in its target_schema and its SELECT, and its next run changes the table/;
    await refused(alter(true, { change: "drop", column: "amount" }), 409, instead);
    await refused(alter(true, { change: "rename", column: "amount", name: "a" }), 409, instead);
    await refused(alter(true, { change: "set_type", column: "amount", type: "STRING" }), 409, instead);
    await alter(false, { change: "move", column: "amount", after: null });
    await succeeds(flow.run());
    assert.deepEqual((await shop.rows("SELECT * FROM totals ORDER BY id")).rows.map(String), [
      "10,1",
      "20,2",
    ]);
    // The flow reads the column `amount` of orders, and not `note`.
    const breaks = async (column: string) =>
      (await shop.plan({ change: "drop", column })).readers.map(({ name }) => name);
    assert.deepEqual(await breaks("amount"), [flow.flow_name]);
    assert.deepEqual(await breaks("note"), []);
    await refused(shop.alter({ change: "drop", column: "amount" }), 409, new RegExp(flow.flow_name));
  });

  test("a name that changes only its case breaks nothing: everything finds the column as before", async () => {
    const shop = await given();
    const flow = await shop.flow();
    const changes: Change[] = [
      { change: "rename", column: "amount", name: "Amount" },
      { change: "rename", column: "id", name: "ID" },
    ];
    const { readers, breaking, problems, changes: said } = await shop.plan(...changes);
    assert.deepEqual([readers, breaking, problems], [[], false, []]);
    assert.ok(said.includes("amount is renamed to Amount."), said.join());
    assert.equal((await shop.alter(...changes)).applied, true);
    shop.execute("INSERT INTO orders VALUES (3, '2026-01-03 00:00:00', 30, 'c', 3)");
    await succeeds(shop.run());
    await succeeds(flow.run());
    const { names, rows } = await shop.rows();
    assert.deepEqual([names, rows.length], [["ID", "day", "Amount", "note", "code"], 3]);
    assert.deepEqual((await shop.rows("SELECT * FROM totals ORDER BY id")).rows.map(String), [
      "1,10",
      "2,20",
      "3,30",
    ]);
    await refused(
      shop.plan({ change: "move", column: "note", after: "NOTE" }),
      409,
      /"note" of shop.raw.orders cannot be moved after itself/,
    );
  });

  test("the command that a refused flow prints keeps its rows", async () => {
    const shop = await given();
    const flow = await shop.flow();
    await succeeds(flow.run());
    shop.execute("DELETE FROM orders WHERE id = 1");
    await shop.client.updateFlow({
      params: { flow_id: flow.id },
      body: totals(flow.flow_name, "DECIMAL(12,2)"),
    });
    const failed = await flow.run();
    assert.equal(failed.status, "failed");
    const [, command = ""] =
      /if all of their values fit: (lakehelm tables alter .*)$/.exec(failed.error ?? "") ?? [];
    await runPrinted(command, shop.environment);
    await succeeds(flow.run());
    const { types, rows } = await shop.rows("SELECT amount FROM totals ORDER BY id");
    assert.deepEqual([types, rows.length], [["DECIMAL(12,2)"], 2]);
  });

  /** Splits a printed command like a shell, and runs it with the shipped program. */
  async function runPrinted(line: string, environment: string): Promise<void> {
    const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll(`'\\''`, "'") ?? plain ?? "",
    );
    assert.deepEqual(words.slice(0, 3), ["lakehelm", "tables", "alter"], line);
    const env = { LAKEHELM_URL: server.url, LAKEHELM_TOKEN: server.token, LAKEHELM_ENV: environment };
    const { code, stdout, stderr } = await lakehelm(words.slice(1), { env });
    assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
  }

  test("the command that a refused type prints works, and the next run succeeds", async () => {
    const shop = await given();
    shop.execute(`DROP TABLE orders;
      CREATE TABLE orders (id INTEGER PRIMARY KEY, day TIMESTAMP NOT NULL, amount BIGINT, note TEXT, code TEXT);
      INSERT INTO orders VALUES (3, '2026-01-03 00:00:00', 30, 'c', 'x3')`);
    const failed = await shop.run();
    assert.equal(failed.status, "failed");
    const [, command = ""] =
      /store both as text: (lakehelm tables alter .*? --yes)/.exec(failed.error ?? "") ?? [];
    await runPrinted(command, shop.environment);
    await succeeds(shop.run());
    assert.deepEqual((await shop.rows("SELECT code FROM orders ORDER BY id")).rows, [["1"], ["2"], ["x3"]]);
  });

  test("the command shows the plan first, and needs a consent", async () => {
    const shop = await given();
    const env = { LAKEHELM_URL: server.url, LAKEHELM_TOKEN: server.token, LAKEHELM_ENV: shop.environment };
    const call = (line: string) => lakehelm(["tables", "alter", "orders", ...line.split(" ")], { env });
    const planned = await call("--drop note --plan");
    assert.equal(planned.code, 0);
    assert.match(planned.stdout, /shop\.raw\.orders[\s\S]*~ note \(STRING\) is dropped[\s\S]*! connector/);
    assert.equal((await call("--set-type amount=DECIMAL(20,0)")).code, 2);
    assert.equal((await call("--drop note --yes")).code, 1);
    assert.equal((await call("--set-type note=INT --yes")).code, 1);
    assert.equal((await call("--set-type amount --yes")).code, 2);
    const done = await call("--after day=amount --first amount --drop note --yes --force");
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual((await shop.rows()).names, ["amount", "id", "day", "code"]);
    assert.equal((await call("--first amount --yes")).code, 0);
  });
});
