/**
 * What a run costs in the SQLite database and in the archive, by kind of job: a real server runs each kind some hundred times, and
 * retention then moves everything to the archive. Prints the tables of docs/reference/history.md.
 */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startTestServer, type TestServer } from "../packages/server/src/testing/server.ts";

const runs = Number(process.argv[3] ?? 500);
/** Measures only kinds whose names contain this word. */
const only = process.argv[4] ?? "";
const dayMs = 86_400_000;

interface Job {
  readonly id: string;
  /** Called before each run. */
  readonly prepare?: () => void;
}

const shared = { created_by: "bench" } as const;

function source(dataDir: string): { readonly path: string; readonly add: () => void } {
  // The source is outside the data folder, because connectors may not read the data folder.
  const path = `${dataDir}-shop.db`;
  const shop = new DatabaseSync(path);
  shop.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)");
  const insert = shop.prepare("INSERT INTO orders (note) VALUES (hex(randomblob(20)))");
  const add = () => {
    for (let n = 0; n < 10; n++) insert.run();
  };
  add();
  return { path, add };
}

async function connector({ client, dataDir }: TestServer, schedule?: string): Promise<Job> {
  const { path, add } = source(dataDir);
  const made = await client.createConnector({
    body: {
      ...shared,
      name: "shop-in",
      target_type: "warehouse",
      execution_mode: schedule === undefined ? "manual" : "batch",
      ...(schedule !== undefined && { schedule_cron: schedule }),
      target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
      datasets: [
        {
          source_dataset: "orders",
          target_name: "orders",
          primary_keys: ["id"],
          watermark_column: "id",
          write_strategy: "upsert",
        },
      ],
    },
  });
  return { id: made.workflow_id ?? "", prepare: add };
}

async function automation({ client }: TestServer, tasks: number): Promise<Job> {
  const sql = (n: number) => ({
    name: `task-${n}`,
    kind: "sql" as const,
    query: `create or replace table table_${n} as select ${n} as n`,
  });
  const definition = { tasks: Array.from({ length: tasks }, (_, n) => sql(n)) };
  await client.createAutomation({ body: { alias: "nightly", definition } });
  await client.syncAutomationRelease({ body: { automation_alias: "nightly", environment: "local" } });
  const { jobs } = await client.listJobs({ query: { kind: "automation" } });
  return { id: jobs[0]?.id ?? "" };
}

const kinds: Readonly<Record<string, (server: TestServer) => Promise<Job>>> = {
  "connector, 10 rows": (server) => connector(server),
  "automation, 1 SQL task": (server) => automation(server, 1),
  "automation, 5 SQL tasks": (server) => automation(server, 5),
};

async function run({ client }: TestServer, { id, prepare }: Job): Promise<void> {
  prepare?.();
  const { id: run_id } = await client.runJob({ params: { job_id: id } });
  for (;;) {
    const { ended_at, status, error } = await client.getRun({ params: { run_id } });
    if (ended_at === null) await new Promise((next) => setTimeout(next, 10));
    else if (status === "succeeded") return;
    else throw new Error(error ?? status);
  }
}

/** The bytes of tables with their indexes. */
function tableBytes({ dataDir }: TestServer): Map<string, number> {
  const database = new DatabaseSync(join(dataDir, "lakehelm.db"), { readOnly: true });
  const rows = database
    .prepare(
      "select s.tbl_name as name, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name group by s.tbl_name",
    )
    .all();
  database.close();
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name))));
  return sizes.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
}

async function close(server: TestServer): Promise<void> {
  await server.close();
  await rm(`${server.dataDir}-shop.db`, { force: true });
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(8);

async function measure(kind: string, create: (server: TestServer) => Promise<Job>): Promise<void> {
  let aheadMs = 0;
  const server = await startTestServer({
    now: () => new Date(Date.now() + aheadMs),
    checkAnswers: false,
    settings: { PLATFORM_EVENTS_KEPT_DAYS: "10" },
  });
  try {
    const job = await create(server);
    await run(server, job);
    const before = tableBytes(server);
    for (let n = 0; n < runs; n++) await run(server, job);
    await server.events();
    const after = tableBytes(server);
    const grown = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / runs;
    aheadMs = 40 * dayMs;
    await server.server.retain();
    const archive = join(server.dataDir, "archive");
    const archived = async (name: string) => (await folderBytes(join(archive, name))) / runs;
    const rest = [...after.keys()].reduce((sum, name) => sum + grown(name), 0);
    console.log(
      `| ${kind.padEnd(24)} |${kb(grown("events"))} |${kb(grown("runs") + grown("run_log"))} |${kb(rest - grown("events") - grown("runs") - grown("run_log"))} |${kb(await archived("events"))} |${kb(await archived("runs"))} |`,
    );
  } finally {
    await close(server);
  }
}

/** Measures a connector that starts every second and has nothing to do. */
async function measureQuiet(): Promise<void> {
  const server = await startTestServer({ checkAnswers: false });
  try {
    const { id } = await connector(server, "* * * * * *");
    const quiet = async () =>
      (await server.client.listRuns({ query: { job: id } })).runs.find((one) => one.quiet)?.quiet?.runs ?? 0;
    while ((await quiet()) < 3) await new Promise((next) => setTimeout(next, 500));
    const [first, before] = [await quiet(), tableBytes(server)];
    while ((await quiet()) < first + 20) await new Promise((next) => setTimeout(next, 500));
    const [count, after] = [(await quiet()) - first, tableBytes(server)];
    const grown = [...after].reduce((sum, [name, bytes]) => sum + bytes - (before.get(name) ?? 0), 0);
    console.log(`| connector, nothing to do |${kb(grown / count)} in all, ${count} runs`);
  } finally {
    await close(server);
  }
}

console.log("| kB for each run          |  events |    runs |    rest | archive: events | archive: runs |");
for (const [kind, create] of Object.entries(kinds)) if (kind.includes(only)) await measure(kind, create);
if ("nothing to do".includes(only)) await measureQuiet();
