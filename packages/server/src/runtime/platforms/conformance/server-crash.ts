import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { type Home, startProcess, testHome } from "../../../testing/process.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer } from "../../../testing/server.ts";
import type { PlatformHarness } from "./harness.ts";
import { ended, openConnector, rows } from "./test-connector.ts";

/** The server process runs in production mode, where the test's source on loopback must be allowed. */
const processSettings = ({ options }: PlatformHarness) => ({
  PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
  ...options?.settings,
});

/** kill -9 of the whole server, then a new server on the same state. */
export function serverCrashTests(harness: PlatformHarness): void {
  for (const engine of enginesOfSlowSuites) {
    describe(`${harness.name}: kill -9 of the server, on ${engine}`, () => {
      test("the next server finishes a running and a queued run", async (t) => {
        const home = await testHome(t, engine);
        const killed = await startProcess(t, home, processSettings(harness));
        let { client } = killed;
        const shop = await openConnector(t, harness, () => client);
        await shop.put(rows("Ada"));
        await shop.runToEnd();
        await shop.put(rows("Ada", "Bob"));
        const hold = shop.hold();
        const first = await shop.run();
        await hold.reached;
        const second = await shop.run();
        killed.child.kill("SIGKILL");
        await killed.ended;
        await hold.left;
        hold.release();

        await withNext(home, harness, async (next) => {
          ({ client } = next);
          const both = [await ended(client, first), await ended(client, second)];
          assert.deepEqual(
            both.map(({ status, attempt }) => [status, attempt]),
            [
              ["succeeded", 2],
              ["succeeded", 1],
            ],
          );
          assert.deepEqual(both.map(({ metrics }) => metrics.rows_inserted).sort(), [0, 1]);
          assert.deepEqual(await shop.read(client), rows("Ada", "Bob"));
          assert.equal((await shop.runs()).length, 3);
        });
      });
    });
  }

  test(`${harness.name}: kill -9 of the server after the rows were written, and before that was recorded`, async (t) => {
    const home = await testHome(t, "postgres");
    const killed = await startProcess(t, home, processSettings(harness));
    let { client } = killed;
    const shop = await openConnector(t, harness, () => client);
    await shop.put(rows("Ada"));
    await shop.runToEnd();
    const before = (await shop.now()).datasets?.[0]?.current_watermark;
    await shop.put(rows("Ada", "Bob"));

    const control = new pg.Client({ connectionString: home.databaseUrl });
    await control.connect();
    await control.query("BEGIN");
    await control.query("LOCK TABLE connectors IN SHARE MODE");
    const run = await shop.run();
    const waiting = await until(async () => {
      const { rows } = await control.query(
        "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'connectors'::regclass",
      );
      return rows.length > 0 ? rows.map(({ pid }) => Number(pid)) : undefined;
    });
    assert.deepEqual(await shop.read(client), rows("Ada", "Bob"), "the rows are written");
    killed.child.kill("SIGKILL");
    await killed.ended;
    // Prevents the database from completing the server's pending writes.
    for (const pid of waiting) await control.query("SELECT pg_terminate_backend($1)", [pid]);
    await control.query("ROLLBACK");
    const { rows: kept } = await control.query("SELECT doc FROM connectors");
    assert.equal(JSON.parse(kept[0]?.doc).datasets[0].current_watermark, before, "nothing was recorded");
    await control.end();

    await withNext(home, harness, async (next) => {
      ({ client } = next);
      const again = await ended(client, run);
      assert.deepEqual([again.status, again.attempt, again.metrics.rows_inserted], ["succeeded", 2, 0]);
      assert.deepEqual(await shop.read(client), rows("Ada", "Bob"));
      assert.match((await shop.now()).datasets?.[0]?.current_watermark ?? "", /^2026-01-01[ T]00:00:01/);
    });
  });
}

/**
 * The clock of the new server is a minute ahead, so that the killed server has expired: on PostgreSQL, the new server
 * would otherwise wait half a minute for its run.
 */
async function withNext(
  { dataDir, databaseUrl }: Home,
  { options }: PlatformHarness,
  check: (next: TestServer) => Promise<void>,
): Promise<void> {
  const next = await startTestServer({
    ...(options?.platforms && { platforms: options.platforms }),
    now: () => new Date(Date.now() + 60_000),
    settings: {
      ...options?.settings,
      PLATFORM_DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
  });
  // Closes the server before the test ends, because its database is deleted with the test.
  await check(next).finally(() => next.close());
}
