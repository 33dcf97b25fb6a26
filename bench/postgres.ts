/** Durable writes on PostgreSQL, compared with raw inserts and updates of the same rows by `pg` alone. */
import { randomUUIDv7 } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { databaseUrl, query, startPostgres } from "@lakehelm/testing";
import pg from "pg";
import { compare, type Row } from "./comparison.ts";
import { groupSize } from "./durable.ts";
import type { Speed } from "./load.ts";
import { countAsOurs, cpuSeconds, startServer } from "./processes.ts";
import { writesTo } from "./writes.ts";

export interface PostgresOptions {
  readonly folder: string;
  readonly port: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly enough: (row: Row) => boolean;
}

export const postgresBar = 0.5;
const connections = 32;

export async function measurePostgres(options: PostgresOptions): Promise<Row[]> {
  const { folder, port, rounds, seconds, enough } = options;
  const cluster = join(folder, "postgres");
  const postgres = await startPostgres(cluster, { isDurable: true });
  const databaseCpu = () => clusterSeconds(cluster);
  const ignore = countAsOurs(databaseCpu);
  try {
    await query(postgres.url, "create database lakehelm");
    const database = databaseUrl(postgres.url, "lakehelm");
    const start = () => startServer(join(folder, "postgres-data"), port, { DATABASE_URL: database });
    const first = await start();
    await (await writesTo({ port, connectors: 10, deployments: 1 }).prepare("create", 10))();
    await sealed(database);
    await first.stop();
    await query(postgres.url, "create database floor template lakehelm");
    const floor = await openFloor(databaseUrl(postgres.url, "floor"), databaseCpu);
    const server = await start();
    const ours = writesTo({
      port,
      cpuSeconds: () => cpuSeconds(server) + databaseCpu(),
      connectors: 1000,
      deployments: 0,
    });
    const rows: Row[] = [];
    for (const [write, title] of [
      ["create", "POST"],
      ["PATCH", "PATCH"],
    ] as const) {
      const send = await ours.prepare(write, 20);
      const left = await growth(database, send);
      const expected = await growth(floor.url, () => floor.write(write, 20));
      if (!isDeepStrictEqual(left, expected)) {
        throw new Error(
          `${write}: ours left ${JSON.stringify(left)}, the floor ${JSON.stringify(expected)}.`,
        );
      }
      const subject = {
        name: `${title} connector on PostgreSQL`,
        bar: postgresBar,
        ours: () => ours.measure(write, seconds),
        floor: () => floor.measure(write, seconds / 2, 1),
        grouped: () => floor.measure(write, seconds / 2, groupSize),
      };
      rows.push(await compare(subject, rounds, enough));
    }
    await floor.close();
    await server.stop();
    return rows;
  } finally {
    ignore();
    await postgres.stop();
  }
}

type Columns = Record<string, unknown>;

/** Raw writes: the values are known beforehand, and neither positions nor tallies are computed. */
async function openFloor(url: string, databaseCpu: () => number) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const one = async (sql: string): Promise<Columns> => {
    const row = (await query(url, sql)).rows[0];
    if (!row) throw new Error(`No row to copy: ${sql}`);
    return row;
  };
  const connector = await one("select * from connectors order by position limit 1");
  const job = await one(`select * from jobs where subject = 'connector/${connector.id}'`);
  const lineage = await one(`select * from lineage where resource_id = '${connector.id}'`);
  const event = await one("select * from events where kind = 'connector.created' limit 1");
  const { rows: all } = await query(url, "select id from connectors order by position");
  let position = 1_000_000;
  let sequence = 1_000_000;

  const newEvent = (): Columns => ({ ...event, sequence: ++sequence, id: randomUUIDv7() });

  async function create(client: pg.Client, group: number): Promise<void> {
    const ids = Array.from({ length: group }, () => randomUUIDv7());
    const connectors = ids.map((id) => ({ ...connector, id, position: ++position, key: `["${id}"]` }));
    const jobs = ids.map((id) => ({ ...job, id: `connector-${id}`, subject: `connector/${id}` }));
    await insert(client, "connectors", connectors);
    await insert(client, "jobs", jobs);
    const lineages = ids.map((id) => ({ ...lineage, resource_id: id }));
    await insert(client, "lineage", lineages);
    await insert(client, "events", ids.map(newEvent));
  }

  async function patch(client: pg.Client, group: number): Promise<void> {
    for (let n = 0; n < group; n++) {
      const { id } = all[sequence % all.length] ?? {};
      const [doc, trigger] = [`${connector.doc} `, job.trigger];
      await client.query({
        name: "connector",
        text: "update connectors set version = version + 1, doc = $2, status = $3, updated_at = $4 where id = $1",
        values: [id, doc, connector.status, new Date().toISOString()],
      });
      await client.query({
        name: "job",
        text: `update jobs set version = version + 1, "trigger" = $2 where id = $1`,
        values: [`connector-${id}`, trigger],
      });
      await insert(client, "events", [newEvent()]);
    }
  }

  async function inOne(client: pg.Client, write: "create" | "PATCH", group: number): Promise<void> {
    await client.query("begin");
    await (write === "create" ? create : patch)(client, group);
    await client.query("commit");
  }

  const [alone] = clients as [pg.Client];

  return {
    url,
    async write(write: "create" | "PATCH", times: number): Promise<void> {
      for (let n = 0; n < times; n++) await inOne(alone, write, 1);
    },
    /**
     * Writes with `group` writes per transaction: from all connections at once if it is 1, otherwise from one
     * connection.
     */
    async measure(write: "create" | "PATCH", seconds: number, group: number): Promise<Speed> {
      const own = () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6 + databaseCpu();
      };
      const [started, cpu] = [performance.now(), own()];
      let count = 0;
      const until = async (client: pg.Client) => {
        for (; performance.now() < started + seconds * 1000; count += group)
          await inOne(client, write, group);
      };
      await Promise.all((group === 1 ? clients : [alone]).map(until));
      const elapsed = (performance.now() - started) / 1000;
      return { perSecond: count / elapsed, cpuMicros: ((own() - cpu) / count) * 1e6 };
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}

/** One insert statement, which is prepared once for each number of rows. */
async function insert(client: pg.Client, table: string, rows: readonly Columns[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const places = rows.map((_, at) => `(${names.map((_, n) => `$${at * names.length + n + 1}`).join(", ")})`);
  await client.query({
    name: `${table} ${rows.length}`,
    text: `insert into ${table} (${names.map((name) => `"${name}"`).join(", ")}) values ${places.join(", ")}`,
    values: rows.flatMap((row) => names.map((name) => row[name])),
  });
}

/** The rows that each table gained. */
async function growth(url: string, act: () => Promise<void>): Promise<Record<string, number>> {
  const before = await counts(url);
  await act();
  const after = await counts(url);
  return Object.fromEntries(Object.entries(after).map(([table, n]) => [table, n - (before[table] ?? 0)]));
}

async function counts(url: string): Promise<Record<string, number>> {
  await sealed(url);
  const counted = ["connectors", "jobs", "lineage", "events"].map(
    (table) => `(select count(*) from ${table}) as ${table}`,
  );
  const { rows } = await query(url, `select ${counted.join(", ")}`);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([table, n]) => [table, Number(n)]));
}

async function sealed(url: string): Promise<void> {
  for (;;) {
    const { rows } = await query(url, "select count(*) as n from pending_events");
    if (Number(rows[0]?.n) === 0) return;
    await sleep(50);
  }
}

/** The processor time of a PostgreSQL server and all its processes, including ended ones. */
function clusterSeconds(folder: string): number {
  const server = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0] as string;
  let ticks = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const fields = statOf(pid);
    if (pid !== server && fields?.[1] !== server) continue;
    // The server's own line also includes the time of its ended children.
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields?.slice(11, 15).map(Number) ?? [];
    ticks += user + system + (pid === server ? endedUser + endedSystem : 0);
  }
  return ticks / 100;
}

/** The fields after the process name; undefined if the process has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  } catch {
    return undefined;
  }
}
