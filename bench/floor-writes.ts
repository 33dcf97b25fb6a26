/**
 * The floors of durable writes: `node:sqlite` alone writes the rows of our requests into a copy of the same database,
 * with the same tables, indexes, sizes and durability. There is no HTTP, validation, second thread or query: all values
 * are known beforehand.
 */
import { randomUUIDv7 } from "node:crypto";
import { copyFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Speed } from "./load.ts";
import { inserter } from "./seed.ts";

export type Write = "create" | "PATCH" | "pause" | "finish";

export interface Floors {
  /** Writes per second, with `group` writes in each transaction, which has one fsync. */
  measure(write: Write, group: number, seconds: number): Speed;
  /** Returns a function that writes this many times, each time with an fsync. */
  prepare(write: Write): (times: number) => void;
  close(): void;
}

type Columns = Record<string, SQLInputValue>;

/** Writes the rows of one request within the open transaction. False: there is nothing left to write. */
type WriteOne = () => boolean;

export function openFloors(source: string, path: string): Floors {
  copyFileSync(source, path);
  const database = new DatabaseSync(path);
  // The same settings as in the writer thread.
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -8000`);
  const one = (query: string, ...values: SQLInputValue[]): Columns => {
    const row = database.prepare(query).get(...values);
    if (!row) throw new Error(`No row to copy: ${query}`);
    return row;
  };
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");

  const connector = one("select * from connectors order by position limit 1");
  const job = one("select * from jobs where subject = ?", `connector/${connector.id}`);
  const lineage = one("select * from lineage where resource_id = ?", String(connector.id));
  const event = one("select * from events where kind = 'connector.created' limit 1");
  const insertEvent = inserter(database, "events", event);
  const moveHead = database.prepare("update event_head set sequence = ?, hash = ?, mac = ? where id = 1");
  let sequence = Number(one("select max(sequence) as last from events").last);

  function writeEvent(kind: string, subject: string): true {
    sequence += 1;
    insertEvent({ ...event, sequence, id: randomUUIDv7(), kind, subject });
    moveHead.run(sequence, event.hash ?? null, event.hash ?? null);
    return true;
  }

  function create(): WriteOne {
    const insertConnector = inserter(database, "connectors", connector);
    const insertJob = inserter(database, "jobs", job);
    const insertLineage = inserter(database, "lineage", lineage);
    const advance = database.prepare("update positions set next = ? where list = 'connectors'");
    const tally = database.prepare(
      `insert into tallies (list, width, bucket, n) values (?1, 1000000, ?2, 1), (?1, 10000, ?3, 1), (?1, 100, ?4, 1)
       on conflict (list, width, bucket) do update set n = n + 1`,
    );
    const usage = database.prepare(
      `insert into stored_usage (scope, kind, n, bytes) values (?, ?, 1, ?)
       on conflict (scope, kind) do update set n = stored_usage.n + 1, bytes = stored_usage.bytes + excluded.bytes`,
    );
    const environment = `environment/${connector.environment_id}`;
    const bytes = String(connector.doc).length;
    let position = Number(one("select next from positions where list = 'connectors'").next);
    return () => {
      const id = randomUUIDv7();
      position += 1;
      advance.run(position);
      for (const list of ["connectors/all", `connectors/${connector.environment_id}`]) {
        const buckets = [1_000_000, 10_000, 100].map((width) => Math.floor(position / width));
        tally.run(list, ...buckets);
      }
      insertConnector({ ...connector, position, id, key: `["floor-${position}"]` });
      insertJob({ ...job, id: `connector-${id}`, subject: `connector/${id}` });
      insertLineage({ ...lineage, resource_id: id });
      usage.run(environment, "connectors", bytes);
      usage.run(environment, "", bytes);
      usage.run("caller/internal-service", "", bytes);
      return writeEvent("connector.created", `connector/${id}`);
    };
  }

  /** Returns the ids of up to 5,000 rows in turn, repeatedly. */
  function ids(table: string): () => string {
    const all = database.prepare(`select id from ${table} order by position limit 5000`).all();
    let n = 0;
    return () => String(all[n++ % all.length]?.id);
  }

  const updateConnector = database.prepare(
    `update connectors set version = version + 1, doc = ?, name = name, status = ?, updated_at = ?, search_text = search_text
     where id = ?`,
  );

  function patch(): WriteOne {
    const nextId = ids("connectors");
    const updateJob = database.prepare(
      `update jobs set name = name, definition = ?, "trigger" = ?, memory = ?, problem = ?, next_at = ?, installed_at = ?,
       version = version + 1 where id = ?`,
    );
    let n = 0;
    return () => {
      const id = nextId();
      const time = new Date().toISOString();
      updateConnector.run(connector.doc ?? null, connector.status ?? null, time, id);
      updateJob.run(
        job.definition ?? null,
        job.trigger ?? null,
        job.memory ?? null,
        null,
        `2099-01-01T06:${String(n++ % 60).padStart(2, "0")}:00.000Z`,
        time,
        `connector-${id}`,
      );
      return writeEvent("connector.updated", `connector/${id}`);
    };
  }

  function pause(): WriteOne {
    const nextId = ids("connectors");
    const updateJob = database.prepare(
      "update jobs set paused = ?, paused_until = ?, version = version + 1 where id = ?",
    );
    return () => {
      const id = nextId();
      const at = new Date().toISOString();
      updateConnector.run(connector.doc ?? null, "paused", at, id);
      const paused = { by: "service", at, reason: "because 1000", until: null, missed: 0, last_missed: null };
      updateJob.run(JSON.stringify(paused), null, `connector-${id}`);
      return writeEvent("connector.paused", `connector/${id}`);
    };
  }

  function finish(): WriteOne {
    const template = one("select * from deployments where state = 'succeeded' limit 1");
    const summary = one("select * from summaries limit 1");
    const insert = inserter(database, "deployments", template);
    let { position } = one("select max(position) as position from deployments") as { position: number };
    const pending: string[] = [];
    const update = database.prepare(
      `update deployments set key = ?, version = version + 1, state = ?, doc = ?, name = name, status = ?, updated_at = ?,
       search_text = search_text where id = ?`,
    );
    const count = database.prepare(
      `insert into deployment_counts (environment_id, status, n) values (?1, 'pending', -1), (?1, 'succeeded', 1)
       on conflict (environment_id, status) do update set n = n + excluded.n`,
    );
    const keep = database.prepare(
      `insert into summaries (environment_id, doc) values (?, ?)
       on conflict (environment_id) do update set doc = excluded.doc`,
    );
    begin.run();
    for (let n = 0; n < 20_000; n++) {
      const id = randomUUIDv7();
      pending.push(id);
      position += 1;
      insert({ ...template, position, id, key: JSON.stringify([id]), state: "pending" });
    }
    commit.run();
    return () => {
      const id = pending.pop();
      if (id === undefined) return false;
      const time = new Date().toISOString();
      update.run(JSON.stringify([time, id]), "succeeded", template.doc ?? null, "succeeded", time, id);
      count.run(template.environment_id ?? null);
      keep.run(summary.environment_id ?? null, summary.doc ?? null);
      writeEvent("deployment.finished", `deployment/${id}`);
      return writeEvent("environment.reconciled", `environment/${template.environment_id}`);
    };
  }

  const writes: Record<Write, () => WriteOne> = { create, PATCH: patch, pause, finish };

  /** Returns the number of writes in one transaction. */
  function inOne(writeOne: WriteOne, times: number): number {
    let written = 0;
    begin.run();
    while (written < times && writeOne()) written += 1;
    commit.run();
    return written;
  }

  return {
    prepare(write) {
      const writeOne = writes[write]();
      return (times) => {
        for (let n = 0; n < times; n++) inOne(writeOne, 1);
      };
    },
    measure(write, group, seconds) {
      const writeOne = writes[write]();
      const started = performance.now();
      const cpuStarted = process.threadCpuUsage();
      let count = 0;
      while (performance.now() < started + seconds * 1000) {
        const written = inOne(writeOne, group);
        count += written;
        if (written < group) break;
      }
      const { user, system } = process.threadCpuUsage(cpuStarted);
      return {
        perSecond: count / ((performance.now() - started) / 1000),
        cpuMicros: (user + system) / count,
      };
    },
    close: () => database.close(),
  };
}
