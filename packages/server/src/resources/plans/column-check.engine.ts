/**
 * When a plan removes a column from a pipeline, it finds the readers of the column: for each kind of dataset that has
 * the column, and each kind of resource that reads it, in the same plan and on the server.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { cannotRunRules, type PlanFinding } from "@lakehelm/contract";
import { ApiError, type Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shopConfiguration } from "../../testing/warehouse.ts";
import { appliedPlan } from "./test-plans.ts";

type PlanBody = Parameters<Client["createPlan"]>[0]["body"];
type Resource = NonNullable<PlanBody["resources"]>[number];

/** The dataset `made` with these columns of `sales.raw`; others in its pipeline may be in between. */
const datasets = {
  "materialized view": (list: string) =>
    `CREATE OR REFRESH MATERIALIZED VIEW made AS SELECT ${list} FROM sales.raw;`,
  "streaming table": (list: string) =>
    `CREATE OR REFRESH STREAMING TABLE made AS SELECT ${list} FROM STREAM(sales.raw);`,
  "AUTO CDC": (list: string) =>
    `CREATE TEMPORARY STREAMING TABLE events AS SELECT ${list}, id AS version FROM STREAM(sales.raw);
CREATE OR REFRESH STREAMING TABLE made;
CREATE FLOW filled AS AUTO CDC INTO made FROM STREAM(events) KEYS (id) SEQUENCE BY version COLUMNS * EXCEPT (version) STORED AS SCD TYPE 1;`,
  view: (list: string) => `CREATE VIEW made AS SELECT ${list} FROM sales.raw;`,
  "private view behind it": (list: string) =>
    `CREATE TEMPORARY VIEW hidden AS SELECT ${list} FROM sales.raw;
CREATE OR REFRESH MATERIALIZED VIEW made AS SELECT * FROM hidden;`,
} as const;

const changes = {
  renamed: "id, amount AS total",
  dropped: "id",
  retyped: "id, named_struct('value', amount) AS amount",
} as const;

const pipeline = (name: string): Resource => ({
  kind: "pipeline",
  name,
  definition: { libraries: [{ file: { path: `${name}.sql` } }] },
});

const ofPipeline = (name: string, text: string) => ({
  resource: pipeline(name),
  files: [{ path: `${name}.sql`, text }],
  /** The location of the problem. */
  place: new RegExp(`^${name}\\.sql:\\d+:\\d+: `),
});

/** Everything that reads `amount` of `sales.made`. */
const readers = {
  pipeline: ofPipeline(
    "reading",
    "CREATE OR REFRESH MATERIALIZED VIEW doubled AS\nSELECT id, amount * 2 AS twice\nFROM sales.made;",
  ),
  "view of a pipeline": ofPipeline(
    "viewing",
    "CREATE VIEW seen AS SELECT amount + 1 AS more FROM sales.made;",
  ),
  "AUTO CDC of a pipeline": ofPipeline(
    "keyed",
    "CREATE OR REFRESH STREAMING TABLE latest;\nCREATE FLOW filled AS AUTO CDC INTO latest FROM STREAM(sales.made) KEYS (id) SEQUENCE BY amount + 1 STORED AS SCD TYPE 1;",
  ),
  flow: {
    resource: {
      kind: "flow",
      name: "sums",
      definition: {
        source_tables: ["sales.made"],
        target_name: "sums",
        trigger_type: "manual",
        matched_sql: "select id,\n  amount * 2 as twice from sales.made",
        target_schema: {
          description: "Sums",
          columns: [
            { name: "id", type: "BIGINT", pk: true },
            { name: "twice", type: "BIGINT" },
          ],
        },
        requested_by: "ada@example.test",
      },
    },
    files: [],
    place: /^matched_sql/,
  },
  export: {
    resource: {
      kind: "connector",
      name: "out",
      definition: {
        target_type: "csv",
        target_config: { path: "/exports" },
        execution_mode: "manual",
        datasets: [{ source_dataset: "sales.made", target_name: "made.csv", primary_keys: ["id", "amount"] }],
      },
    },
    files: [],
    place: /^datasets\[0\]: /,
  },
  task: {
    resource: {
      kind: "automation",
      name: "nightly",
      definition: {
        definition: {
          tasks: [{ name: "count", kind: "sql", query: "SELECT sum(amount * 2) AS amount FROM sales.made" }],
        },
      },
    },
    files: [],
    place: /^Task "count": /,
  },
} as const satisfies Record<
  string,
  { readonly resource: unknown; readonly files: readonly object[]; readonly place: RegExp }
>;

const shownRules = ({ policy }: PlanFinding) => cannotRunRules.includes(policy);

suite("columns that a pipeline changes", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function given(dataset: (list: string) => string) {
    const { client } = server;
    const environment = unique("env");
    const { id } = await client.createEnvironment({
      body: { name: environment, configuration: shopConfiguration },
    });
    await fillWarehouse(server, id, "CREATE TABLE shop.sales.raw (id BIGINT, amount BIGINT)");
    const all = Object.values(readers);
    const body = (list: string, from: readonly (typeof all)[number][], project = "ours"): PlanBody => ({
      environment,
      project: { name: project },
      resources: [
        ...(project === "ours" ? [changing(list)] : []),
        ...from.map(({ resource }) => resource as Resource),
      ],
      files: [
        ...(project === "ours" ? [{ path: "making.sql", text: dataset(list) }] : []),
        ...from.flatMap(({ files }) => [...files]),
      ],
    });
    /** As in a project, the hash of the code is part of the definition, so that new code is a change. */
    const changing = (list: string): Resource => ({
      ...pipeline("making"),
      definition: { ...pipeline("making").definition, configuration: { "lakehelm.code": list } },
    });
    /** On a busy machine, the checks may need longer than a plan waits for them. */
    const plan = (list: string, from: readonly (typeof all)[number][], project?: string) =>
      until(async () => {
        const made = await client
          .createPlan({ body: body(list, from, project), query: { unchanged: true } })
          .catch((error) => {
            if (error instanceof ApiError && error.kind === "timeout") return undefined;
            throw error;
          });
        return made?.steps.some(({ unchecked }) =>
          /not answer|not known|not be queried|stopped/.test(unchecked ?? ""),
        )
          ? undefined
          : made;
      }, 100);
    const apply = async (list: string, from: readonly (typeof all)[number][], project?: string) => {
      const { files = [] } = body(list, from, project);
      for (const { path, text } of files) await client.putFile({ params: { path }, environment, body: text });
      const made = await plan(list, from, project);
      assert.deepEqual(made.findings.filter(shownRules), []);
      const { status, steps } = await appliedPlan(client, made.id);
      assert.equal(status, "applied", JSON.stringify(steps));
    };
    return { plan, apply, all, body, environment };
  }

  for (const [kind, dataset] of Object.entries(datasets)) {
    test(`of a ${kind} are found in what reads them`, async () => {
      const { plan, apply, all } = await given(dataset);
      const before = "id, amount";
      const created = await plan(changes.renamed, all);
      const expectIn = (findings: readonly PlanFinding[], level: string, change: string) => {
        const found = findings.filter(shownRules);
        for (const [reader, { resource, place }] of Object.entries(readers)) {
          // An export accepts a column with another type, and exports that type.
          if (reader === "export" && change === "retyped") continue;
          const about = `${change}, read by ${reader}: ${JSON.stringify(found)}`;
          const own = found.find(({ name }) => name === resource.name);
          assert.equal(own?.level, level, about);
          assert.match(own?.message ?? "", place, about);
        }
      };
      expectIn(created.findings, "deny", "renamed");
      assert.equal(created.status, "refused");

      await apply(before, all);
      for (const [change, list] of Object.entries(changes)) {
        expectIn((await plan(list, all)).findings, "deny", change);
      }
      assert.deepEqual((await plan("id, amount, 1 AS more", all)).findings.filter(shownRules), []);
    });
  }

  test("are found in what an earlier change has left behind, also if the plan changes nothing", async () => {
    const dataset = datasets["materialized view"];
    const { plan, apply, all, body, environment } = await given(dataset);
    const { client } = server;
    await apply("id, amount", all);
    const renamed = dataset(changes.renamed);
    await client.putFile({ params: { path: "making.sql" }, environment, body: renamed });
    // With these files nothing of the project changes.
    const unchanged = { ...body("id, amount", all), files: [] };
    const left = await until(async () => {
      const made = await client.createPlan({ body: unchanged });
      return made.findings.filter(shownRules).length >= all.length && made;
    }, 100);
    assert.deepEqual(
      [left.status, left.summary.update, left.summary.unchanged],
      ["planned", 0, all.length + 1],
    );
    for (const { resource, place } of all) {
      const own = left.findings.filter(shownRules).find(({ name }) => name === resource.name);
      assert.deepEqual([own?.level, typeof own?.position], ["warn", "number"], resource.name);
      assert.match(own?.message ?? "", place);
      assert.match(own?.message ?? "", /does not change in this plan, and it does not fit the tables/);
    }
    // This plan makes the table fit its readers again.
    assert.deepEqual((await plan("id, amount, 2 AS more", all)).findings.filter(shownRules), []);
  });

  test("are found in what another project has on the server, and do not refuse the plan", async () => {
    const { plan, apply, all } = await given(datasets["materialized view"]);
    await apply("id, amount", []);
    await apply("", all, "theirs");
    const { status, findings } = await plan(changes.renamed, []);
    assert.equal(status, "planned");
    const found = findings.filter(shownRules);
    for (const { resource, place } of all) {
      const own = found.find(({ name }) => name === resource.name);
      assert.deepEqual([own?.level, own?.position], ["warn", null], resource.name);
      assert.match(own?.message ?? "", place);
    }
  });
});
