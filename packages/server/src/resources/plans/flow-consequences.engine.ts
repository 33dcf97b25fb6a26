/**
 * Changes every field of a flow's definition, with every strategy: the plan, the run, and a fresh flow with the changed
 * definition must agree.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { type ChangeConsequence, ConsumptionFlowInput } from "@lakehelm/contract";
import { isNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

type Definition = Record<string, unknown> & { target_schema: TableSchema; target_name: string };
interface TableSchema {
  description: string;
  columns: Record<string, unknown>[];
  foreign_keys?: unknown[];
}
type Change = (flow: Definition) => Definition;

const column = (name: string, type: string, more: object = {}) => ({ name, type, ...more });
const base = (more: object = {}): Definition => ({
  flow_name: "",
  source_tables: ["orders"],
  target_name: "",
  trigger_type: "manual",
  matched_sql: "select id, region, amount, note, at from orders",
  target_schema: {
    description: "Orders",
    columns: [
      column("id", "bigint", { pk: true }),
      column("region", "string"),
      column("amount", "decimal(10,2)"),
      column("note", "string"),
      column("at", "bigint"),
    ],
  },
  requested_by: "ada@example.test",
  ...more,
});

const keyless = (flow: Definition): Definition => withColumns(flow, (one) => ({ ...one, pk: false }));
const hasKey = (flow: Definition): boolean => flow.target_schema.columns.some(({ pk }) => pk);
const withColumns = (
  flow: Definition,
  change: (column: Record<string, unknown>) => Record<string, unknown> | undefined,
): Definition => ({
  ...flow,
  target_schema: {
    ...flow.target_schema,
    columns: flow.target_schema.columns.flatMap((one) => {
      const changed = change(one);
      return changed ? [changed] : [];
    }),
  },
});
const onColumn =
  (name: string, change: (column: Record<string, unknown>) => Record<string, unknown> | undefined): Change =>
  (flow) =>
    withColumns(flow, (one) => (one.name === name ? change(one) : one));
const set =
  (more: object): Change =>
  (flow) => ({ ...flow, ...more });

/** The flows that are changed. */
const bases: Record<string, Definition> = {
  merge: base(),
  replace: keyless(base()),
  history: base({ scd_type: 2, sequence_by: "at" }),
};

/** At least one change of every field. A field of the contract that is missing here fails the test. */
const changes: Record<string, readonly Change[]> = {
  flow_name: [],
  type: [],
  source_tables: [set({ source_tables: ["orders", "others"] })],
  target_name: [(flow) => ({ ...flow, target_name: `${flow.target_name}_moved` })],
  trigger_type: [set({ trigger_type: "table_update" })],
  schedule: [set({ trigger_type: "scheduled", schedule: { cron: "0 6 * * *", timezone: "UTC" } })],
  matched_sql: [
    set({ matched_sql: "select id, region, amount + 1 as amount, note, at from orders where id <> 2" }),
  ],
  unmatched_sql: [set({ unmatched_sql: "select id, note from orders where id > 100" })],
  recheck_sql: [
    (flow) =>
      hasKey(flow)
        ? {
            ...flow,
            unmatched_sql: "select id, note from orders where id > 100",
            recheck_sql: `select id, 'x' as region, 1 as amount, note, 1 as at from ${flow.target_name}_unmatched`,
          }
        : flow,
  ],
  sequence_by: [(flow) => (hasKey(flow) ? { ...flow, sequence_by: "amount" } : flow)],
  business_date_column: [
    (flow) => ({
      ...withColumns(flow, (one) => (one.name === "note" ? column("note", "date") : one)),
      matched_sql: "select id, region, amount, date'2026-01-01' as note, at from orders",
      business_date_column: "note",
    }),
  ],
  scd_type: [
    (flow) =>
      flow.scd_type === 2 ? { ...flow, scd_type: 1 } : keyed({ ...flow, scd_type: 2, sequence_by: "at" }),
  ],
  write_strategy: [
    (flow) => keyed({ ...flow, scd_type: 1, sequence_by: undefined, write_strategy: "merge_and_delete" }),
  ],
  max_delete_share: [
    (flow) => keyed({ ...flow, scd_type: 1, write_strategy: "merge_and_delete", max_delete_share: 0.9 }),
  ],
  // The end of a version needs a time, which the sequence of these flows is not.
  close_missing_keys: [
    (flow) => (flow.scd_type === 2 ? { ...flow, close_missing_keys: true, sequence_by: undefined } : flow),
  ],
  check_severity: [set({ check_severity: "warn" })],
  emit_surrogate_key: [(flow) => keyed({ ...flow, emit_surrogate_key: true })],
  cluster_by: [set({ cluster_by: ["id"] })],
  table_properties: [set({ table_properties: { team: "sales" } })],
  warehouse: [set({ warehouse: "small" })],
  requested_by: [set({ requested_by: "bob@example.test" })],
  "target_schema.description": [
    (flow) => ({ ...flow, target_schema: { ...flow.target_schema, description: "All orders" } }),
  ],
  "target_schema.columns": [
    (flow) => ({
      ...onColumn("note", () => undefined)(flow),
      matched_sql: "select id, region, amount, at from orders",
    }),
    (flow) => ({
      ...flow,
      matched_sql: "select id, region, amount, note, at, upper(note) as loud from orders",
      target_schema: {
        ...flow.target_schema,
        columns: [...flow.target_schema.columns, column("loud", "string")],
      },
    }),
  ],
  "target_schema.foreign_keys": [
    (flow) => ({
      ...flow,
      target_schema: {
        ...flow.target_schema,
        foreign_keys: [{ column: "region", parent_table: "regions", parent_column: "name" }],
      },
    }),
  ],
  "target_schema.columns.name": [
    (flow) => ({
      ...onColumn("note", (one) => ({ ...one, name: "remark" }))(flow),
      matched_sql: "select id, region, amount, note as remark, at from orders",
    }),
  ],
  "target_schema.columns.type": [onColumn("amount", (one) => ({ ...one, type: "string" }))],
  "target_schema.columns.description": [onColumn("note", (one) => ({ ...one, description: "A remark" }))],
  "target_schema.columns.pk": [
    onColumn("region", (one) => ({ ...one, pk: true })),
    (flow) => (flow.scd_type !== 2 && hasKey(flow) ? keyless(flow) : flow),
  ],
  "target_schema.columns.not_null": [onColumn("amount", (one) => ({ ...one, not_null: true }))],
  "target_schema.columns.pii": [onColumn("note", (one) => ({ ...one, pii: true }))],
  "target_schema.columns.glossary_terms": [onColumn("note", (one) => ({ ...one, glossary_terms: ["note"] }))],
};

function keyed(flow: Definition): Definition {
  return onColumn("id", (one) => ({ ...one, pk: true }))(flow);
}

/** The names of all fields as in `changes`, with the fields of columns. */
function fieldsOfContract(): string[] {
  const { target_schema: schema, ...rest } = ConsumptionFlowInput.check(
    base({ flow_name: "a", target_name: "a" }),
    [],
    [],
  );
  const nested = Object.keys({ ...schema }).map((name) => `target_schema.${name}`);
  const ofColumns = Object.keys({ ...schema.columns[0] }).map((name) => `target_schema.columns.${name}`);
  const own = Object.keys(ConsumptionFlowInput.fields).filter((name) => name !== "target_schema");
  return [...new Set([...own, ...Object.keys(rest), ...nested, ...ofColumns])];
}

interface Case {
  readonly title: string;
  readonly strategy: string;
  readonly name: string;
  readonly before: Definition;
  readonly after: Definition;
}

/** The cases in the gate. Each takes a second or two. */
const inGate = [
  "merge_target_schema_columns_0",
  "merge_target_schema_columns_type_0",
  "merge_target_schema_columns_pk_0",
  "merge_target_schema_columns_description_0",
  "merge_scd_type_0",
  "merge_matched_sql_0",
  "replace_target_schema_columns_pk_0",
  "history_target_schema_columns_0",
];

function casesOf(): Case[] {
  return Object.entries(bases).flatMap(([strategy, definition]) =>
    Object.entries(changes).flatMap(([field, all]) =>
      all.flatMap((change, at) => {
        const name = `${strategy}_${field.replaceAll(".", "_")}_${at}`;
        const before = { ...definition, flow_name: name, target_name: `marts.${name}` };
        const after = change(before);
        const isMeant = after !== before && (isNightly || inGate.includes(name));
        return isMeant ? [{ title: `${strategy}: ${field} (${at})`, strategy, name, before, after }] : [];
      }),
    ),
  );
}

test("every field of the contract is changed", () => {
  const unknown = fieldsOfContract().filter((name) => !Object.hasOwn(changes, name));
  assert.deepEqual(unknown, [], "a new field needs a change here, and a place in contract/src/changes");
});

suite("a changed flow does what its plan says", () => {
  const cases = casesOf();
  let server: TestServer;
  let folder: string;
  const environment = "consequences";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-consequences-"));
    server = await startTestServer();
    await server.client.createEnvironment({
      body: { name: environment, configuration: { catalog: "shop", schema: "sales" } },
    });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const path = () => join(folder, "source.db");
  function source(sql: string): void {
    using file = new DatabaseSync(path());
    file.exec(sql);
  }
  async function run(job_id: string, parameters: Record<string, unknown> = {}) {
    const { id } = await server.client.runJob({ params: { job_id }, body: { parameters } });
    const read = () => server.client.getRun({ params: { run_id: id } });
    await until(async () => !["queued", "running"].includes((await read()).status), 20);
    return read();
  }
  const idOf = async (name: string) =>
    (await server.client.listFlows({ query: { name }, environment })).flows[0]?.id ?? assert.fail(name);
  const runFlow = async (name: string, parameters: Record<string, unknown> = {}) =>
    run(`flow-${await idOf(name)}`, parameters);
  const query = async (sql: string) =>
    (await server.client.runQuery({ body: { sql }, environment })) as unknown as {
      columns: { name: string; type: string }[];
      rows: unknown[][];
    };
  /** Rows as objects, without what depends on the time of a run. */
  async function content(table: string): Promise<{ columns: string[]; rows: Record<string, unknown>[] }> {
    const { columns, rows } = await query(`select * from ${table}`);
    return {
      columns: columns.map(({ name, type }) => `${name} ${type}`).sort(),
      rows: rows
        .map((row) => Object.fromEntries(row.map((value, at) => [columns[at]?.name ?? "", value])))
        .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    };
  }
  const resources = (definitions: readonly Definition[]) =>
    definitions.map((definition) => ({
      kind: "flow" as const,
      name: String(definition.flow_name),
      definition,
    }));
  async function planned(project: string, definitions: readonly Definition[]) {
    const body = { environment, project: { name: project }, resources: resources(definitions) };
    return server.client.createPlan({ body });
  }
  /** Groups of eight cases, because a plan checks its flows for ten seconds at most. */
  const groups = (all: readonly Case[]) =>
    Array.from({ length: Math.ceil(all.length / 8) }, (_, at) => all.slice(at * 8, at * 8 + 8));

  test("in every case", { timeout: 900_000 }, async (t) => {
    source(`CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, amount NUMERIC(10,2), note TEXT, at INTEGER);
      INSERT INTO orders VALUES (1, 'n', 10.5, 'a', 1), (2, 'n', 20, 'b', 2), (3, 's', 30.25, 'c', 3);
      CREATE TABLE others (id INTEGER); INSERT INTO others VALUES (1);
      CREATE TABLE regions (name TEXT); INSERT INTO regions VALUES ('n'), ('s')`);
    const config = { path: path() };
    const { id } = await server.client.createConnector({
      body: {
        name: "source",
        target_type: "warehouse",
        target_config: { connection: { name: "source", type: "sqlite", config } },
        execution_mode: "manual",
        created_by: "ada",
        datasets: ["orders", "others", "regions"].map((name) => ({
          source_dataset: name,
          target_name: name,
          write_strategy: "replace" as const,
        })),
      },
      environment,
    });
    const load = async () => {
      const done = await run(`connector-${id}`);
      assert.equal(done.status, "succeeded", done.error ?? "");
    };
    await load();
    for (const [at, group] of groups(cases).entries()) {
      const made = await planned(
        `p${at}`,
        group.map((one) => one.before),
      );
      const applied = await appliedPlan(server.client, made.id);
      assert.equal(applied.status, "applied", applied.steps.map(({ error }) => error ?? "").join("\n"));
    }
    for (const { name } of cases) assert.equal((await runFlow(name)).error, null, name);
    // Deletes a row, changes one and adds one.
    source(
      "DELETE FROM orders WHERE id = 3; UPDATE orders SET amount = 21, at = 4 WHERE id = 2; INSERT INTO orders VALUES (4, 's', 40, 'd', 5)",
    );
    await load();
    for (const [at, group] of groups(cases).entries()) {
      const plan = await planned(
        `p${at}`,
        group.map((one) => one.after),
      );
      const said = new Map(plan.steps.map(({ name, impact }) => [name, impact?.consequences ?? []]));
      assert.equal(plan.status, "planned", JSON.stringify(plan.findings));
      assert.equal((await appliedPlan(server.client, plan.id)).status, "applied");
      for (const one of group) await t.test(one.title, () => compare(one, said.get(one.name) ?? []));
    }
  });

  async function compare({ strategy, name, before, after }: Case, said: readonly ChangeConsequence[]) {
    const [former, target] = [before.target_name, after.target_name];
    const earlier = await content(former);
    const fresh = `fresh_${name}`;
    const definition = { ...after, flow_name: fresh, target_name: `marts.${fresh}` };
    const renamed = JSON.parse(
      JSON.stringify(definition).replaceAll(`${former}_unmatched`, `marts.${fresh}_unmatched`),
    ) as Definition;
    await server.client.createFlow({ body: renamed as never, environment });
    assert.equal((await runFlow(fresh)).error, null);
    const wanted = await content(`marts.${fresh}`);
    const surrogate = (text: string) => text.replaceAll(`${fresh}_sk`, `${name}_sk`);
    const expected = JSON.parse(surrogate(JSON.stringify(wanted))) as typeof wanted;
    expected.columns.sort();
    /** Without a sequence, a version begins at the start of its run, so `valid_from` is not compared. */
    const timeless = ({ columns, rows }: typeof wanted) => ({
      columns,
      rows: after.sequence_by ? rows : rows.map(({ valid_from: _, ...row }) => row),
    });
    const effects = said.map(({ effect }) => effect);
    assert.ok(effects.length > 0, "a plan says what a change leads to");
    const done = await runFlow(name);
    if (effects.includes("refuse")) {
      const command = said.find(({ effect }) => effect === "refuse")?.command ?? "";
      assert.equal(done.status, "failed");
      assert.ok(done.error?.includes(command), `${done.error} names ${command}`);
      assert.deepEqual(await content(target), earlier, "a refused run writes nothing");
      const parameters = Object.fromEntries(
        [...command.matchAll(/parameters\.(\w+)=true/g)].map(([, key]) => [key ?? "", true]),
      );
      assert.equal((await runFlow(name, parameters)).error, null, command);
      assert.deepEqual(timeless(await content(target)), timeless(expected), "after the command");
      return;
    }
    assert.equal(done.error, null);
    const now = await content(target);
    assert.deepEqual(now.columns, expected.columns, JSON.stringify(said));
    if (effects.includes("leave")) assert.deepEqual(await content(former), earlier);
    const isWhole = !hasKey(after) || strategy === "replace" || after.write_strategy === "merge_and_delete";
    if (isWhole && strategy !== "replace") assert.ok(said.some(({ kind }) => kind === "breaking"));
    if (effects.includes("rebuild") || effects.includes("create") || isWhole) {
      assert.deepEqual(now.rows, expected.rows, JSON.stringify(said));
      return;
    }
    // A merge or a history also keeps rows that its SELECT does not return.
    const current = now.rows.filter((row) => row.is_current !== false);
    const ids = expected.rows.map(({ id }) => id);
    const strip = ({ valid_from: _, valid_to: __, is_current: ___, ...row }: Record<string, unknown>) => row;
    assert.deepEqual(
      current.filter((row) => ids.includes(row.id)).map(strip),
      expected.rows.filter((row) => row.is_current !== false).map(strip),
      JSON.stringify(said),
    );
    if (after.close_missing_keys) return;
    assert.deepEqual(
      current.filter((row) => !ids.includes(row.id)).map(({ id }) => id),
      earlier.rows.filter((row) => !ids.includes(row.id)).map(({ id }) => id),
      "rows that the SELECT does not return stay",
    );
  }
});
