import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test, { describe, type TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import { engines } from "../../testing/server.ts";
import { context, count, query, run, testDatabase, testEventKey, testStoreOn } from "../../testing/store.ts";
import { migrate } from "../store/migrate.ts";
import type { Store } from "../store/store.ts";
import { createAnchorFile } from "./anchor.ts";
import { eventKey } from "./chain.ts";
import { type EventLog, openEventLog } from "./log.ts";
import { createRemoteAnchor } from "./remote-anchor.ts";

const key = eventKey(testEventKey);

interface TestLog extends EventLog {
  readonly errors: string[];
  readonly problems: string[];
}

interface AnchoredLog {
  readonly store: Store;
  readonly path: string;
  /** Starts the log again on the same database and data folder. */
  open(remoteUrl?: string): TestLog;
}

async function anchored(t: TestContext, engine: (typeof engines)[number]): Promise<AnchoredLog> {
  const database = await testDatabase(t, engine);
  const opened = await database.open();
  await migrate(opened);
  const store = testStoreOn(opened);
  const path = join(database.folder, "event-anchor");
  return {
    store,
    path,
    open(remoteUrl) {
      const errors: string[] = [];
      const problems: string[] = [];
      const onError = (error: unknown) => void errors.push((error as Error).message);
      const remote =
        remoteUrl === undefined
          ? undefined
          : createRemoteAnchor({
              url: remoteUrl,
              method: "PUT",
              token: "t",
              onError,
              intervalMs: 1,
              retryMs: 5,
            });
      const log = openEventLog(store, {
        key: testEventKey,
        system: { now: () => new Date() },
        anchors: { file: createAnchorFile(path, key), remote, server: "folder" },
        gatherMs: 60_000,
        pollMs: undefined,
        onError,
        onProblem: ({ reason }) => void problems.push(reason),
      });
      t.after(() => log.close());
      return { ...log, errors, problems };
    },
  };
}

const emit = (store: Store, ...numbers: number[]) =>
  Promise.all(
    numbers.map((n) =>
      store.apply({
        context,
        steps: [],
        events: [{ kind: "test.happened", subject: `test/${n}`, data: { n } }],
      }),
    ),
  );

/** Copies the whole log within the database, as a backup would, and returns a function that restores it. */
async function backup({ store }: AnchoredLog): Promise<() => Promise<void>> {
  await run(
    store,
    "create table kept_events as select * from events",
    "create table kept_head as select * from event_head",
    "create table kept_pending as select * from pending_events",
  );
  return () =>
    run(
      store,
      "delete from events",
      "delete from event_head",
      "delete from pending_events",
      "insert into events select * from kept_events",
      "insert into event_head select * from kept_head",
      "insert into pending_events select * from kept_pending",
    );
}

const verdict = async (log: EventLog) => {
  const found = await log.verify();
  return found.intact ? "intact" : found.reason;
};

for (const engine of engines) {
  describe(engine, () => {
    test("a log that grows over several starts stays intact, and its anchor follows it", async (t) => {
      const anchor = await anchored(t, engine);
      for (const start of [1, 2, 3]) {
        const log = anchor.open();
        for (let n = 0; n < 5; n++) await emit(anchor.store, n, n, n);
        await log.seal();
        assert.equal(await verdict(log), "intact");
        await log.close();
        const { sequence } = JSON.parse(await readFile(anchor.path, "utf8"));
        assert.equal(sequence, start * 15);
        assert.deepEqual([log.errors, log.problems], [[], []]);
      }
    });

    test("a database that was set back to an older copy is found, also after a restart", async (t) => {
      const anchor = await anchored(t, engine);
      const first = anchor.open();
      await emit(anchor.store, 1, 2, 3);
      await first.seal();
      const setBack = await backup(anchor);
      await emit(anchor.store, 4, 5);
      await first.seal();
      await first.close();
      await setBack();
      const second = anchor.open();
      await second.seal();
      assert.equal(await verdict(second), "cut_off");
      assert.deepEqual(second.problems, ["cut_off"]);
      // The log grows past the anchor, and the next starts still report it.
      await emit(anchor.store, 6, 7, 8, 9);
      await second.seal();
      await second.close();
      const third = anchor.open();
      assert.equal(await verdict(third), "cut_off");
      assert.deepEqual(third.problems, [], "it is found once");
    });

    test("an acknowledged restore is intact again, and the log tells who acknowledged it", async (t) => {
      const anchor = await anchored(t, engine);
      const first = anchor.open();
      await emit(anchor.store, 1);
      await first.seal();
      const setBack = await backup(anchor);
      await emit(anchor.store, 2, 3);
      await first.close();
      await setBack();
      const second = anchor.open();
      assert.equal(await verdict(second), "cut_off");
      await second.acknowledge({ ...context, actor: "ada" }, "The backup of 1 May was restored.");
      assert.equal(await verdict(second), "intact");
      const [event] = await query(
        anchor.store,
        "select body from events where kind = 'event_log.acknowledged'",
      );
      const { actor, data } = JSON.parse(String(event?.body));
      assert.deepEqual([actor, data], ["ada", { reason: "The backup of 1 May was restored." }]);
      await second.close();
      assert.equal(await verdict(anchor.open()), "intact");
    });

    test("everything removed and the head reset to the beginning is found after a restart", async (t) => {
      const anchor = await anchored(t, engine);
      const first = anchor.open();
      await emit(anchor.store, 1, 2);
      await first.close();
      await run(
        anchor.store,
        "delete from events",
        "update event_head set sequence = 0, hash = '', mac = ''",
      );
      assert.equal(await verdict(anchor.open()), "cut_off");
    });

    test("a head that is broken, and restored after a deletion, hides nothing", async (t) => {
      const anchor = await anchored(t, engine);
      const log = anchor.open();
      await emit(anchor.store, 1, 2, 3);
      await log.seal();
      const [head] = await query(anchor.store, "select sequence, hash, mac from event_head");
      await run(anchor.store, "update event_head set mac = 'x'");
      await emit(anchor.store, 4, 5);
      await run(anchor.store, "delete from pending_events");
      await run(anchor.store, `update event_head set mac = '${head?.mac}'`);
      await log.seal();
      assert.deepEqual(log.problems, ["pending_removed"]);
      assert.equal(await count(anchor.store, "events"), 6, "five events, and one about the deletion");
      assert.equal(await verdict(log), "pending_removed");
    });

    test("a broken head is repaired, and deleted events stay a gap", async (t) => {
      const anchor = await anchored(t, engine);
      const log = anchor.open();
      await emit(anchor.store, 1, 2, 3);
      await log.seal();
      await run(anchor.store, "delete from event_head", "delete from events where sequence = 3");
      await emit(anchor.store, 4);
      await log.seal();
      assert.deepEqual(log.errors, []);
      assert.deepEqual(
        (await query(anchor.store, "select sequence from events order by sequence")).map(({ sequence }) =>
          Number(sequence),
        ),
        [1, 2, 4, 5],
      );
      assert.equal(await verdict(log), "event_removed");
      await log.acknowledge(context, "no");
      assert.equal(await verdict(log), "event_removed", "a missing event cannot be acknowledged");
    });

    test("a removed or changed anchor file is reported, until an admin acknowledges it", async (t) => {
      const anchor = await anchored(t, engine);
      const first = anchor.open();
      await emit(anchor.store, 1);
      await first.close();
      await rm(anchor.path);
      const second = anchor.open();
      assert.equal(await verdict(second), "anchor_missing");
      await second.acknowledge(context, "moved to another disk");
      assert.equal(await verdict(second), "intact");
      await second.close();

      const text = await readFile(anchor.path, "utf8");
      await writeFile(anchor.path, text.replace(/"sequence":\d+/, '"sequence":1'));
      const third = anchor.open();
      assert.equal(await verdict(third), "anchor_changed");
      await third.seal();
      await third.close();
      assert.equal(await verdict(anchor.open()), "anchor_changed", "its event is in the log");
    });

    test("a problem is one event, however many callers seal at the same time", async (t) => {
      const server = await anchored(t, engine);
      const first = server.open();
      await emit(server.store, 1);
      await first.seal();
      await first.close();
      await rm(server.path);
      const second = server.open();
      await Promise.all([second.seal(), second.seal(), second.seal()]);
      assert.deepEqual(second.problems, ["anchor_missing"]);
      assert.equal((await second.read(0, 10, { kind: "event_log.problem_found" })).length, 1);
    });

    test("a verification that finds a removed event reports it once", async (t) => {
      const server = await anchored(t, engine);
      const log = server.open();
      await emit(server.store, 1, 2, 3);
      await log.seal();
      await run(server.store, "delete from events where sequence = 2");
      assert.equal((await log.verify()).intact, false);
      assert.equal((await log.verify()).intact, false);
      assert.deepEqual(log.problems, ["event_removed"]);
      assert.equal(log.stats().problems, 1);
    });

    test("an anchor file that is deleted while the server runs is reported with the next write", async (t) => {
      const anchor = await anchored(t, engine);
      const log = anchor.open();
      await emit(anchor.store, 1);
      await log.seal();
      await rm(anchor.path);
      assert.equal(await verdict(log), "anchor_missing");
      await log.close();
      assert.deepEqual(log.problems, ["anchor_missing"]);
      assert.equal(await verdict(anchor.open()), "anchor_missing");
    });

    test("the events that an earlier version left unsealed are accepted once", async (t) => {
      const anchor = await anchored(t, engine);
      const { store } = anchor;
      const log = anchor.open();
      await emit(store, 1);
      await log.close();
      await rm(anchor.path);
      // The state that an earlier version left: its head, events without a MAC, no anchor.
      const { createHmac } = await import("node:crypto");
      const [head] = await query(store, "select sequence, hash from event_head");
      const mac = createHmac("sha256", testEventKey).update(`head\n${head?.sequence}\n${head?.hash}`);
      await run(
        store,
        `update event_head set mac = '${mac.digest("base64url")}'`,
        "delete from keyring where name like 'event anchor/%'",
      );
      const unsigned = (n: number) =>
        run(
          store,
          `insert into pending_events (id, kind, subject, body) values ('old-${n}', 'test.old', 'test/${n}',
             '{"id":"old-${n}","kind":"test.old","subject":"test/${n}","data":{}}')`,
        );
      for (let n = 1; n <= 150; n++) await unsigned(n);
      const upgraded = anchor.open();
      await upgraded.seal();
      assert.equal(await count(store, "events"), 151);
      assert.equal(await verdict(upgraded), "intact");
      await unsigned(151);
      await upgraded.seal();
      assert.equal(await verdict(upgraded), "pending_forged");
    });
  });
}

test("an object store that has a later anchor shows that database and data folder were set back", async (t) => {
  const stored: string[] = [];
  const receiver = createServer((request, response) => {
    assert.equal(request.headers.authorization, "Bearer t");
    if (request.method === "GET") {
      response.writeHead(stored.length > 0 ? 200 : 404).end(stored.at(-1) ?? "");
      return;
    }
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      stored.push(text);
      response.end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/anchor`;
  const anchor = await anchored(t, "sqlite");
  const first = anchor.open(url);
  await emit(anchor.store, 1);
  await first.close();
  const setBack = await backup(anchor);
  const oldFile = await readFile(anchor.path, "utf8");
  const second = anchor.open(url);
  await emit(anchor.store, 2, 3);
  await second.close();
  await until(() => JSON.parse(stored.at(-1) ?? "{}").sequence === 3);
  await setBack();
  await writeFile(anchor.path, oldFile);
  const third = anchor.open(url);
  assert.equal(await verdict(third), "cut_off");
  await third.acknowledge(context, "restored");
  await until(async () => (await verdict(third)) === "intact");
});

test("a receiver of anchors that is unavailable neither stops the log nor its verification", async (t) => {
  const anchor = await anchored(t, "sqlite");
  const log = anchor.open("http://127.0.0.1:59999/anchor");
  await emit(anchor.store, 1, 2);
  await log.seal();
  assert.equal(await verdict(log), "intact");
  assert.ok(log.errors.length > 0);
  assert.equal(await count(anchor.store, "events"), 2);
});
