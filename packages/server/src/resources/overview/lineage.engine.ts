/** The lineage of tables, as the catalog, the effects of a failure, and plans show it. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { drawProject, type Project } from "./testing/lineage-projects.ts";

type Edges = ReadonlySet<string>;
const arrow = (from: string, to: string) => `${from} -> ${to}`;

suite("lineage by table", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** The lineage of a table when all code has been read. */
  async function around(environment: string, table: string) {
    const read = () => server.client.getTableLineage({ query: { table }, environment });
    await until(async () => (await read()).unknown.length === 0, 50);
    return read();
  }

  /** The edges from table to table, without the resources between them. */
  async function edgesAround(environment: string, table: string): Promise<Edges> {
    const { edges } = await around(environment, table);
    const into = Map.groupBy(edges, ({ to }) => to);
    const isTable = (id: string) => id.startsWith("table/");
    const name = (id: string) => id.slice("table/".length);
    return new Set(
      edges
        .filter(({ to }) => isTable(to))
        .flatMap(({ from, to }) =>
          (into.get(from) ?? []).flatMap((one) =>
            isTable(one.from) ? [arrow(name(one.from), name(to))] : [],
          ),
        ),
    );
  }

  async function addPipeline(environment: string, name: string, sql: string) {
    await server.client.putFile({ params: { path: `${name}.sql` }, body: sql, environment });
    await server.client.createPipeline({
      body: { name, libraries: [{ file: { path: `${name}.sql` } }] },
      environment,
    });
  }

  test("a table of a pipeline does not come from what only its other tables read", async () => {
    await addPipeline(
      "local",
      "clean",
      `CREATE MATERIALIZED VIEW clean.orders AS SELECT * FROM raw.orders;
       CREATE MATERIALIZED VIEW clean.customers AS SELECT * FROM raw.customers;`,
    );
    const { nodes, edges } = await around("local", "clean.customers");
    const [{ id: start } = { id: "" }] = nodes;
    const [catalog] = start.slice("table/".length).split(".");
    assert.deepEqual(edges, [
      { from: `pipeline/clean#${catalog}.clean.customers`, to: start },
      { from: `table/${catalog}.raw.customers`, to: `pipeline/clean#${catalog}.clean.customers` },
    ]);
    assert.equal(nodes[1]?.name, "clean");
    assert.ok(nodes[1]?.job_id?.startsWith("pipeline-"));
  });

  test("what cannot be read is said, and the rest is known", async () => {
    const { client } = server;
    const environment = unique("e");
    await client.createEnvironment({ body: { name: environment } });
    const broken = "CREATE VIEW a AS SELECT FROM WHERE; CREATE VIEW b AS SELECT * FROM raw.x";
    await addPipeline(environment, "broken", broken);
    await client.putFile({ params: { path: "tables.py" }, body: "import dlt", environment });
    const libraries = [{ file: { path: "tables.py" } }];
    await client.createPipeline({ body: { name: "python", libraries }, environment });
    const read = () => client.getTableLineage({ query: { table: "raw.x" }, environment });
    await until(async () => (await read()).edges.length > 0, 50);
    const { edges, unknown } = await read();
    assert.equal(edges.length, 2);
    assert.deepEqual(unknown.sort(), ["broken", "python"]);
  });

  async function create({ raw, pipelines, tasks, flows }: Project, environment: string) {
    const { client } = server;
    for (const table of raw) {
      await client.createConnector({
        body: {
          name: `in-${table}`,
          target_type: "warehouse",
          target_config: {
            schema: "raw",
            connection: { type: "files", config: { path: "/nowhere", format: "csv" } },
          },
          execution_mode: "manual",
          created_by: "ada",
          datasets: [{ source_dataset: `${table}.csv`, target_name: table, primary_keys: ["id"] }],
        },
        environment,
      });
    }
    for (const [n, statements] of pipelines.entries())
      await addPipeline(environment, `p${n}`, statements.join(";\n"));
    const alias = unique("tasks");
    const definition = {
      parameters: { least: 1 },
      tasks: tasks.map((query, n) => ({ name: `t${n}`, kind: "sql" as const, query })),
    };
    await client.createAutomation({ body: { alias, definition } });
    await client.syncAutomationRelease({ body: { automation_alias: alias, environment, metadata: {} } });
    for (const flow of flows) await client.createFlow({ body: flow, environment });
  }

  for (const platform of ["embedded", "spark"]) {
    test(`each table has the tables that were drawn for it, on ${platform}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (draw) => {
          const project = drawProject(draw);
          const environment = unique("e");
          const configuration = { catalog: "shop", schema: "sales", connect: "sc://127.0.0.1:1" };
          await server.client.createEnvironment({ body: { name: environment, platform, configuration } });
          await create(project, environment);
          const { edges, tables } = project;
          const reachedFrom = closure(edges);
          for (const table of tables) {
            const expected = edges.filter(
              ({ from, to }) =>
                to === table || from === table || reachedFrom(to).has(table) || reachedFrom(table).has(from),
            );
            assert.deepEqual(
              [...(await edgesAround(environment, table))].sort(),
              [...new Set(expected.map(({ from, to }) => arrow(from, to)))].sort(),
              `${table} of ${JSON.stringify(project, null, 2)}`,
            );
          }
          const { connectors } = await server.client.listConnectors({ query: { environment } });
          for (const { name, workflow_id } of connectors) {
            const raw = `shop.raw.${name.slice("in-".length)}`;
            const { items } = await server.client.getJobDownstream({ params: { job_id: workflow_id ?? "" } });
            const found = items.flatMap((one) => (one.kind === "table" ? [one.name] : []));
            assert.deepEqual(found.sort(), [raw, ...reachedFrom(raw)].sort(), name);
          }
        }),
        { numRuns: randomCases(10), endOnFailure: true },
      );
    });
  }
});

/** The tables that come from a table, directly or not. */
function closure(edges: readonly { readonly from: string; readonly to: string }[]) {
  const next = Map.groupBy(edges, ({ from }) => from);
  return (start: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const queue = [start];
    for (const table of queue)
      for (const { to } of next.get(table) ?? []) {
        if (found.has(to)) continue;
        found.add(to);
        queue.push(to);
      }
    return found;
  };
}
