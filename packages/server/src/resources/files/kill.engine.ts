import assert from "node:assert/strict";
import { test } from "node:test";
import { type ServerProcess, startProcess, testHome } from "../../testing/process.ts";
import { enginesOfSlowSuites, startTestServer } from "../../testing/server.ts";
import { stagedIn } from "./test-files.ts";

/** Writes files, four at a time, until the program has ended; returns the last acknowledged number for each. */
async function burst({ client, child }: ServerProcess): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  async function write(lane: number): Promise<void> {
    for (let n = lane; ; n += 4) {
      const path = `lane-${lane}/${n % 3}`;
      await client.putFile({ params: { path }, body: `${n};`.repeat(20_000) });
      acknowledged.set(path, n);
      if (n > 100) child.kill("SIGKILL");
    }
  }
  await Promise.allSettled([0, 1, 2, 3].map(write));
  return acknowledged;
}

for (const engine of enginesOfSlowSuites) {
  test(`kill -9 during a burst of writes loses or truncates no acknowledged file, on ${engine}`, async (t) => {
    const { dataDir, databaseUrl } = await testHome(t, engine);
    const program = await startProcess(t, { dataDir, databaseUrl });
    const acknowledged = await burst(program);
    assert.equal(await program.ended, null, "it was killed");
    assert.ok(acknowledged.size > 0);

    const settings = { PLATFORM_DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    const server = await startTestServer({ settings });
    try {
      for (const [path, n] of acknowledged) {
        const kept = Buffer.from(await server.client.getFile({ params: { path } })).toString();
        const numbers = kept.split(";").slice(0, -1);
        assert.equal(numbers.length, 20_000);
        assert.ok(new Set(numbers).size === 1 && Number(numbers[0]) >= n, `${path}: ${numbers[0]} < ${n}`);
      }
      assert.deepEqual((await server.rows()).outbox, []);
      assert.deepEqual(await stagedIn(server), []);
      assert.equal((await server.client.verifyEvents()).intact, true);
    } finally {
      await server.close();
    }
  });
}
