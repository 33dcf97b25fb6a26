/**
 * Messages are also read where no environment is chosen, as in the console, in webhooks and by other clients: their
 * commands must name it.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "./testing/server.ts";

/** A command for the server, not for an environment. */
const ofServer = /^lakehelm secrets limit /;
const commands =
  /lakehelm (?:connectors|flows|pipelines|tables|secrets|automations|query|apply|runs|agents|apps) [^\n]*/g;

suite("stored commands about resources of an environment that is not the default", () => {
  const environment = "prod";
  let server: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-printed-"));
    server = await startTestServer();
    await server.client.createEnvironment({
      body: { name: environment, configuration: { catalog: "shop", schema: "sales" } },
    });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** The error of a run; null: it succeeded. */
  async function run(job_id: string) {
    const { id } = await server.client.runJob({ params: { job_id } });
    const read = () => server.client.getRun({ params: { run_id: id } });
    await until(async () => !["queued", "running"].includes((await read()).status), 20);
    return (await read()).error;
  }
  const connector = (
    name: string,
    connection: object,
    dataset: { readonly source_dataset: string; readonly target_name: string; primary_keys: string[] },
  ) => ({
    ...{ name, target_type: "warehouse", execution_mode: "manual" as const, created_by: "ada" },
    target_config: { connection: { name, ...connection } },
    datasets: [dataset],
  });
  const flow = (type: string) => ({
    ...{ flow_name: "daily", target_name: "marts.daily", source_tables: ["orders"], requested_by: "ada" },
    trigger_type: "manual" as const,
    matched_sql: `SELECT id, CAST(n AS ${type}) AS n FROM orders`,
    target_schema: {
      description: "Orders",
      columns: [
        { name: "id", type: "BIGINT", pk: true },
        { name: "n", type },
      ],
    },
  });

  test("name it: in runs, logs, plans, events and statuses", async () => {
    const { client } = server;
    const file = join(folder, "orders.csv");
    await writeFile(file, "id,n\n1,2\n");
    const files = { type: "files", config: { path: folder, format: "csv" } };
    const dataset = { source_dataset: "orders.csv", target_name: "orders", primary_keys: ["id"] };
    const orders = await client.createConnector({ body: connector("orders", files, dataset), environment });
    assert.equal(await run(`connector-${orders.id}`), null);

    // The secret of this connector is not stored.
    const password = "{{secrets/shop/password}}";
    const database = {
      type: "postgresql",
      config: { host: "127.0.0.1", database: "shop", user: "a", password },
    };
    const secret = await client.createConnector({
      body: connector("secret", database, { ...dataset, target_name: "others" }),
      environment,
    });
    const errors = [await run(`connector-${secret.id}`)];

    // A column changes to a type that is not wider, so the next run fails.
    const { id } = await client.createFlow({ body: flow("BIGINT"), environment });
    assert.equal(await run(`flow-${id}`), null);
    const plan = await client.createPlan({
      body: {
        ...{ environment, project: { name: "shop" } },
        resources: [
          { kind: "flow", name: "daily", definition: flow("STRING") },
          { kind: "connector", name: "secret", definition: { ...connector("secret", database, dataset) } },
        ] as never,
      },
    });
    const consequences = plan.steps.flatMap(({ impact }) => impact?.consequences ?? []);
    assert.match(JSON.stringify(consequences), /lakehelm flows run --env prod daily/);
    await client.updateFlow({ params: { flow_id: id }, body: flow("STRING") });
    errors.push(await run(`flow-${id}`));
    for (const error of errors) assert.match(error ?? "", / --env prod /);

    const stored = JSON.stringify([await server.rows(), await server.events()]);
    const found = stored.replaceAll("\\n", "\n").match(commands) ?? [];
    assert.ok(found.length >= 6, found.join("\n"));
    for (const command of found)
      if (!ofServer.test(command)) assert.match(command, /^lakehelm \S+(?: \S+)? (?:.* )?--env[ =]prod\b/);
  });
});
