import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { DataProblem } from "../../protocol/problem.ts";
import { allowsLoopback } from "../../testing/loopback.ts";
import { openSourceHarness, type SourceHarness } from "../../testing/source-harness.ts";
import type { ConnectorSource } from "../source/source.ts";
import { openPostgresSource } from "./source.ts";
import { freshSchema, type PostgresSchema } from "./testing/schema.ts";
import { typeCases } from "./testing/type-cases.ts";

suite("PostgreSQL as a source", () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let harness: SourceHarness;
  let schema: PostgresSchema;

  before(async () => {
    harness = await openSourceHarness({
      after: (cleanup) => void cleanups.push(cleanup as () => Promise<void>),
    });
    schema = await freshSchema();
  });
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp();
    await schema.drop();
  });

  async function withSource<Result>(
    use: (source: ConnectorSource) => Promise<Result>,
    config: Record<string, unknown> = {},
    signal = harness.context.signal,
  ): Promise<Result> {
    const source = await openPostgresSource(
      { ...schema.connection.config, ...config },
      { signal, egress: allowsLoopback },
    );
    try {
      return await use(source);
    } finally {
      await source.close();
    }
  }

  /** Creates a table with a column `v` of the type and one row per value, and reads it. */
  async function readValues(type: string, values: readonly string[]) {
    const { client } = schema;
    await client.query(`DROP TABLE IF EXISTS t; CREATE TABLE t (n int, v ${type})`);
    for (const [n, value] of values.entries()) await client.query(`INSERT INTO t VALUES (${n}, ${value})`);
    const { rows, rejects } = await withSource((source) => harness.read(source, "t"));
    return { values: rows.map(([, value]) => value), rejects };
  }

  test("values of every type are read without loss", async () => {
    const rowCount = Math.max(...typeCases.map(({ values }) => values.length));
    const columns = typeCases.map(({ type }, index) => `c${index} ${type}`).join(", ");
    const rows = Array.from({ length: rowCount }, (_, row) =>
      typeCases.map(({ values }) => values[row] ?? "NULL"),
    );
    await schema.client.query(`
      CREATE TYPE mood AS ENUM ('sad', 'very happy');
      CREATE DOMAIN amount AS numeric(8,2); CREATE DOMAIN price AS amount CHECK (value > 0);
      CREATE TABLE every_type (n int, ${columns});
      INSERT INTO every_type VALUES ${rows.map((row, n) => `(${n}, ${row.join(", ")})`).join(", ")}`);
    const found = await withSource((source) => harness.read(source, "every_type"));
    assert.deepEqual(found.rejects, []);
    for (const [index, { type, becomes, as }] of typeCases.entries()) {
      assert.equal(found.types[index + 1], becomes, type);
      const expected = Array.from({ length: rowCount }, (_, row) => as[row] ?? null);
      assert.deepEqual(
        found.rows.map((row) => row[index + 1]),
        expected,
        type,
      );
    }
  });

  test("a row with a value that the warehouse cannot store is rejected, with its values", async () => {
    const found = await readValues("numeric(12,2)", ["1.5", "'NaN'", "2.5"]);
    assert.deepEqual(found.values, ["1.50", "2.50"]);
    assert.deepEqual(found.rejects, [
      { reason: 'the column "v": NaN and infinity are not decimal numbers', row: { n: "1", v: "NaN" } },
    ]);
    const late = await readValues("timestamptz", ["'294276-12-31 23:59:59+00'", "'2024-01-01+00'"]);
    assert.deepEqual(late.values, ["2024-01-01 00:00:00+00"]);
    assert.match(late.rejects[0]?.reason ?? "", /after the warehouse.s range/);
    const endless = await readValues("interval", ["'infinity'", "'1 day'"]);
    assert.equal(endless.values.length, 1);
    assert.match(endless.rejects[0]?.reason ?? "", /the interval is infinite/);
    const deep = await readValues("int[]", ["'{{1,2},{3,4}}'", "'{5}'"]);
    assert.deepEqual(deep.values, [[5]]);
    assert.match(deep.rejects[0]?.reason ?? "", /\{\{1,2\},\{3,4\}\}.* is not a INTEGER\[\]/);
  });

  test("lists tables and views with keys, watermark candidates and row counts", async () => {
    await schema.client.query(`
      CREATE TABLE "Order Lines" (region text, "no" int, note text NOT NULL, created_at timestamptz, updated_at timestamp(3),
        PRIMARY KEY ("no", region));
      INSERT INTO "Order Lines" SELECT 'r', n, '' FROM generate_series(1, 1000) n; ANALYZE "Order Lines";
      CREATE VIEW open_lines AS SELECT "no" FROM "Order Lines"; `);
    const datasets = await withSource((source) => source.discover());
    const [lines, view] = ["Order Lines", "open_lines"].map((one) =>
      datasets.find(({ name }) => name === one),
    );
    assert.deepEqual(
      [lines?.name, lines?.primary_keys, lines?.watermark_candidates, lines?.rows],
      ["Order Lines", ["no", "region"], ["updated_at", "created_at"], 1000],
    );
    assert.deepEqual(lines?.columns[4], {
      name: "updated_at",
      type: "TIMESTAMP",
      origin: "timestamp(3) without time zone",
      nullable: true,
    });
    assert.deepEqual([view?.name, view?.primary_keys, view?.rows], ["open_lines", [], null]);
    const everywhere = await withSource((source) => source.discover(), { schema: undefined });
    assert.ok(everywhere.some(({ name }) => name === `${schema.name}.Order Lines`));
  });

  test("an unknown table is an error that suggests a similar name", async () => {
    await schema.client.query("CREATE TABLE customers (id int)");
    await assert.rejects(
      withSource((source) => source.describe("custommers")),
      (error) =>
        error instanceof DataProblem &&
        /no dataset "custommers" in .+Did you mean customers\?/.test(error.message),
    );
    assert.equal(
      (await withSource((source) => source.describe(`${schema.name}.customers`))).name,
      "customers",
    );
  });

  test("reads rows from the watermark on, including equal values and NULL", async () => {
    await schema.client.query(`
      CREATE TABLE marked (id int, at timestamptz);
      INSERT INTO marked VALUES (1, '2024-01-01 00:00:00.000001+00'), (2, '2024-01-01 00:00:00.000002+00'), (3, 'infinity'), (4, NULL)`);
    const since = { column: "at", value: "2024-01-01 00:00:00.000002+00" };
    const { rows } = await withSource((source) => harness.read(source, "marked", { since, columns: ["id"] }));
    assert.deepEqual(rows, [[2], [3], [4]]);
    // With an upper bound, the server sends only rows of that window.
    const window = { ...since, before: "2024-01-01 00:00:00.000003+00" };
    const inside = await withSource((source) =>
      harness.read(source, "marked", { since: window, columns: ["id"] }),
    );
    assert.deepEqual(inside.rows, [[2]]);
  });

  test("check reports missing privileges and connection errors, and never the password", async () => {
    const user = `reader_${schema.name}`;
    await schema.client.query(`
      CREATE TABLE open_table (id int); CREATE TABLE secret_table (id int);
      CREATE ROLE ${user} LOGIN PASSWORD 'hush-hush';
      GRANT USAGE ON SCHEMA ${schema.name} TO ${user}; GRANT SELECT ON open_table TO ${user}`);
    const check = (config: Record<string, unknown>) =>
      withSource((source) => source.check(["open_table", "secret_table", "open_tabel"]), config);
    try {
      const findings = await check({ user, password: "hush-hush" });
      assert.deepEqual(
        findings.map(({ ok }) => ok),
        [true, true, false, false],
      );
      assert.match(findings[0]?.sentence ?? "", /^can connect to .+ as reader_/);
      assert.equal(findings[1]?.sentence, "may read open_table");
      assert.match(findings[2]?.sentence ?? "", /reader_.+ may not read secret_table .+ SELECT/);
      assert.match(findings[3]?.sentence ?? "", /Did you mean open_table\?/);
      for (const wrong of [
        { password: "wr0ng" },
        { database: "nowhere" },
        { port: 1 },
        { host: "no.such.host.invalid" },
      ]) {
        const [finding, ...none] = await check({ user, password: "hush-hush", ...wrong });
        assert.deepEqual([finding?.ok, none], [false, []]);
        assert.match(finding?.sentence ?? "", /^Cannot connect to /);
        assert.doesNotMatch(finding?.sentence ?? "", /hush|wr0ng/);
      }
    } finally {
      await schema.client.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
    }
  });

  test("an array whose first element has another number than 1 is refused", async () => {
    const bounded = ["'[2:4]={1,2,3}'", "'[0:0]={7}'", "'{1,2}'", "'{}'", "NULL"];
    for (const type of ["int[]", "jsonb[]"]) {
      const { values, rejects } = await readValues(type, bounded);
      assert.equal(values.length, 3, type);
      assert.deepEqual(
        rejects.map(({ reason }) => /(\[\d:\d\]=\S+)/.exec(reason)?.[1]?.replace(/"$/, "")).sort(),
        ["[0:0]={7}", "[2:4]={1,2,3}"],
        type,
      );
    }
    const { values, rejects } = await readValues("int[][]", ["'[1:1][2:3]={{1,2}}'", "'{{1,2}}'"]);
    assert.deepEqual([values.length, rejects.length], [1, 1]);
  });

  test("a connection that is lost during a read is a retryable problem", async () => {
    await schema.client.query(
      "CREATE TABLE many AS SELECT n, repeat('x', 1000) AS v FROM generate_series(1, 60000) n",
    );
    const pending = observe(withSource((source) => harness.read(source, "many")));
    const terminate =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND state <> 'idle'";
    await untilDuring(pending, async () => {
      const { rowCount } = await schema.client.query(terminate, [`COPY (SELECT%"${schema.name}"."many"%`]);
      return rowCount === 1;
    });
    const error = await pending.ended;
    assert.ok(error instanceof DataProblem, String(error));
    assert.ok(error.retryable);
    assert.match(error.message, /^Reading many from /);
  });

  test("an aborted read ends its session, even if the session waits for a lock", async (t) => {
    await schema.client.query("CREATE TABLE locked (id int)");
    const other = await schema.connect();
    t.after(() => other.end());
    await other.query("BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE");
    const controller = new AbortController();
    const pending = observe(
      withSource(
        (source) => harness.read(source, "locked", { signal: controller.signal }),
        {},
        controller.signal,
      ),
    );
    await untilDuring(pending, async () => (await sessions()).some(({ waits }) => waits === "Lock"));
    controller.abort(new Error("cancelled by the test"));
    assert.equal(String(await pending.ended), "Error: cancelled by the test");
    await until(async () => (await sessions()).length === 0);
  });

  interface ReadOutcome {
    isOver: boolean;
    /** The error that it ended with; undefined if it succeeded. */
    readonly ended: Promise<unknown>;
  }

  function observe(work: Promise<unknown>): ReadOutcome {
    const result: ReadOutcome = {
      isOver: false,
      ended: work
        .then(
          () => undefined,
          (error: unknown) => error,
        )
        .finally(() => {
          result.isOver = true;
        }),
    };
    return result;
  }

  /** Waits for a condition. Fails if the work ends before the condition holds. */
  const untilDuring = (work: Pick<ReadOutcome, "isOver">, condition: () => Promise<boolean>): Promise<true> =>
    until(async () => {
      if (await condition()) return true;
      assert.equal(work.isOver, false, `it ended before this was true: ${condition}`);
      return false;
    });

  /** Lakehelm's sessions that read tables of this schema. */
  async function sessions(): Promise<{ pid: number; waits: string | null }[]> {
    const { rows } = await schema.client.query(
      "SELECT pid, wait_event_type AS waits FROM pg_stat_activity WHERE application_name LIKE 'lakehelm %' AND query LIKE $1 AND state <> 'idle'",
      [`%"${schema.name}".%`],
    );
    return rows;
  }
});
