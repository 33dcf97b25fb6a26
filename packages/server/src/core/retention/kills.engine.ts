/** A server that is killed at any step of retention loses nothing and archives nothing twice. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { archivedLines } from "../../testing/archive.ts";
import { type Home, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer } from "../../testing/server.ts";
import { eventKey } from "../events/chain.ts";
import type { CrashPoint } from "./archive.ts";
import { verifyArchive } from "./archive-verification.ts";
import type { KilledRetention } from "./test-kill.ts";

const points: readonly CrashPoint[] = ["half written", "written", "half listed", "listed", "removed"];

/** More than one batch. */
const eventCount = 6_000;
const dayMs = 86_400_000;
const roundDays = 12;

/** Each round begins a day after the end of the last one. */
const timeOf = (round: number, day: number): string =>
  new Date(Date.parse("2026-03-01T12:00:00.000Z") + (round * roundDays + day) * dayMs).toISOString();

const settingsOf = ({ dataDir, databaseUrl }: Home) => ({
  PORT: "0",
  APPS_PORT: "0",
  PLATFORM_DATA_DIR: dataDir,
  PLATFORM_SERVICE_AUTH_TOKEN: "tst_5Vq8RwYk2mHcXz7LbN4dPj",
  PLATFORM_EVENTS_KEPT_DAYS: "10",
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

const startAt = (time: string, home: Home): Promise<TestServer> =>
  startTestServer({ now: () => new Date(time), settings: settingsOf(home) });

async function addEvents({ deps, server }: TestServer, time: string): Promise<void> {
  const context = { actor: "test", requestId: null, time };
  for (let n = 0; n < eventCount; n += 1000) {
    const events = Array.from({ length: 1000 }, (_, more) => ({
      kind: "test.happened",
      subject: `test/${n + more}`,
      data: { separators: "\u2028\r\n" },
    }));
    await deps.store.apply({ context, steps: [], events });
  }
  await server.events.seal();
}

async function killAt(killed: KilledRetention): Promise<void> {
  const program = join(import.meta.dirname, "test-kill.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(killed)], { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  assert.equal(signal, "SIGKILL");
}

/** Checks that the files and the log together have every event once. */
async function assertWhole(home: Home, { client, deps, events }: TestServer): Promise<void> {
  const archive = join(home.dataDir, "archive");
  const folder = join(archive, "events");
  const [verdict] = await verifyArchive(archive, eventKey(deps.vault.deriveKey("event log")));
  assert.deepEqual([verdict?.problems, verdict?.replaced, verdict?.first], [[], [], 1]);
  const archived = (await archivedLines(folder)).map((line) => JSON.parse(line).sequence);
  assert.deepEqual(
    archived,
    archived.map((_, n) => n + 1),
  );
  const { intact, problem, removed } = await client.verifyEvents();
  assert.deepEqual([intact, problem, removed], [true, null, archived.length]);
  const last = (await events("retention.archived", "retention/events")).at(-1);
  assert.deepEqual([last?.data.last, verdict?.unlisted], [archived.length, []]);
}

for (const engine of enginesOfSlowSuites) {
  test(`a server on ${engine} that is killed during retention`, async (t) => {
    const home = await testHome(t, engine);
    let server: TestServer | undefined;
    t.after(() => server?.server.stop());
    let archived = 0;
    for (const [round, point] of someOf(points, 3).entries()) {
      server = await startAt(timeOf(round, 0), home);
      await addEvents(server, timeOf(round, 0));
      await server.server.stop();

      await killAt({ settings: settingsOf(home), time: timeOf(round, 11), point, after: round % 2 });

      server = await startAt(timeOf(round, 11), home);
      await server.server.retain();
      await assertWhole(home, server);
      const { removed } = await server.client.verifyEvents();
      assert.ok(removed >= archived + eventCount, point);
      archived = removed;
      await server.server.stop();
      server = undefined;
    }
  });
}
