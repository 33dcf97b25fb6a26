import assert from "node:assert/strict";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import type { Event } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import {
  type Home,
  type ServerProcess,
  startProcess,
  testHome,
} from "../packages/server/src/testing/process.ts";
import { type DatabaseEngine, engines } from "../packages/server/src/testing/server.ts";

type Row = Record<string, unknown>;

/** An attacker who can write to the database, but has neither the secret key nor access to the server. */
interface DatabaseWriter {
  run(...statements: string[]): Promise<void>;
  rows(sql: string): Promise<Row[]>;
}

function writerOf(t: TestContext, { dataDir, databaseUrl }: Home): DatabaseWriter {
  if (databaseUrl === undefined) {
    const withDatabase = <Result>(use: (database: DatabaseSync) => Result): Result => {
      const database = new DatabaseSync(join(dataDir, "lakehelm.db"), { timeout: 5000 });
      try {
        return use(database);
      } finally {
        database.close();
      }
    };
    return {
      run: async (...statements) =>
        withDatabase((database) => database.exec(`begin immediate; ${statements.join(";")}; commit`)),
      rows: async (sql) => withDatabase((database) => database.prepare(sql).all() as Row[]),
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  const connected = client.connect();
  t.after(() => client.end());
  return {
    async run(...statements) {
      await connected;
      try {
        await client.query(`begin; ${statements.join(";")}; commit`);
      } catch (error) {
        await client.query("rollback");
        // The server has locked the same rows first (a deadlock).
        if ((error as { code?: string }).code !== "40P01") throw error;
      }
    },
    async rows(sql) {
      await connected;
      return (await client.query(sql)).rows;
    },
  };
}

interface AttackedServer {
  readonly home: Home;
  readonly attacker: DatabaseWriter;
  readonly server: ServerProcess;
}

async function start(t: TestContext, engine: DatabaseEngine): Promise<AttackedServer> {
  const home = await testHome(t, engine);
  const server = await startProcess(t, home);
  return { home, attacker: writerOf(t, home), server };
}

async function stop(
  { child, ended }: ServerProcess,
  signal: "SIGTERM" | "SIGKILL" = "SIGTERM",
): Promise<void> {
  child.kill(signal);
  await ended;
}

let created = 0;

/** Makes one change, which records one event. */
async function change(client: Client): Promise<string> {
  created += 1;
  const { id } = await client.createUser({
    body: { username: `user-${created}@example.test`, role: "viewer" },
  });
  return `user/${id}`;
}

async function changes(client: Client, count: number): Promise<string[]> {
  const subjects: string[] = [];
  for (let n = 0; n < count; n++) subjects.push(await change(client));
  return subjects;
}

async function readAll(client: Client): Promise<Event[]> {
  const all: Event[] = [];
  for (;;) {
    const { events } = await client.readEvents({ query: { after: all.at(-1)?.sequence ?? 0, limit: 1000 } });
    if (events.length === 0) return all;
    all.push(...events);
  }
}

const sealed = async (client: Client, subject: string) =>
  (await readAll(client)).filter((event) => event.subject === subject && event.kind === "user.created")
    .length;

/** Waits until the event of this change is sealed and can be read. */
const untilSealed = (client: Client, subject: string) =>
  until(async () => (await sealed(client, subject)) > 0);

async function verdict(client: Client): Promise<string> {
  const { intact, reason } = await client.verifyEvents();
  return intact ? "intact" : String(reason);
}

const quoted = (value: unknown) => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);

const insertPending = ({ id, kind, subject, body, mac }: Row) =>
  `insert into pending_events (id, kind, subject, body, mac)
   values (${[id, kind, subject, body, mac].map(quoted).join(", ")})`;

const forged = (more: Row = {}): Row => ({
  id: "019f0000-0000-7000-8000-00000000f0f0",
  kind: "user.deleted",
  subject: "user/forged",
  body: '{"id":"019f0000-0000-7000-8000-00000000f0f0","time":"2026-01-01T00:00:00.000Z","actor":"ada","request_id":null,"kind":"user.deleted","subject":"user/forged","data":{}}',
  mac: null,
  ...more,
});

/** A pending row with its MAC. Rows are pending for about 20 ms after their change. */
async function pendingOf(attacker: DatabaseWriter, client: Client): Promise<Row> {
  for (let n = 0; n < 200; n++) {
    const subject = await change(client);
    const [row] = await attacker.rows(`select * from pending_events where subject = '${subject}'`);
    if (row) return row;
  }
  throw new Error("no pending row was ever visible");
}

for (const engine of engines) {
  suite(`the event log on ${engine} against a writer of the database`, () => {
    test("rows inserted into the pending table are never sealed, and genuine events are", async (t) => {
      const { attacker, server } = await start(t, engine);
      const { client } = server;
      const genuine = await pendingOf(attacker, client);
      const attempts: Row[] = [
        forged(),
        forged({ mac: "" }),
        forged({ mac: "x".repeat(43) }),
        // The MAC of a genuine event does not match another text.
        forged({ mac: genuine.mac }),
        { ...genuine, body: String(genuine.body).replace(/"actor":"[^"]*"/, '"actor":"mallory"') },
        { ...genuine, kind: "user.deleted" },
        { ...genuine, subject: "user/other" },
        { ...genuine, id: "019f0000-0000-7000-8000-00000000f0f1" },
        // Genuine events, replayed and duplicated unchanged.
        genuine,
        genuine,
      ];
      await attacker.run(...attempts.map(insertPending));
      const subjects = await changes(client, 3);
      for (const subject of subjects) await untilSealed(client, subject);
      await until(async () => (await attacker.rows("select * from pending_events")).length === 0);
      const events = await readAll(client);
      assert.equal(events.filter(({ subject }) => subject === "user/forged").length, 0);
      assert.equal(events.filter(({ id }) => id === genuine.id).length, 1, "sealed once");
      assert.equal(JSON.stringify(events).includes("mallory"), false);
      assert.equal((await attacker.rows("select * from rejected_events")).length, attempts.length);
      assert.equal(await verdict(client), "pending_forged");
      await server.logged("the event log was tampered with");
      const metrics = await fetch(`${server.url}/metrics`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      assert.match(await metrics.text(), /lakehelm_event_log_problems_total [1-9]/);
      // Deleting the rejected events does not clear the problem from the log.
      await attacker.run("delete from rejected_events");
      assert.equal(await verdict(client), "pending_forged");
    });

    test("an event that is deleted or changed before it is sealed appears in the log nevertheless", async (t) => {
      const { attacker, server } = await start(t, engine);
      const { client } = server;
      const problems = async () =>
        (await client.readEvents({ query: { kind: "event_log.*", limit: 1000 } })).events.length;
      for (const attack of [
        "delete from pending_events",
        `update pending_events set body = replace(body, '"actor":"', '"actor":"not-')`,
        "update pending_events set kind = 'user.updated'",
        "update pending_events set mac = null",
      ]) {
        const before = await problems();
        const subjects: string[] = [];
        // Repeated until the attack hits a row, because a row is pending for only about 20 ms.
        for (let n = 0; n < 200 && (await problems()) === before; n++) {
          subjects.push(await change(client));
          await attacker.run(attack);
        }
        for (const subject of subjects) await untilSealed(client, subject);
        await until(async () => (await problems()) > before);
        for (const subject of subjects) assert.equal(await sealed(client, subject), 1, attack);
      }
      assert.notEqual(await verdict(client), "intact");
    });

    test("a changed, removed, reordered or duplicated event is named", async (t) => {
      const { attacker, server } = await start(t, engine);
      const { client } = server;
      const subjects = await changes(client, 4);
      await untilSealed(client, subjects.at(-1) as string);
      const last = (await readAll(client)).length;
      await attacker.run(
        "create table kept_events as select * from events",
        "create table kept_head as select * from event_head",
      );
      const attacks: [string[], string][] = [
        [["update events set body = replace(body, 'user', 'used') where sequence = 2"], "event_changed"],
        [["delete from events where sequence = 2"], "event_removed"],
        [[`delete from events where sequence = ${last}`], "event_removed"],
        [
          [
            "update events set sequence = 9999 where sequence = 2",
            "update events set sequence = 2 where sequence = 3",
            "update events set sequence = 3 where sequence = 9999",
          ],
          "event_changed",
        ],
        [
          [
            `insert into events select ${last + 1}, id, kind, subject, body, hash from events where sequence = 2`,
          ],
          "event_changed",
        ],
        [
          [
            `delete from events where sequence = ${last}`,
            `update event_head set sequence = ${last - 1}, hash = (select hash from events where sequence = ${last - 1})`,
          ],
          "head_changed",
        ],
      ];
      for (const [statements, reason] of attacks) {
        await attacker.run(...statements);
        assert.equal(await verdict(client), reason, statements.join("; "));
        await attacker.run(
          "delete from events",
          "delete from event_head",
          "insert into events select * from kept_events",
          "insert into event_head select * from kept_head",
        );
        assert.equal(await verdict(client), "intact", `after ${statements.join("; ")}`);
      }
    });

    test("a tail that is deleted together with its head is found, while the server runs and after a restart", async (t) => {
      const { home, attacker, server } = await start(t, engine);
      const first = await change(server.client);
      await untilSealed(server.client, first);
      const [head] = await attacker.rows("select * from event_head");
      const gone = await changes(server.client, 3);
      await untilSealed(server.client, gone.at(-1) as string);
      const cut = [
        `delete from events where sequence > ${head?.sequence}`,
        `update event_head set sequence = ${head?.sequence}, hash = '${head?.hash}', mac = '${head?.mac}'`,
      ];
      await attacker.run(...cut);
      assert.equal(await verdict(server.client), "cut_off");
      // Without this check, the next event would make the log look complete.
      await untilSealed(server.client, await change(server.client));
      assert.equal(await verdict(server.client), "cut_off");
      await stop(server);
      const again = await startProcess(t, home);
      assert.equal(await verdict(again.client), "cut_off");
      const [problem] = (await readAll(again.client)).filter(
        ({ kind }) => kind === "event_log.problem_found",
      );
      assert.equal(problem?.actor, "lakehelm");
    });

    test("a broken head around a deletion leaves a trace", async (t) => {
      const { home, attacker, server } = await start(t, engine);
      const first = await change(server.client);
      await untilSealed(server.client, first);
      const [head] = await attacker.rows("select * from event_head");
      await attacker.run("update event_head set mac = 'broken'");
      const second = await change(server.client);
      await untilSealed(server.client, second);
      await attacker.run(
        `delete from events where sequence > ${head?.sequence}`,
        `update event_head set sequence = ${head?.sequence}, hash = '${head?.hash}', mac = '${head?.mac}'`,
      );
      assert.notEqual(await verdict(server.client), "intact");
      await stop(server, "SIGKILL");
      const again = await startProcess(t, home);
      assert.notEqual(await verdict(again.client), "intact");
    });

    test("more than a thousand events, a restart, a kill and a second server leave the log intact", async (t) => {
      const { home, server } = await start(t, engine);
      const create = async (client: Client, count = 25) => void (await changes(client, count));
      await Promise.all(Array.from({ length: 8 }, () => create(server.client, 140)));
      assert.equal(await verdict(server.client), "intact");
      await stop(server);

      const second = await startProcess(t, home);
      const interrupted = Array.from({ length: 8 }, () => create(second.client).catch(() => {}));
      await change(second.client).catch(() => {});
      second.child.kill("SIGKILL");
      await Promise.all([...interrupted, second.ended]);

      const third = await startProcess(t, home);
      const servers = [third];
      if (engine === "postgres") {
        const other = await testHome(t, "sqlite");
        const key = {
          PLATFORM_SECRET_KEY: await readFile(join(home.dataDir, "secret-key"), "utf8").then((k) => k.trim()),
        };
        servers.push(await startProcess(t, { ...other, databaseUrl: home.databaseUrl }, key));
      }
      await Promise.all(servers.map(({ client }) => create(client)));
      for (const { client } of servers) assert.equal(await verdict(client), "intact");
      const events = await readAll(third.client);
      assert.ok(events.length > 1_140, `${events.length} events`);
      assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
      assert.equal(events.filter(({ kind }) => kind.startsWith("event_log.")).length, 0);
    });
  });
}

suite("the anchor of the event log", () => {
  const database = (home: Home) => join(home.dataDir, "lakehelm.db");

  test("a database set back to an older copy is found, and an admin can acknowledge a restore", async (t) => {
    const { home, server } = await start(t, "sqlite");
    await changes(server.client, 2);
    await stop(server);
    const copy = `${database(home)}.backup`;
    await copyFile(database(home), copy);
    const second = await startProcess(t, home);
    await changes(second.client, 3);
    await stop(second);
    await rm(`${database(home)}-wal`, { force: true });
    await copyFile(copy, database(home));
    const third = await startProcess(t, home);
    assert.equal(await verdict(third.client), "cut_off");
    const body = { reason: "The backup of this morning was restored." };
    const viewer = await third.client.createUser({
      body: { username: "viewer@example.test", role: "viewer" },
    });
    const { token } = await third.client.createToken({
      params: { user_id: viewer.id },
      body: { comment: "t" },
    });
    const refused = await fetch(`${third.url}/api/v1/events/acknowledge`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(refused.status, 403);
    assert.equal(await verdict(third.client), "cut_off");
    assert.equal((await third.client.acknowledgeEvents({ body })).intact, true);
    const last = (await readAll(third.client)).at(-1);
    assert.deepEqual([last?.kind, last?.data], ["event_log.acknowledged", body]);
    await stop(third);
    const fourth = await startProcess(t, home);
    assert.equal(await verdict(fourth.client), "intact");
  });

  test("an anchor that is removed or forged is found", async (t) => {
    const { home, server } = await start(t, "sqlite");
    await changes(server.client, 2);
    const anchor = join(home.dataDir, "event-anchor");
    for (const [attack, reason] of [
      [() => rm(anchor), "anchor_missing"],
      [
        () => writeFile(anchor, '{"sequence":1,"hash":"x","time":"","server":"","problems":[],"mac":"x"}'),
        "anchor_changed",
      ],
      [() => writeFile(anchor, ""), "anchor_changed"],
    ] as const) {
      const before = await readFile(anchor, "utf8");
      await attack();
      assert.equal(await verdict(server.client), reason);
      await writeFile(anchor, before);
      assert.equal(await verdict(server.client), "intact");
    }
    await stop(server);
    await rm(anchor);
    const again = await startProcess(t, home);
    assert.equal(await verdict(again.client), "anchor_missing");
  });
});
