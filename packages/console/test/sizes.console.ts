/** Many connectors, runs and log lines: the page has few elements, sends few requests, and stays responsive. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { isNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import type { Page } from "playwright-core";
import { noBrowser, type Rig, signIn, startRig } from "./rig.ts";

const size = { connectors: 1_000, runs: 10_000, lines: isNightly ? 1_000_000 : 200_000 };
/** One of this many runs fails. */
const failedEach = 40;
const text = (value: number) => new Intl.NumberFormat("en").format(value);
/** The most elements of a page with a list of any length. */
const mostElements = 3_000;

suite("the console with much data", () => {
  let rig: Rig | undefined;
  let runId = "";
  before(async () => {
    rig = await startRig();
    if (!rig) return;
    const { client, dataDir } = rig.server;
    const { workflow_id } = await client.createConnector({
      body: {
        name: "orders",
        target_type: "csv",
        target_config: { path: dataDir },
        execution_mode: "manual",
        created_by: "ada",
      },
    });
    const run = await client.runJob({ params: { job_id: workflow_id ?? "" } });
    runId = run.id;
    await untilEnded();
    multiply(join(dataDir, "lakehelm.db"), runId);
  });
  after(() => rig?.close());

  async function untilEnded(): Promise<void> {
    while ((await rig?.server.client.getRun({ params: { run_id: runId } }))?.ended_at === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  test("connectors: all of them are there, few are in the page", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/connectors");
    await page.getByRole("link", { name: "orders", exact: true }).waitFor();
    await scroll(page, ".table-box", 1);
    const last = `orders-${String(size.connectors - 1).padStart(5, "0")}`;
    await page.getByRole("link", { name: last }).waitFor();
    await staysSmall(page);
    await page.getByLabel("Search connectors").fill("orders-00077");
    await page.getByText("1 connector", { exact: true }).waitFor();
  });

  test("runs: older ones are read when they come into view; the timeline shows the newest", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/runs");
    const requests = countRequests(page);
    const list = page.getByRole("region", { name: "Runs" });
    for (let times = 0; times < 5; times++) {
      const rows = await list.getByRole("table").getAttribute("aria-rowcount");
      await scroll(page, ".table-box", 1);
      await page.locator(`[role=table]:not([aria-rowcount="${rows}"])`).waitFor();
    }
    await staysSmall(page);
    assert.ok(requests() <= 8, `${requests()} requests for six pages`);
    await page.getByRole("button", { name: "Timeline" }).click();
    // Failed runs are shown for the whole period from the beginning.
    await page.getByText(/the newest 1,000 runs, since .*, and 22\d older ones that failed/).waitFor();
    await staysSmall(page);
    await page.getByRole("button", { name: "Load older runs" }).click();
    await page.getByText("the newest 2,000 runs").waitFor();
    await scroll(page, ".day.long", 1);
    await staysSmall(page);
  });

  test("a pipeline of 520 tables: a worker lays it out, without types, and the page answers", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const { client } = rig.server;
    const tables = ["CREATE OR REFRESH MATERIALIZED VIEW t0 AS SELECT 1 AS id;"];
    for (let at = 1; at < 520; at++)
      tables.push(
        `CREATE OR REFRESH MATERIALIZED VIEW t${at} AS SELECT id FROM t${Math.floor((at - 1) / 2)};`,
      );
    await client.putFile({ params: { path: "wide.sql" }, body: tables.join("\n") });
    const { pipeline_id } = await client.createPipeline({
      body: { name: "wide", libraries: [{ file: { path: "wide.sql" } }] },
    });
    // The engine starts and reads the code, which takes long on a busy machine.
    const read = () => client.getPipelineGraph({ params: { pipeline_id }, query: { types: false } });
    await until(() => read().catch(() => undefined));
    const page = await rig.open("/");
    const workers: string[] = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/graph")) asked.push(new URL(request.url()).search);
    });
    await page.goto(`${rig.server.url}/console/pipelines/${pipeline_id}`);
    await signIn(page, rig.server.token);
    const graph = page.getByRole("group", { name: "Tables of wide" });
    await graph.getByRole("button", { name: /^t0 / }).waitFor();
    assert.equal(workers.length, 1);
    assert.match(workers[0] ?? "", /\/console\/assets\/worker-/);
    assert.deepEqual(asked, ["?types=false"]);
    await graph.getByRole("button", { name: /^t0 / }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("0");
    await page.locator(".sketch").first().waitFor({ state: "attached" });
    await staysSmall(page);
  });

  test("home: one request for all jobs and runs", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/");
    await page.getByRole("region", { name: "Needs attention" }).waitFor();
    await page.getByText("the newest 1,000 runs and all that failed").waitFor();
    // Among the newest thousand runs, 25 failed.
    const failed = await page.locator(".day .bar.bad").count();
    assert.ok(failed >= 40, `${failed} failed runs`);
    await staysSmall(page);
  });

  test("the palette finds one of a thousand", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open("/connectors");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search pages" }).fill("orders-00770");
    await page.getByRole("option", { name: "orders-00770 Connector" }).click();
    await page.getByRole("heading", { name: "orders-00770", level: 1 }).waitFor();
    await page.getByRole("table", { name: "Runs" }).getByText("failed").first().waitFor();
  });

  test("a log: only what is in view is read, and the end, a search and the middle are at hand", async (t) => {
    if (!rig) return t.skip(noBrowser);
    const page = await rig.open(`/runs/${runId}`);
    const requests = countRequests(page);
    await page.getByText(`${text(size.lines)} lines`).waitFor();
    const log = page.getByRole("log");
    // The run has ended, so the log begins at its first line.
    await log.getByText("line 2 of").waitFor();
    await scroll(page, ".log-lines", 1);
    await log.getByText(`line ${size.lines} of`).waitFor();
    await scroll(page, ".log-lines", 0.5);
    await log.getByText(`line ${size.lines / 2} of`).waitFor();
    const worst = await longestTask(page, async () => {
      for (let part = 0; part < 20; part++) {
        await scroll(page, ".log-lines", part / 20);
      }
      await scroll(page, ".log-lines", 0);
      await log.getByText("line 2 of").waitFor();
    });
    const empty = await longestTask(page, async () => void (await page.mouse.move(10, 10)));
    assert.ok(worst <= Math.max(200, empty * 4), `A task took ${worst} ms, without scrolling ${empty} ms.`);
    await staysSmall(page);
    assert.ok(requests() <= 30, `${requests()} requests`);
    await page.getByLabel("Search in the log").fill(`LINE ${size.lines - 7} of`);
    await page.getByText(`1 of ${text(size.lines)} lines`).waitFor();
    await log.getByText(`line ${size.lines - 7} of`).waitFor();
    // The address with a line number leads to that line.
    await page.getByLabel("Search in the log").fill("");
    await page.goto(`${rig.server.url}/console/runs/${runId}?line=${size.lines / 2 + 3}`);
    await signIn(page, rig.server.token);
    const marked = log.locator("[aria-current=true]");
    await marked.getByText(`line ${size.lines / 2 + 3} of`).waitFor();
    await log.getByRole("button", { name: String(size.lines / 2 + 4), exact: true }).click();
    await marked.getByText(`line ${size.lines / 2 + 4} of`).waitFor();
    assert.match(page.url(), new RegExp(`line=${size.lines / 2 + 4}$`));
  });
});

function countRequests(page: Page): () => number {
  let requests = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/")) requests += 1;
  });
  return () => requests;
}

/** Scrolls to a fraction of the whole height: 1 is the end. */
const scroll = (page: Page, selector: string, part: number) =>
  page.evaluate(`{
    const box = document.querySelector(${JSON.stringify(selector)});
    box.scrollTop = box.scrollHeight * ${part};
  }`);

async function staysSmall(page: Page): Promise<void> {
  const elements = (await page.evaluate("document.querySelectorAll('*').length")) as number;
  assert.ok(elements <= mostElements, `${elements} elements`);
}

/**
 * The duration in milliseconds of the longest task of the page's main thread during some work; 0: no task took longer
 * than 50 ms.
 */
async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(`{
    globalThis.worst = 0;
    globalThis.observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) worst = Math.max(worst, duration);
    });
    observer.observe({ type: "longtask" });
  }`);
  await work();
  return (await page.evaluate("observer.disconnect(), worst")) as number;
}

/** Copies one resource many times in the database, because the API would take minutes. */
function multiply(file: string, runId: string): void {
  const db = new DatabaseSync(file);
  const numbers = (count: number) =>
    `with recursive numbers (k) as (select 2 union all select k + 1 from numbers where k < ${count})`;
  const part = "printf('%05d', k)";
  const columns = (table: string) =>
    db.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[];
  /** Copies of the only row of a table, with some columns changed. */
  function copies(table: string, count: number, changed: Readonly<Record<string, string>>): void {
    const names = columns(table).map(({ name }) => name);
    const values = names.map((name) => changed[name] ?? `source."${name}"`);
    db.exec(
      `${numbers(count)} insert into ${table} (${names.map((name) => `"${name}"`).join(", ")})
       select ${values.join(", ")} from numbers, (select * from ${table} limit 1) source`,
    );
  }
  try {
    db.exec("pragma busy_timeout = 10000; begin immediate");
    copies("connectors", size.connectors, {
      position: "null",
      id: `source.id || ${part}`,
      key: `source.key || ${part}`,
      name: `source.name || '-' || ${part}`,
      search_text: `source.name || '-' || ${part}`,
      doc: `json_set(source.doc, '$.id', source.id || ${part}, '$.name', source.name || '-' || ${part},
        '$.workflow_id', 'connector-' || source.id || ${part})`,
    });
    copies("jobs", size.connectors, {
      id: `source.id || ${part}`,
      subject: `source.subject || ${part}`,
      name: `'"orders-' || ${part} || '"'`,
    });
    // One run every eight seconds, in the last 22 hours.
    const seconds = `cast(strftime('%s', 'now') as integer) - (${size.runs} - k) * 8`;
    const ms = `((${seconds}) * 1000)`;
    const time = `strftime('%Y-%m-%dT%H:%M:%S.000Z', ${seconds}, 'unixepoch')`;
    const isFailed = `k % ${failedEach} = 0`;
    copies("runs", size.runs, {
      id: `printf('%08x-%04x-7000-8000-%012x', ${ms} / 65536, ${ms} % 65536, k)`,
      slot: `source.slot || k`,
      job_id: `source.job_id || printf('%05d', 2 + k % ${size.connectors - 1})`,
      name: `'"orders-' || printf('%05d', 2 + k % ${size.connectors - 1}) || '"'`,
      queued_at: time,
      started_at: time,
      ended_at: time,
      status: `case when ${isFailed} then 'failed' else 'succeeded' end`,
      error: `case when ${isFailed} then source.error end`,
    });
    db.exec("delete from run_log");
    db.exec(
      `with recursive numbers (k) as (select 1 union all select k + 1 from numbers where k < ${size.lines})
       insert into run_log (run_id, n, time, level, line)
       select '${runId}', k, '2026-03-01T12:00:00.000Z', 'info', 'line ' || k || ' of the log' from numbers`,
    );
    db.exec("commit");
  } finally {
    db.close();
  }
}
