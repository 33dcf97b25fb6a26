import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { archivedLines } from "../../testing/archive.ts";
import {
  type DatabaseEngine,
  enginesOfSlowSuites,
  startTestServer,
  type TestServer,
} from "../../testing/server.ts";
import { run } from "../../testing/store.ts";
import { eventKey } from "../events/chain.ts";
import { verifyArchive } from "./archive-verification.ts";

const dayMs = 86_400_000;
const start = Date.parse("2026-03-01T12:00:00.000Z");

/** A server whose clock stands still until it is moved, and that keeps events for ten days. */
async function testServer(
  t: TestContext,
  engine: DatabaseEngine,
  settings: Record<string, string> = {},
  keptDays: string | undefined = "10",
) {
  const clock = { ms: start };
  const server = await startTestServer({
    engine,
    now: () => new Date(clock.ms),
    settings: { ...(keptDays && { PLATFORM_EVENTS_KEPT_DAYS: keptDays }), ...settings },
  });
  const at = { server, clock, archive: join(server.dataDir, "archive"), engine };
  t.after(() => at.server.close());
  return at;
}

/** Lets days pass. On PostgreSQL the server is stopped meanwhile: to a running one, its lease would seem to have expired. */
async function pass(at: Awaited<ReturnType<typeof testServer>>, days: number): Promise<TestServer> {
  const move = () => {
    at.clock.ms += days * dayMs;
  };
  if (at.engine === "postgres") at.server = await at.server.restart({}, move);
  else move();
  return at.server;
}

async function createConnectors({ client }: TestServer, count: number, name = "c"): Promise<void> {
  for (let n = 0; n < count; n++)
    await client.createConnector({
      body: { name: `${name}${n}`, target_type: "postgresql", target_config: null, created_by: "ada" },
    });
}

const keyOf = ({ deps }: TestServer) => eventKey(deps.vault.deriveKey("event log"));

const metric = async (server: TestServer, name: string) =>
  (await (await server.fetch("/metrics")).text())
    .split("\n")
    .find((line) => line.startsWith(`lakehelm_retention_${name}{records="events"}`))
    ?.split(" ")[1];

for (const engine of enginesOfSlowSuites) {
  suite(`retention of events on ${engine}`, () => {
    test("old events move to a file, and the log stays verifiable across the cut", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 3);
      const old = await server.events();
      const last = old.length;
      server = await pass(at, 11);
      await createConnectors(server, 2, "new");

      await server.server.retain();

      const lines = await archivedLines(join(at.archive, "events"));
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        old,
      );
      const kept = await server.events();
      assert.equal(kept[0]?.sequence, last + 1);
      const [recorded] = await server.events("retention.archived");
      const file = String(recorded?.data.file);
      assert.deepEqual(recorded?.data, {
        records: "events",
        first: 1,
        last,
        count: last,
        last_hash: old.at(-1)?.hash,
        file,
        sha256: recorded?.data.sha256,
      });
      assert.match(file, /^events\/2026-03\/events-2026-03-12\.jsonl\.gz$/);
      assert.equal(recorded?.subject, "retention/events");
      assert.deepEqual(await server.client.verifyEvents(), {
        intact: true,
        checked: kept.length,
        removed: last,
        problem: null,
        reason: null,
      });
      const [verdict] = await verifyArchive(at.archive, keyOf(server));
      assert.deepEqual(verdict, {
        kind: "events",
        files: 1,
        records: last,
        first: 1,
        last,
        replaced: [],
        unlisted: [],
        problems: [],
      });
      assert.equal(await metric(server, "removed_total"), String(last));
      assert.equal(await metric(server, "failing"), "0");
    });

    test("the next run continues the archive, also after a restart", async (t) => {
      const at = await testServer(t, engine);
      await createConnectors(at.server, 2);
      await at.server.events();
      await pass(at, 11);
      await at.server.server.retain();
      await createConnectors(at.server, 2, "later");
      at.server = await at.server.restart();
      await pass(at, 11);
      await at.server.server.retain();

      const sequences = (await archivedLines(join(at.archive, "events"))).map(
        (line) => JSON.parse(line).sequence,
      );
      assert.deepEqual(
        sequences,
        sequences.map((_, n) => n + 1),
      );
      const { intact, removed } = await at.server.client.verifyEvents();
      assert.deepEqual([intact, removed], [true, sequences.length]);
      const [verdict] = await verifyArchive(at.archive, keyOf(at.server));
      assert.deepEqual([verdict?.problems, verdict?.files, verdict?.records], [[], 2, sequences.length]);
    });

    test("a position in the removed range is 410 with the position to continue from", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 3);
      const last = (await server.events()).length;
      server = await pass(at, 11);
      await createConnectors(server, 1, "new");
      await server.server.retain();

      const from = (query: string, headers: Record<string, string> = {}) =>
        server.fetch(`/api/v1/events?${query}`, { headers });
      const refused = await from("after=2");
      assert.equal(refused.status, 410);
      assert.deepEqual(await refused.json(), {
        detail: `Retention has removed the events up to ${last}. Read events 3 to ${last} in the archive, then continue with after=${last}.`,
      });
      const stream = await from("", { accept: "text/event-stream", "last-event-id": "2" });
      assert.equal(stream.status, 410);
      for (const after of [0, last]) {
        const page = await server.client.readEvents({ query: { after } });
        assert.equal(page.events[0]?.sequence, last + 1);
        assert.equal(page.removed_through, last);
      }
    });

    test("a reader of few kinds is not behind only because nothing of them happened", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 2);
      await server.events();
      const query = { after: 0, kind: "secret.*" };
      const { next_after } = await server.client.readEvents({ query });
      server = await pass(at, 11);
      await server.server.retain();
      const page = await server.client.readEvents({ query: { ...query, after: next_after } });
      assert.deepEqual([page.events, page.removed_through], [[], next_after]);
    });

    test("if the archive cannot be written, nothing is removed, and the next run tries again", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 2);
      const old = await server.events();
      server = await pass(at, 11);
      await writeFile(at.archive, "a file is in the way");

      await server.server.retain();

      assert.deepEqual(await server.events(), old);
      assert.equal(await metric(server, "failing"), "1");
      assert.equal(await metric(server, "failures_total"), "1");
      assert.ok(server.logged.some((line) => line.includes("retention failed")));
      await rm(at.archive);
      await server.server.retain();
      assert.equal((await archivedLines(join(at.archive, "events"))).length, old.length);
      assert.equal(await metric(server, "failing"), "0");
    });

    test("a disk without the reserve gets no archive, and nothing is removed", async (t) => {
      const at = await testServer(t, engine, {
        PLATFORM_DISK_RESERVE_MB: String(2 ** 31 - 1),
      });
      let { server } = at;
      await createConnectors(server, 1);
      const old = await server.events();
      server = await pass(at, 11);
      await server.server.retain();
      assert.deepEqual(await server.events(), old);
      assert.ok(server.logged.some((line) => line.includes("MB left (PLATFORM_DISK_RESERVE_MB)")));
    });

    test("without an archive, events are only removed, and the log says so", async (t) => {
      const at = await testServer(t, engine, { PLATFORM_ARCHIVE: "none" });
      let { server } = at;
      await createConnectors(server, 2);
      const last = (await server.events()).length;
      server = await pass(at, 11);
      await server.server.retain();
      const [removed] = await server.events("retention.removed");
      assert.deepEqual([removed?.data.last, removed?.data.file], [last, null]);
      await assert.rejects(readdir(at.archive), { code: "ENOENT" });
      const { intact, removed: count } = await server.client.verifyEvents();
      assert.deepEqual([intact, count], [true, last]);
    });

    test("without the setting, events of 90 days move to the archive a week after that was announced", async (t) => {
      const at = await testServer(t, engine, {}, "");
      let { server } = at;
      await createConnectors(server, 2);
      const old = await server.events();
      server = await pass(at, 91);
      await server.server.retain();
      assert.equal((await server.events())[0]?.sequence, 1, "nothing is removed yet");
      const [announced] = await server.events("retention.announced");
      const inAWeek = new Date(at.clock.ms + 7 * dayMs).toISOString();
      assert.deepEqual(announced?.data, { records: "events", kept_days: 90, from: inAWeek });
      assert.ok(server.logged.some((line) => line.includes("Set PLATFORM_EVENTS_KEPT_DAYS=0 to keep them")));

      server = await pass(at, 6);
      await server.server.retain();
      assert.equal((await server.events())[0]?.sequence, 1, "the week is not over");
      assert.equal((await server.events("retention.announced")).length, 1);

      server = await pass(at, 1.1);
      await server.server.retain();
      const lines = await archivedLines(join(at.archive, "events"));
      assert.deepEqual(
        lines.slice(0, old.length).map((line) => JSON.parse(line)),
        old,
      );
      assert.equal((await server.client.verifyEvents()).removed, lines.length);
    });

    test("without the setting and without an archive, events stay", async (t) => {
      const at = await testServer(t, engine, { PLATFORM_ARCHIVE: "none" }, "");
      let { server } = at;
      await createConnectors(server, 1);
      const old = await server.events();
      server = await pass(at, 10_000);
      await server.server.retain();
      assert.deepEqual(await server.events(), old);
    });

    test("with 0 days, events stay", async (t) => {
      const at = await testServer(t, engine, {}, "0");
      let { server } = at;
      await createConnectors(server, 1);
      const old = await server.events();
      server = await pass(at, 10_000);
      await server.server.retain();
      assert.deepEqual(await server.events(), old);
    });

    test("an event that was tampered with, and all after it, stay", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 3);
      const old = await server.events();
      await run(
        server.deps.store,
        'update events set body = replace(body, \'"data":{\', \'"data":{"forged":true,\') where sequence = 3',
      );
      server = await pass(at, 11);
      await server.server.retain();
      assert.equal((await server.events()).length, old.length);
      assert.equal(await metric(server, "failing"), "1");
      assert.equal((await server.client.verifyEvents()).problem, "Event 3 was changed.");
    });

    test("a problem that nobody has acknowledged stays, with all events after it", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 2);
      await server.events();
      await run(
        server.deps.store,
        "insert into pending_events (id, kind, subject, body) values ('x', 'a.b', 'a/1', '{}')",
      );
      const [problem] = await server.events("event_log.problem_found");
      const sequence = Number(problem?.sequence);
      server = await pass(at, 11);
      await server.server.retain();
      const { removed, reason } = await server.client.verifyEvents();
      assert.deepEqual([removed, reason], [sequence - 1, "pending_forged"]);

      await server.client.acknowledgeEvents({ body: { reason: "a drill" } });
      await server.server.retain();
      const after = await server.client.verifyEvents();
      assert.deepEqual([after.intact, after.removed >= sequence], [true, true]);
    });

    test("a copy of a removed event is not sealed again", async (t) => {
      const at = await testServer(t, engine);
      let { server } = at;
      await createConnectors(server, 1);
      await server.events();
      let copied: { id: string; kind: string; subject: string; body: string; mac: string | null } | undefined;
      server.deps.store.onEvents(([row]) => {
        copied ??= row;
      });
      await createConnectors(server, 1, "copied");
      await server.events();
      server = await pass(at, 11);
      await server.server.retain();
      assert.ok(copied);
      const { id, kind, subject, body, mac } = copied;
      await server.deps.store.engine.write([
        {
          sql: `insert into pending_events (id, kind, subject, body, mac) values (${engine === "sqlite" ? "?, ?, ?, ?, ?" : "$1, $2, $3, $4, $5"})`,
          parameters: [id, kind, subject, body, mac],
        },
      ]);
      const [problem] = await server.events("event_log.problem_found");
      assert.equal(problem?.data.reason, "pending_forged");
      assert.deepEqual(await server.events(kind, subject), []);
    });

    test("an anchor from before the cut is no problem; a forged beginning is one", async (t) => {
      const at = await testServer(t, engine);
      await createConnectors(at.server, 2);
      await at.server.events();
      at.server = await at.server.restart();
      const anchor = await readFile(join(at.server.dataDir, "event-anchor"));
      await createConnectors(at.server, 2, "more");
      await at.server.events();
      await pass(at, 11);
      await at.server.server.retain();
      const path = join(at.server.dataDir, "event-anchor");
      at.server = await at.server.restart({}, () => writeFileSync(path, anchor));
      assert.equal((await at.server.client.verifyEvents()).intact, true);

      await run(at.server.deps.store, "update event_start set sequence = sequence - 1");
      assert.equal((await at.server.client.verifyEvents()).reason, "start_changed");
    });
  });
}

test("files of the archive are private", async (t) => {
  const at = await testServer(t, "sqlite");
  let { server } = at;
  await createConnectors(server, 1);
  await server.events();
  server = await pass(at, 11);
  await server.server.retain();
  const names = await readdir(join(at.archive, "events"), { recursive: true });
  assert.equal(names.length, 3);
  for (const name of names)
    assert.equal(
      (await stat(join(at.archive, "events", name))).mode & 0o777,
      name === "2026-03" ? 0o700 : 0o600,
      name,
    );
  assert.equal((await stat(at.archive)).mode & 0o777, 0o700);
});
