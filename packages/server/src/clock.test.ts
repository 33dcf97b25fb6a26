import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { engines, startTestServer } from "./testing/server.ts";

const hour = 3_600_000;

/**
 * Every column with a time until which something waits or is valid, and why a clock that was ahead cannot make it wait
 * for too long. A new column needs a reason, too.
 */
const dueTimes: Readonly<Record<string, string>> = {
  "deliveries.next_at": "shown only: the outbox sends them",
  "idempotency.expires_at": "the time that retention believes",
  "jobs.next_at": "corrected",
  "jobs.paused_until": "a time that a person has named",
  "leases.until": "measured by others with their monotonic clocks",
  "outbox.claimed_until": "corrected",
  "outbox.next_at": "corrected",
  "runs.heartbeat_until": "measured by others with their monotonic clocks",
  "runs.not_before": "corrected",
};

for (const engine of engines) {
  test(`no stored time waits for a clock that was ahead, on ${engine}`, async (t) => {
    let ahead = 0;
    const options = { engine, now: () => new Date(Date.now() + ahead), monotonicMs: () => performance.now() };
    const at = await startTestServer(options);
    t.after(at.close);
    const { engine: database } = at.deps.store;
    const columns = await database.read({
      sql:
        engine === "sqlite"
          ? "select m.name as t, c.name as c from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'"
          : "select table_name as t, column_name as c from information_schema.columns where table_schema = 'public'",
      parameters: [],
    });
    const found = columns
      .filter(({ c }) => /(^|_)(until|before|next_at|expires_at|due_at|deadline)$/.test(String(c)))
      .map(({ t: table, c }) => `${table}.${c}`);
    assert.deepEqual(found.sort(), Object.keys(dueTimes));

    ahead = 3 * hour;
    const { client } = at;
    await client.createConnector({
      body: {
        name: "orders",
        target_type: "warehouse",
        target_config: null,
        created_by: "ada",
        execution_mode: "batch",
        schedule_cron: "*/5 * * * *",
      },
    });
    const late = async (): Promise<string[]> =>
      Object.entries(await at.rows()).flatMap(([table, rows]) =>
        rows.flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) => {
            const answer = dueTimes[`${table}.${column}`];
            const isLate = Date.parse(String(value)) > Date.now() + hour + 60_000;
            return answer !== undefined && !isLeft.test(answer) && isLate ? [`${table}.${column}`] : [];
          }),
        ),
      );
    const isSaid = (words: string) => at.logged.some((line) => line.includes(words));
    await until(() => isSaid("was set ahead"));
    assert.ok((await late()).includes("jobs.next_at"));
    ahead = 0;
    await until(async () => (await late()).length === 0);
    await until(() => isSaid("was set back"));
  });
}

/** These times stay as they are. */
const isLeft = /person|retention/;
