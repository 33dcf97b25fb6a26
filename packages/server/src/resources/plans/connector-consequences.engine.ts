/**
 * Changes every setting of a connector's dataset, with every strategy, in imports and exports: the plan and the next
 * run must agree.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { type ChangeConsequence, DatasetInput } from "@lakehelm/contract";
import { datasetSettings } from "@lakehelm/contract/connections";
import { isNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

type Dataset = Record<string, unknown> & { target_name: string; source_dataset: string };
interface Connector {
  readonly dataset: Dataset;
  /** The database that the connector is connected to. */
  readonly place: "first" | "second";
}
type Change = (connector: Connector) => Connector;
type Row = Readonly<Record<string, string>>;

const dataset = (more: object): Connector => ({
  dataset: { source_dataset: "orders", target_name: "", ...more },
  place: "first",
});
const withDataset =
  (more: object): Change =>
  (connector) => ({ ...connector, dataset: { ...connector.dataset, ...more } });
const custom =
  (more: object): Change =>
  (connector) =>
    withDataset({ custom_config: { ...(connector.dataset.custom_config as object), ...more } })(connector);
const isKeyed = ({ dataset: { write_strategy: strategy } }: Connector) => strategy === "upsert";
const ifKeyed =
  (change: Change): Change =>
  (connector) =>
    isKeyed(connector) ? change(connector) : connector;

const keyed = { primary_keys: ["id"], write_strategy: "upsert", watermark_column: "at" };
/** The connectors that are changed. */
const bases: Record<string, Connector> = {
  upsert: dataset({ ...keyed, custom_config: { max_delete_share: 1 } }),
  mirror: dataset({ ...keyed, custom_config: { deletes: true, max_delete_share: 1 } }),
  append: dataset({ write_strategy: "append", watermark_column: "at" }),
  replace: dataset({ write_strategy: "replace", custom_config: { max_delete_share: 1 } }),
  without_note: dataset({
    ...keyed,
    custom_config: { pii_suppressed: true, pii_columns: ["note"], max_delete_share: 1 },
  }),
};

/** At least one change of every field. A field of the contract that is missing here fails the test. */
const changes: Record<string, readonly Change[]> = {
  source_dataset: [withDataset({ source_dataset: "others" })],
  target_name: [(one) => withDataset({ target_name: `${one.dataset.target_name}_moved` })(one)],
  primary_keys: [
    ifKeyed(withDataset({ primary_keys: ["code"] })),
    ifKeyed(withDataset({ primary_keys: ["id", "code"] })),
  ],
  write_strategy: [
    (one) => (isKeyed(one) ? one : withDataset({ ...keyed, custom_config: { max_delete_share: 1 } })(one)),
    withDataset({ write_strategy: "append", custom_config: {}, watermark_column: "at" }),
    withDataset({ write_strategy: "replace", custom_config: {}, watermark_column: null }),
  ],
  watermark_column: [
    (one) => (one.dataset.write_strategy === "replace" ? one : withDataset({ watermark_column: "seq" })(one)),
    ifKeyed(withDataset({ watermark_column: null })),
  ],
  custom_config: [],
  watermark_lag: [ifKeyed(custom({ watermark_lag: 1 }))],
  max_reject_share: [custom({ max_reject_share: 0.5 })],
  deletes: [
    ifKeyed((one) => custom({ deletes: one.dataset.target_name.startsWith("mirror") ? null : true })(one)),
  ],
  max_delete_share: [custom({ max_delete_share: 0.9 })],
  on_missing_column: [custom({ on_missing_column: "fail" })],
  on_added_column: [custom({ on_added_column: "backfill" })],
  on_lost_rows: [custom({ on_lost_rows: "warn" })],
  pii_suppressed: [custom({ pii_suppressed: true, pii_columns: ["note"] }), custom({ pii_suppressed: null })],
  pii_columns: [],
  place: [(one) => ({ ...one, place: "second" })],
};

interface Case {
  readonly name: string;
  readonly direction: "in" | "out";
  readonly strategy: string;
  readonly before: Connector;
  readonly after: Connector;
}

/** Settings whose change has the same effect with every strategy. */
const harmless = [
  "max_reject_share",
  "max_delete_share",
  "on_missing_column",
  "on_added_column",
  "on_lost_rows",
];

/** The cases in the gate. Each takes about a second. */
const inGate = [
  "mirror_primary_keys_0_in",
  "mirror_primary_keys_0_out",
  "upsert_primary_keys_0_in",
  "upsert_watermark_column_0_in",
  "upsert_source_dataset_0_in",
  "without_note_pii_suppressed_1_in",
  "upsert_place_0_in",
  "upsert_deletes_0_out",
];

const cases: readonly Case[] = Object.entries(bases).flatMap(([strategy, base]) =>
  Object.entries(changes).flatMap(([field, all]) =>
    all.flatMap((change, at) =>
      (["in", "out"] as const).flatMap((direction) => {
        const name = `${strategy}_${field}_${at}_${direction}`;
        const former = withDataset({ target_name: name })(base);
        const next = change(former);
        const isSame = JSON.stringify(next) === JSON.stringify(former);
        const isTold = strategy === "upsert" || !harmless.includes(field);
        const isMeant = !isSame && (inGate.includes(name) || (isNightly && isTold));
        // What an export fills in a new column is another setting of its run.
        if (!isMeant || (direction === "out" && field === "on_added_column")) return [];
        return [{ name, direction, strategy, before: former, after: next }];
      }),
    ),
  ),
);

test("every setting of a dataset is changed", () => {
  const all = [...Object.keys(DatasetInput.fields), ...datasetSettings];
  const unknown = all.filter((name) => !Object.hasOwn(changes, name));
  assert.deepEqual(unknown, [], "a new setting needs a change here, and a place in contract/src/changes");
});

suite("a changed connector does what its plan says", () => {
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

  const pathOf = (which: string) => join(folder, `${which}.db`);
  function within<Result>(which: string, work: (database: DatabaseSync) => Result): Result {
    using database = new DatabaseSync(pathOf(which));
    return work(database);
  }
  async function run(job_id: string, parameters: Record<string, unknown> = {}) {
    const { id } = await server.client.runJob({ params: { job_id }, body: { parameters } });
    const read = () => server.client.getRun({ params: { run_id: id } });
    await until(async () => !["queued", "running"].includes((await read()).status), 20);
    return read();
  }
  async function runConnector(name: string, parameters: Record<string, unknown> = {}) {
    const found = await server.client.listConnectors({ query: { name }, environment });
    const one = found.connectors.find((connector) => connector.name === name) ?? assert.fail(name);
    return run(`connector-${one.id}`, parameters);
  }
  const succeed = async (name: string, parameters: Record<string, unknown> = {}) => {
    const done = await runConnector(name, parameters);
    assert.equal(done.status, "succeeded", `${name}: ${done.error}`);
    return done;
  };

  const sorted = (rows: readonly Row[]): Row[] =>
    rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  const asRow = (columns: readonly string[], values: readonly unknown[]): Row =>
    Object.fromEntries(
      columns
        .map((column, at) => [column, String(values[at])] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  const inDatabase = (which: string, table: string): Row[] =>
    within(which, (database) =>
      sorted(
        database
          .prepare(`SELECT * FROM "${table}"`)
          .all()
          .map((row) => asRow(Object.keys(row), Object.values(row))),
      ),
    );
  async function inWarehouse(table: string): Promise<Row[]> {
    const { columns, rows } = (await server.client.runQuery({
      body: { sql: `select * from ${table}` },
      environment,
    })) as unknown as { columns: { name: string }[]; rows: unknown[][] };
    return sorted(
      rows.map((row) =>
        asRow(
          columns.map(({ name }) => name),
          row,
        ),
      ),
    );
  }

  const definitionOf = ({ direction }: Case, { dataset: one, place }: Connector) => ({
    ...(direction === "in"
      ? {
          target_type: "warehouse",
          target_config: { connection: { name: "shop", type: "sqlite", config: { path: pathOf(place) } } },
        }
      : { target_type: "sqlite", target_config: { path: pathOf(`out_${place}`) } }),
    execution_mode: "manual",
    datasets: [one],
  });
  async function plan(
    project: string,
    of: (one: Case) => { name: string; connector: Connector }[],
    group: readonly Case[],
  ) {
    const resources = group.flatMap((one) =>
      of(one).map(({ name, connector }) => ({
        ...{ kind: "connector" as const, name },
        definition: definitionOf(one, connector),
      })),
    );
    const body = { environment, project: { name: project }, resources };
    const made = await server.client.createPlan({ body });
    assert.equal(made.status, "planned", JSON.stringify(made.findings));
    const applied = await appliedPlan(server.client, made.id);
    assert.equal(applied.status, "applied", applied.steps.map(({ error }) => error ?? "").join("\n"));
    return made;
  }
  /** An unchanged connector, to compare with a change that has no consequences. */
  const unchanged = (one: Case) => ({
    name: `${one.name}_same`,
    connector: withDataset({ target_name: `${one.name}_same` })(one.before),
  });
  const rowsOf = ({ direction }: Case, place: string, table: string) =>
    direction === "in" ? inWarehouse(table) : Promise.resolve(inDatabase(`out_${place}`, table));

  test("in every case", { timeout: 900_000 }, async (t) => {
    for (const which of ["first", "second"])
      within(which, (database) =>
        database.exec(
          ["orders", "others"]
            .map(
              (table, at) =>
                `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, code INTEGER, note TEXT, at INTEGER, seq INTEGER);
                 INSERT INTO ${table} SELECT value, value + 100, '${which} ${table}', value, 20 - value FROM json_each('[${[1, 2, 3, 4, 5, 6].map((n) => n + at)}]')`,
            )
            .join(";"),
        ),
      );
    await server.client.createConnector({
      body: {
        ...{ name: "source", target_type: "warehouse", execution_mode: "manual", created_by: "ada" },
        target_config: { connection: { name: "shop", type: "sqlite", config: { path: pathOf("first") } } },
        datasets: ["orders", "others"].map((name) => ({
          ...{ source_dataset: name, target_name: name, write_strategy: "replace" as const },
          custom_config: { max_delete_share: 1 },
        })),
      },
      environment,
    });
    await succeed("source");
    const both = (one: Case) => [{ name: one.name, connector: one.before }, unchanged(one)];
    await plan("first", both, cases);
    for (const { name } of cases) for (const one of [name, `${name}_same`]) await succeed(one);
    // Deletes a row, changes one, adds one, and changes one without a greater watermark.
    for (const which of ["first", "second"])
      within(which, (database) =>
        database.exec(
          "DELETE FROM orders WHERE id = 3; UPDATE orders SET note = 'changed', at = 7 WHERE id = 2; UPDATE orders SET note = 'silent' WHERE id = 4; INSERT INTO orders VALUES (9, 109, 'new', 8, 30)",
        ),
      );
    await succeed("source");
    const next = (one: Case) => [{ name: one.name, connector: one.after }, unchanged(one)];
    const earlier = new Map<string, Row[]>();
    for (const one of cases) earlier.set(one.name, await rowsOf(one, "first", one.name));
    const { steps } = await plan("first", next, cases);
    for (const one of cases) {
      const said = steps.find(({ name }) => name === one.name)?.impact?.consequences ?? [];
      await t.test(one.name, () => compare(one, said, earlier.get(one.name) ?? []));
    }
  });

  async function compare(one: Case, said: readonly ChangeConsequence[], earlier: readonly Row[]) {
    const { name, after: changed, direction } = one;
    const about = JSON.stringify(said);
    const { dataset: wanted, place } = changed;
    const custom_config = wanted.custom_config as { pii_suppressed?: boolean } | undefined;
    const isLeftOut = custom_config?.pii_suppressed === true;
    const whole =
      direction === "in"
        ? inDatabase(place, wanted.source_dataset)
        : await inWarehouse(wanted.source_dataset);
    const source = isLeftOut ? whole.map(({ note: _, ...row }) => row) : whole;
    const now = () => rowsOf(one, place, wanted.target_name);
    const has = (effect: string) => said.some((consequence) => consequence.effect === effect);
    const says = (text: RegExp) => said.some(({ sentence }) => text.test(sentence));
    assert.ok(said.length > 0, "a plan says what a change leads to");

    /** A target in a database needs a unique index for its new key: the run names the statement. */
    const run = async (parameters: Record<string, unknown> = {}) => {
      const first = await runConnector(name, parameters);
      const [, statement] = /Create one: (.*;?)\.$/.exec(first.error ?? "") ?? [];
      if (statement === undefined) return first;
      assert.ok(says(/the run fails and names the statement/), about);
      assert.deepEqual(await now(), earlier, "a refused run writes nothing");
      within(`out_${place}`, (database) => database.exec(statement));
      return runConnector(name, parameters);
    };

    const refused = said.find(({ effect }) => effect === "refuse");
    const done = await run();
    if (refused) {
      assert.equal(done.status, "failed", about);
      assert.ok(done.error?.includes(refused.command ?? "?"), `${done.error} names ${refused.command}`);
      assert.deepEqual(await now(), earlier, "a refused run writes nothing");
      assert.equal((await run({ full_refresh: true })).error, null);
      assert.deepEqual(await now(), source, "after the command");
      return;
    }
    assert.equal(done.error, null, about);
    const rows = await now();
    const without = ({ note: _, ...row }: Row): Row => row;
    /** Rows in the columns that the run writes. */
    const written = rows.map((row) => (isLeftOut ? without(row) : row)).map((row) => JSON.stringify(row));
    const gone = rows.filter(({ id }) => !source.some((row) => row.id === id));
    if (has("leave")) assert.deepEqual(await rowsOf(one, "first", name), earlier, "what it left stays");
    if (has("drop_columns"))
      assert.ok(
        rows.every((row) => row.note === undefined),
        about,
      );
    if (has("add_columns"))
      assert.ok(
        rows.every((row) => row.note !== undefined),
        about,
      );
    if (has("create") || has("rebuild")) return assert.deepEqual(sorted(rows), source, about);
    if (has("reload")) {
      for (const row of source)
        assert.ok(written.includes(JSON.stringify(row)), `${JSON.stringify(row)}: ${about}`);
      if (says(/are removed|removes those/)) assert.deepEqual(gone, [], about);
      else assert.ok(gone.length > 0, about);
      return;
    }
    if (says(/uses the new connection/)) {
      if (direction === "in")
        for (const row of source)
          assert.ok(written.includes(JSON.stringify(row)), `${JSON.stringify(row)}: ${about}`);
      else assert.deepEqual(await rowsOf(one, "first", name), earlier, about);
      return;
    }
    if (says(/removes the rows/)) return assert.deepEqual(gone, [], about);
    if (says(/no longer has stay/)) return assert.ok(gone.length > 0, about);
    if (has("drop_columns") || has("add_columns")) return;
    if (isLeftOut)
      return assert.ok(
        earlier.every(({ id, note }) => rows.some((row) => row.id === id && row.note === note)),
      );
    // The rows are the same as if the definition had not changed.
    await succeed(`${name}_same`);
    assert.deepEqual(rows, await rowsOf(one, "first", `${name}_same`), about);
  }
});
