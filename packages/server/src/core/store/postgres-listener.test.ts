import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import { addConnector, fresh, query, testDatabase, testStoreOn } from "../../testing/store.ts";
import { migrate } from "./migrate.ts";

/** Two servers on one database, and how many commits of the second were reported to the first. */
async function twoServers(t: TestContext) {
  const database = await testDatabase(t, "postgres");
  const [ours, theirs] = [await database.open(), await database.open()];
  await migrate(ours);
  const reports = { count: 0 };
  await until(() => ours.others?.isListening());
  ours.others?.onWritten(() => {
    reports.count += 1;
  });
  return { ours, reports, store: testStoreOn(ours), other: testStoreOn(theirs) };
}

test("a silent commit of its own is no news: polls have nothing to find", async (t) => {
  const { ours, store } = await twoServers(t);
  const before = ours.written();
  const silent = { sql: "update connectors set state = 'x'", parameters: [], isSilent: true };
  await ours.write([silent]);
  assert.equal(ours.written(), before);
  await addConnector(store, fresh("own"));
  assert.equal(ours.written(), before + 1);
});

test("commits of another server are reported; own ones and silent ones are not", async (t) => {
  const { ours, reports, store, other } = await twoServers(t);
  const before = ours.written();

  await addConnector(store, fresh("own"));
  assert.equal(ours.written(), before + 1);
  const silent = { sql: "update connectors set state = 'x'", parameters: [], isSilent: true };
  await other.engine.write([silent]);
  await addConnector(other, fresh("theirs"));

  // Reports arrive in the order of the commits: the first two would be there by now.
  await until(() => reports.count > 0);
  assert.equal(reports.count, 1);
  assert.equal(ours.written(), before + 2);
});

test("a refused change is not reported", async (t) => {
  const { reports, other } = await twoServers(t);
  const missed = { sql: "update connectors set state = 'x'", parameters: [], expect: 7 };

  assert.deepEqual(await other.engine.write([missed]), { at: 0, why: "missed" });
  await addConnector(other, fresh("theirs"));

  await until(() => reports.count > 0);
  assert.equal(reports.count, 1);
});

test("a lost connection is opened again, and what was missed meanwhile is reported", async (t) => {
  const { ours, reports, store, other } = await twoServers(t);

  await query(
    store,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'lakehelm listener'`,
  );
  await until(() => !ours.others?.isListening());
  await addConnector(other, fresh("missed"));
  await until(() => ours.others?.isListening());

  assert.ok(reports.count > 0);
  const { count } = reports;
  await addConnector(other, fresh("heard"));
  await until(() => reports.count > count);
});
