import assert from "node:assert/strict";
import test from "node:test";
import type { Connector, Event } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { type ServerProcess, startProcess, testHome } from "../../testing/process.ts";
import { engines } from "../../testing/server.ts";

/** The process is killed when this many creations are acknowledged; others are in flight then. */
const moments = [23, 7, 61];
const callers = 16;

for (const engine of engines) {
  test(`${engine}: kill -9 in a burst of writes loses nothing acknowledged`, async (t) => {
    const home = await testHome(t, engine);
    const acknowledged: string[] = [];
    let server = await startProcess(t, home);
    for (const [round, moment] of moments.entries()) {
      acknowledged.push(...(await burst(server, `round ${round}`, moment)));
      assert.equal(await server.ended, null);
      server = await startProcess(t, home);
      await assertWhole(server, acknowledged);
    }
    server.child.kill("SIGTERM");
    assert.equal(await server.ended, 0);
  });
}

/** Creates connectors from all callers concurrently until the server crashes; returns the acknowledged ids. */
async function burst(server: ServerProcess, round: string, moment: number): Promise<string[]> {
  const acknowledged: string[] = [];
  let refused = 0;
  const write = async (caller: number) => {
    for (let n = 0; ; n++) {
      const body = {
        name: `${round} ${caller} ${n}`,
        target_type: "postgresql",
        target_config: { host: "db", password: "secret" },
        created_by: "test",
      };
      try {
        acknowledged.push((await server.client.createConnector({ body })).id);
      } catch {
        refused += 1;
        return;
      }
      if (acknowledged.length === moment) server.child.kill("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => write(caller)));
  assert.ok(acknowledged.length >= moment);
  assert.equal(refused, callers);
  return acknowledged;
}

async function assertWhole({ client }: ServerProcess, acknowledged: readonly string[]): Promise<void> {
  for (const id of acknowledged) {
    const connector = await client.getConnector({ params: { connector_id: id } });
    assert.equal(connector.id, id);
  }
  const rows: Connector[] = [];
  let total: number;
  do {
    const page = await client.listConnectors({ query: { skip: rows.length, limit: 37 } });
    rows.push(...page.connectors);
    total = page.total;
  } while (rows.length < total);
  const ids = rows.map(({ id }) => id);
  assert.equal(total, new Set(ids).size);
  assert.deepEqual(
    acknowledged.filter((id) => !ids.includes(id)),
    [],
  );

  // Events that the crash left unsealed are sealed automatically soon after the start.
  let created: Event[] = [];
  await until(async () => {
    ({ events: created } = await client.readEvents({ query: { kind: "connector.created", limit: 1000 } }));
    return created.length >= total;
  });
  assert.deepEqual(created.map(({ subject }) => subject).sort(), ids.map((id) => `connector/${id}`).sort());
  const verdict = await client.verifyEvents();
  assert.equal(verdict.problem, null);
  assert.equal(verdict.intact, true);
}
