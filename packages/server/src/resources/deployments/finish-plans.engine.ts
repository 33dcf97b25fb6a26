import assert from "node:assert/strict";
import { suite, test } from "node:test";
import pg from "pg";
import type { Statement } from "../../core/store/database.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";

type Send = (sent: Statement & readonly Statement[]) => Promise<never>;

/** The statements that a server sends to its database during the work, each text once. */
async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<Statement[]> {
  const { engine } = server.deps.store;
  const { read, readOne, write } = engine;
  const sent = new Map<string, Statement>();
  const recorded = (original: unknown) => (one: Statement & readonly Statement[]) => {
    for (const statement of [one].flat()) sent.set(statement.sql, statement);
    return (original as Send)(one);
  };
  Object.assign(engine, { read: recorded(read), readOne: recorded(readOne), write: recorded(write) });
  try {
    await work();
  } finally {
    Object.assign(engine, { read, readOne, write });
  }
  return [...sent.values()].filter(({ sql }) => /^(select|insert|update|delete)/i.test(sql));
}

async function sqlitePlans(server: TestServer, statements: readonly Statement[]): Promise<string[]> {
  const plans = statements.map(({ sql, parameters }) =>
    server.deps.store.engine.read({ sql: `explain query plan ${sql}`, parameters }),
  );
  return (await Promise.all(plans)).flat().map(({ detail }) => String(detail));
}

/** The query plans of PostgreSQL, with sequential scans only where there is no other way. */
async function postgresPlans(server: TestServer, statements: readonly Statement[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: server.deps.settings.DATABASE_URL });
  await client.connect();
  try {
    await client.query("set enable_seqscan = off");
    const plans: string[] = [];
    for (const { sql } of statements) {
      const { rows } = await client.query(`explain (generic_plan) ${sql}`);
      plans.push(rows.map((row) => String(row["QUERY PLAN"]).trim()).join("\n"));
    }
    return plans;
  } finally {
    await client.end();
  }
}

for (const engine of engines) {
  suite(`the end of a deployment on ${engine}`, () => {
    test("no statement reads all deployments of the environment", async (t) => {
      const server = await startTestServer({ engine });
      t.after(() => server.close());
      const { client } = server;
      const create = async () => (await client.createDeployment({ body: {} })).id;
      const finish = async (status: "succeeded" | "failed") => {
        const params = { deployment_id: await create() };
        await client.finishDeployment({ params, body: { status, log_chunk: "done" } });
      };
      await finish("succeeded");
      await finish("failed");
      const sent = await statementsOf(server, async () => {
        await finish("succeeded");
        await finish("failed");
      });
      const ofDeployments = sent.filter(({ sql }) => /\bdeployments\b/.test(sql));
      assert.ok(ofDeployments.length >= 5, String(ofDeployments.length));
      if (engine === "sqlite") {
        const plans = (await sqlitePlans(server, sent)).filter((plan) => /\bdeployments\b/.test(plan));
        assert.ok(plans.length >= 3, plans.join("\n"));
        const narrow = /^SEARCH deployments USING .*\((id=\?|key=\?|environment_id=\? AND state=\?.*)\)/;
        assert.deepEqual(
          plans.filter((plan) => !narrow.test(plan)),
          [],
        );
      } else {
        const plans = await postgresPlans(server, sent);
        const reads = plans.filter((plan) => /(Scan|Scan Backward) (using \w+ )?on deployments/.test(plan));
        assert.ok(reads.length >= 3, plans.join("\n\n"));
        const narrow =
          /Index Cond: \(+(id = |key = |\(environment_id = \$\d+\) AND \(state = |environment_id = \$\d+\) AND \(state = )/;
        assert.deepEqual(
          reads.filter((plan) => /Seq Scan on deployments/.test(plan) || !narrow.test(plan)),
          [],
        );
      }
    });
  });
}
