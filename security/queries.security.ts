/** Queries of a viewer that try to exhaust the server's time, memory or disk, and ordinary queries at the same time. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { createCaller, startTarget, type Target } from "./target.ts";

/** How long several attackers keep the server under load. */
const holdMs = isNightly ? 60_000 : 20_000;
/** Other requests must be faster than this, even on a busy machine. */
const fastMs = 1_000;
const maxAnswer = 17 * 1024 * 1024;
const slowest = 60_000;

interface Query {
  readonly sql: string;
  readonly dialect?: "databricks" | "duckdb";
  readonly limit?: number;
  readonly timeout_seconds?: number;
}

const long = (unit: string, length = 900_000) => unit.repeat(Math.floor(length / unit.length));
const columns = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join();

const dialects = ["duckdb", "databricks"] as const;

/** A separate viewer sends each query in DuckDB's dialect and, if it is valid there, in the Databricks dialect. */
const attacks: Readonly<Record<string, string>> = {
  "one huge value": "SELECT repeat('x', 300000000)",
  "a huge value made in steps": "SELECT repeat(repeat('x', 1000000), 300)",
  "huge values in many rows": "SELECT repeat('x', 900000 + range::INT) FROM range(4096)",
  "a padded value": "SELECT rpad('x', 300000000, 'y')",
  "a huge error message": "SELECT CAST(repeat(repeat('x', 100000), 500) AS INT)",
  "a huge raised error": "SELECT error(repeat(repeat('x', 100000), 500))",
  "a list of millions": "SELECT range(30000000)",
  "an aggregated list": "SELECT list(range) FROM range(20000000)",
  "an aggregated text": "SELECT string_agg(repeat('x', 10000), '') FROM range(30000)",
  "a huge blob": "SELECT repeat(repeat('x', 1000000), 200)::BLOB",
  "a huge struct": "SELECT {'a': {'b': repeat(repeat('x', 1000000), 200)}}",
  "a huge map": "SELECT map(list(range), list(range)) FROM range(3000000)",
  "huge JSON": "SELECT to_json(list(range)) FROM range(10000000)",
  "a long field name in many rows": `SELECT {'${"n".repeat(100_000)}': range} FROM range(10000)`,
  "values that JSON escapes": "SELECT repeat(repeat(chr(1), 1000000), 7) FROM range(100)",
  "a cross join": "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
  "an endless recursion":
    "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT max(a) FROM t",
  "a growing recursion":
    "WITH RECURSIVE t AS (SELECT 'x' AS a UNION ALL SELECT a || a FROM t) SELECT max(length(a)) FROM t",
  "a sort that spills": "SELECT m FROM (SELECT md5(range::VARCHAR) AS m FROM range(100000000)) ORDER BY m",
  "a slow comparison": "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))",
  "a regular expression": "SELECT regexp_matches(repeat(repeat('a', 1000000), 50), '(a*)*b')",
  "a huge number": "SELECT length(factorial(30)::VARCHAR || repeat('9', 900000))",
  "thousands of columns": `SELECT ${columns(9_000, String)}`,
  "long column names": `SELECT ${columns(800, (at) => `1 AS "${"c".repeat(1_000)}${at}"`)}`,
  "many joins": `SELECT 1 FROM ${columns(300, (at) => `range(2) t${at}`)}`,
  "a long list of values": `SELECT 1 WHERE 1 IN (${columns(19_000, String)})`,
  "nested brackets": `SELECT ${"(".repeat(100_000)}1${")".repeat(100_000)}`,
  "nested lists": `SELECT ${"[".repeat(190)}1${"]".repeat(190)}`,
  "a long chain of operators": `SELECT 1${"+1".repeat(400_000)}`,
  "a run of operators": `SELECT 1 ${"+".repeat(1_900)}1`,
  "many comments": `SELECT 1 ${long("/**/")}`,
  "nested comments": `SELECT 1 ${long("/* ")}`,
  "closed nested comments": `SELECT 1 ${long("/* ", 450_000)}${long("*/ ", 450_000)}`,
  "line comments": `SELECT 1 ${long("--\n", 600_000)}`,
  "an open string": `SELECT '${long("''")}`,
  "escaped quotes": `SELECT ${long("\\'", 400_000)}`,
  "an open name": `SELECT "${long('""', 400_000)}`,
  "dollar signs": `SELECT ${long("$a$ ")}`,
  "the text of a long list": "SELECT length(range(0, 20000000)::VARCHAR)",
  "the text of a list of hundreds of millions": "SELECT length(range(0, 200000000)::VARCHAR)",
  "a thousand texts of a megabyte": "SELECT repeat('x', 990000 + range::INT) FROM range(1000)",
  "thousands of split texts":
    "SELECT sum(len(string_split(repeat('a,', 400000 + range::INT), ','))) FROM range(2048)",
  "a spill without end":
    "SELECT count(*) FROM (SELECT md5(a.range::VARCHAR) AS m FROM range(100000) a, range(100000) b ORDER BY m)",
};

/** The attacks that fill memory fastest. */
const largest = [
  "a list of millions",
  "a huge blob",
  "values that JSON escapes",
  "the text of a long list",
  "a thousand texts of a megabyte",
  "thousands of split texts",
];

suite("queries", () => {
  test("each attack gets a short answer in time, and the server and its engine go on", async (t) => {
    const target = await startTarget(t);
    await asViewer(target, { sql: "SELECT 1" });
    // The gate tries every second attack, in turn in one of the dialects.
    const tried = someOf(Object.entries(attacks), Math.ceil(Object.keys(attacks).length / 2));
    for (const [nth, [name, sql]] of tried.entries()) {
      // The nightly run tries each attack in both dialects.
      for (const dialect of isNightly ? dialects : dialects.slice(nth % 2, (nth % 2) + 1)) {
        const attack = { sql, dialect, limit: 10_000, timeout_seconds: 2 };
        const [answer, others] = await withObserver(target, asViewer(target, attack));
        const what = `${name} (${dialect}): ${JSON.stringify(answer)}`;
        assert.ok([200, 409, 429, 503].includes(answer.status), what);
        if (answer.status === 503) assert.ok(Number(answer.retryAfter) > 0, what);
        assert.ok(answer.bytes < maxAnswer, what);
        assert.ok(answer.ms < slowest, what);
        assert.ok(others.health < fastMs * 2, `${what}: /health took ${others.health} ms`);
      }
      await working(target);
    }
    assert.equal(target.server.child.exitCode, null);
    assert.ok((await residentMb(target.server.child.pid)) < 1_000);
    assert.ok((await folderMb(join(target.dataDir, "warehouse"))) < 4_000);
  });

  test("the server and its engine stay below the configured memory and 300 MB", async (t) => {
    const engineMb = 1_024;
    const target = await startTarget(t, { settings: { PLATFORM_ENGINE_MEMORY_MB: String(engineMb) } });
    await asViewer(target, { sql: "SELECT 1" });
    const { pid = 0 } = target.server.child;
    const tried = isNightly ? Object.keys(attacks) : largest;
    for (const name of tried) {
      const sql = attacks[name];
      assert.ok(sql, name);
      let peakMb = 0;
      const look = setInterval(() => {
        peakMb = Math.max(peakMb, treeMb(pid));
      }, 10);
      const attack = { sql, dialect: "duckdb" as const, limit: 10_000, timeout_seconds: isNightly ? 30 : 3 };
      const several = Array.from({ length: 3 }, () => asViewer(target, attack));
      const answers = await Promise.all(several).finally(() => clearInterval(look));
      const what = `${name}: ${Math.round(peakMb)} MB, ${JSON.stringify(answers)}`;
      assert.ok(peakMb > 0 && peakMb < engineMb + 300, what);
      for (const { status } of answers) assert.ok([200, 409, 429, 503].includes(status), what);
    }
    await working(target);
  });

  test("while attackers hold the server under load, others' requests stay fast", async (t) => {
    const target = await startTarget(t);
    await asViewer(target, { sql: "SELECT 1" });
    const end = Date.now() + holdMs;
    const statuses = new Map<number, number>();
    const attackers = Array.from({ length: 3 }, async (_, nth) => {
      const attacker = await newViewer(target);
      const list = Object.values(attacks);
      await Promise.all(
        Array.from({ length: 20 }, async (_none, slot) => {
          for (let at = nth * 7 + slot; Date.now() < end; at += 1) {
            const sql = list[at % list.length] ?? "";
            const { status } = await send(attacker, { sql, dialect: "duckdb", timeout_seconds: 5 });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (status === 429) await pause(200);
          }
        }),
      );
    });
    const health: number[] = [];
    const reads: number[] = [];
    let answered = 0;
    let asked = 0;
    while (Date.now() < end) {
      health.push(await timed(() => target.operator.fetch("/health")));
      reads.push(await timed(() => target.operator.fetch("/api/v1/connectors/")));
      if (health.length % 20 === 0) {
        asked += 1;
        const mine = await send(target.operator, { sql: "SELECT 41 + 1 AS answer", timeout_seconds: 30 });
        if (mine.status === 200) answered += 1;
        else assert.ok([409, 503].includes(mine.status), JSON.stringify(mine));
      }
      await pause(50);
    }
    await Promise.all(attackers);
    assert.ok(percentile(health) < fastMs, `/health: ${percentile(health)} ms`);
    assert.ok(percentile(reads) < fastMs, `reads: ${percentile(reads)} ms`);
    assert.ok(asked === 0 || answered > 0, `${answered} of ${asked} usual queries were answered`);
    assert.ok((statuses.get(409) ?? 0) > 0, JSON.stringify([...statuses]));
    assert.equal(statuses.get(500), undefined, JSON.stringify([...statuses]));
    await working(target);
  });

  test("many heavy queries of one viewer wait for each other, and too many are refused", async (t) => {
    const target = await startTarget(t);
    await asViewer(target, { sql: "SELECT 1" });
    const greedy = await newViewer(target);
    const sql = attacks["a cross join"] ?? "";
    const pending = Array.from({ length: 60 }, () =>
      send(greedy, { sql, dialect: "duckdb", timeout_seconds: 5 }),
    );
    await pause(500);
    const usual = await send(target.viewer, { sql: "SELECT 1", dialect: "duckdb" });
    assert.equal(usual.status, 200, JSON.stringify(usual));
    const answers = await Promise.all(pending);
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 20, `${refused.length} of 60 were refused`);
    assert.ok(refused.every(({ retryAfter }) => Number(retryAfter) > 0));
    assert.ok(answers.some(({ status }) => status === 409));
  });

  test("PLATFORM_QUERY_TIMEOUT_SECONDS and timeout_seconds both count, the smaller one", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_QUERY_TIMEOUT_SECONDS: "3" } });
    await asViewer(target, { sql: "SELECT 1" });
    const sql = attacks["a cross join"] ?? "";
    const long = await send(target.viewer, { sql, dialect: "duckdb", timeout_seconds: 600 });
    assert.match(long.text, /time limit of 3 s|stopped after/);
    const short = await send(target.viewer, { sql, dialect: "duckdb", timeout_seconds: 1 });
    assert.match(short.text, /time limit of 1 s|stopped after/);
  });

  test("spilled files stay below their limit", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_WAREHOUSE_SPILL_MB: "64" } });
    let most = 0;
    const ended = asViewer(target, {
      sql: attacks["a sort that spills"] ?? "",
      dialect: "duckdb",
      timeout_seconds: 30,
    });
    let isRunning = true;
    const observing = (async () => {
      while (isRunning) {
        most = Math.max(most, await folderMb(join(target.dataDir, "warehouse")));
        await pause(50);
      }
    })();
    const answer = await ended;
    isRunning = false;
    await observing;
    assert.match(answer.text, /temporary disk space|memory|time limit|stopped/);
    assert.ok(most < 100, `${most} MB`);
  });

  test("large and long queries within the limits work", async (t) => {
    const target = await startTarget(t);
    const large = await asViewer(target, {
      sql: "SELECT range AS id, repeat('x', 1000) AS text FROM range(10000) ORDER BY id",
      dialect: "duckdb",
      limit: 10_000,
    });
    assert.equal(large.status, 200, large.text.slice(0, 200));
    const { count, more, rows } = JSON.parse(large.text);
    assert.deepEqual([count, more, rows[9_999][0]], [10_000, false, 9_999]);
    const value = await asViewer(target, { sql: "SELECT repeat(repeat('x', 1000), 5000) AS text" });
    assert.equal(JSON.parse(value.text).rows[0][0].length, 5_000_000);
    const slow = await asViewer(target, {
      sql: "SELECT count(*) FROM range(60000) a, range(2000) b WHERE (a.range + b.range) % 7 = 0",
      dialect: "duckdb",
      timeout_seconds: 30,
    });
    assert.equal(slow.status, 200, slow.text);
    const wide = await asViewer(target, { sql: `SELECT ${columns(500, (at) => `${at} AS c${at}`)} -- wide` });
    assert.equal(JSON.parse(wide.text).rows[0].length, 500, wide.text.slice(0, 200));
  });

  test("a million rows are transferred while a viewer attacks", async (t) => {
    const target = await startTarget(t);
    const folder = join(`${target.dataDir}-exchange`, "drop");
    await mkdir(folder, { recursive: true });
    await writeCsv(join(folder, "orders.csv"), 1_000_000);
    const connector = await target.operator.client.createConnector({
      body: {
        name: "orders-from-csv",
        target_type: "warehouse",
        target_config: {
          connection: { name: "drop", type: "files", config: { path: folder, format: "csv" } },
        },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "orders.csv", target_name: "shop.sales.orders", primary_keys: ["id"] }],
      },
    });
    const job = connector.workflow_id ?? "";
    const { id } = await target.operator.client.runJob({ params: { job_id: job } });
    const attacker = await newViewer(target);
    const attacking = ["one huge value", "a cross join", "an aggregated list", "many comments"].map((name) =>
      send(attacker, { sql: attacks[name] ?? "", dialect: "duckdb", timeout_seconds: 5 }),
    );
    const run = await until(
      async () => {
        const found = await target.operator.client.getRun({ params: { run_id: id } });
        return ["succeeded", "failed", "cancelled"].includes(found.status) ? found : undefined;
      },
      200,
      180_000,
    );
    await Promise.all(attacking);
    assert.equal(run.status, "succeeded", run.error ?? "");
    const counted = await asViewer(target, { sql: "SELECT count(*) AS n FROM shop.sales.orders" });
    assert.deepEqual(JSON.parse(counted.text).rows, [[1_000_000]], counted.text);
  });
});

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

type Sender = Pick<Target["viewer"], "fetch">;

async function send(caller: Sender, query: Query): Promise<Answer> {
  const started = performance.now();
  const response = await caller.fetch("/api/v1/queries", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(query),
  });
  const text = await response.text();
  return {
    status: response.status,
    ms: performance.now() - started,
    bytes: text.length,
    retryAfter: response.headers.get("retry-after"),
    text: text.length > maxAnswer ? text.slice(0, 1_000) : text,
  };
}

const newViewer = (target: Target) =>
  createCaller(target.server, "viewer", `viewer-${randomUUID()}@example.test`);

/** Sends a query as a viewer who has never sent one. */
const asViewer = async (target: Target, query: Query) => send(await newViewer(target), query);

async function withObserver<Result>(
  target: Target,
  work: Promise<Result>,
): Promise<[Result, { readonly health: number }]> {
  let isRunning = true;
  let health = 0;
  const observing = (async () => {
    while (isRunning) {
      health = Math.max(health, await timed(() => target.operator.fetch("/health")));
      await pause(50);
    }
  })();
  const result = await work.finally(() => {
    isRunning = false;
  });
  await observing;
  return [result, { health }];
}

async function timed(request: () => Promise<Response>): Promise<number> {
  const started = performance.now();
  const response = await request();
  await response.arrayBuffer();
  assert.ok(response.status < 400, String(response.status));
  return performance.now() - started;
}

/** Waits until an ordinary query is answered, if necessary after a restart of the engine. */
async function working(target: Target): Promise<void> {
  await until(
    async () => {
      const { status } = await asViewer(target, { sql: "SELECT 1", dialect: "duckdb" });
      return status === 200 ? true : undefined;
    },
    100,
    60_000,
  );
}

const percentile = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.99)] ?? 0;

async function residentMb(pid: number | undefined): Promise<number> {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Resident memory of a process and all its descendants. */
function treeMb(pid: number): number {
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    return children.map(Number).reduce((sum, child) => sum + treeMb(child), Number(kilobytes) / 1024);
  } catch {
    // The process has ended.
    return 0;
  }
}

async function folderMb(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000_000;
}

async function writeCsv(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("id,customer,amount\n");
  for (let from = 0; from < rows; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${from + at},customer ${from + at},${at}.50\n`);
    if (!file.write(lines.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
