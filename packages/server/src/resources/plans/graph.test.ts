import assert from "node:assert/strict";
import { test } from "node:test";
import { createGraph } from "./graph.ts";
import { columnsFrom } from "./lineage.ts";

const scope = { catalog: "main", schema: "default" };

const flow = (name: string, sql: string, columns: string[], key = "id") =>
  [
    "flow",
    name,
    {
      flow_name: name,
      target_name: name,
      source_tables: [/from (\S+)/.exec(sql)?.[1]],
      matched_sql: sql,
      target_schema: { columns: columns.map((column) => ({ name: column, pk: column === key })) },
    },
  ] as const;

const connector = (name: string, definition: object) => ["connector", name, { name, ...definition }] as const;

const reached = (found: readonly { kind: string; name: string; columns: readonly string[] | null }[]) =>
  found
    .filter(({ kind }) => kind !== "table")
    .map(({ kind, name, columns }) => `${kind} ${name} ${columns?.join(",") ?? "*"}`);

test("columns are followed through flows and pipelines to what reads them", () => {
  const graph = createGraph(
    [
      flow("revenue", "select id, amount, note from orders", ["id", "amount", "note"]),
      flow("daily", "select id, round(amount, 2) as total, note from revenue", ["id", "total", "note"]),
      flow("notes", "select id, note from daily", ["id", "note"]),
      flow("totals", "select id, total + 1 as more from daily", ["id", "more"]),
      [
        "pipeline",
        "gold",
        {},
        { paths: [{ table: "main.gold.t", reads: ["main.default.totals"] }], waits: [], uses: [] },
      ],
      connector("crm", { target_type: "sqlite", datasets: [{ source_dataset: "main.gold.t" }] }),
      ["automation", "nightly", { definition: { tasks: [{ kind: "connector", reference: "crm" }] } }],
      flow("others", "select id from daily where note is not null", ["id"]),
    ],
    scope,
  );
  // `notes` and `others` name neither `amount` nor what is made of it.
  assert.deepEqual(reached(graph.downstream("flow/revenue", ["amount"])), [
    "flow daily amount",
    "flow totals total",
    "pipeline gold *",
    "connector crm *",
    "automation nightly *",
  ]);
  // A column in a condition decides about all rows.
  assert.ok(reached(graph.downstream("flow/daily", ["note"])).includes("flow others note"));
});

test("only the tables of a pipeline that read a table change with it; a trigger changes all", () => {
  const paths = [
    { table: "main.clean.orders", reads: ["main.raw.orders"] },
    { table: "main.clean.customers", reads: ["main.raw.customers"] },
    { table: "main.gold.sums", reads: ["main.clean.orders"] },
  ];
  const into = (name: string) =>
    connector(name, { target_type: "warehouse", datasets: [{ target_name: `raw.${name}` }] });
  const graph = (waits: readonly string[]) =>
    createGraph(
      [into("orders"), into("customers"), ["pipeline", "clean", {}, { paths, waits, uses: [] }]],
      scope,
    );
  const tables = (start: string, waits: readonly string[] = []) =>
    graph(waits)
      .downstream(start, null)
      .flatMap(({ kind, name }) => (kind === "table" ? [name] : []));
  assert.deepEqual(tables("connector/customers"), ["main.raw.customers", "main.clean.customers"]);
  assert.deepEqual(tables("connector/orders"), ["main.raw.orders", "main.clean.orders", "main.gold.sums"]);
  assert.equal(tables("connector/customers", ["main.raw.customers"]).length, 4);
});

test("a resource that is reached again by other columns is followed again", () => {
  const graph = createGraph(
    [
      flow("a", "select id, x, y from source", ["id", "x", "y"]),
      flow("b", "select id, x as z from a", ["id", "z"]),
      [
        "flow",
        "c",
        {
          target_name: "c",
          source_tables: ["a", "b"],
          matched_sql: "select id, y as one, z as two from a join b using (id)",
          target_schema: { columns: [{ name: "id", pk: true }, { name: "one" }, { name: "two" }] },
        },
      ],
      flow("d", "select id, two from c", ["id", "two"]),
    ],
    scope,
  );
  assert.deepEqual(reached(graph.downstream("flow/a", ["x", "y"])), ["flow b x", "flow c y,z", "flow d two"]);
});

test("the columns that depend on others, where that is certain", () => {
  const of = (sql: string, ...taken: string[]) => {
    const [kind, , definition] = flow("f", sql, ["id", "a", "b", "c"]);
    return columnsFrom(kind, definition, taken);
  };
  assert.deepEqual(of("select id, x as a, t.b, sum(x) over (order by b) c from t", "x"), ["a", "c"]);
  assert.deepEqual(of("select `B`, x as `A` from t", "x"), ["a"]);
  assert.deepEqual(of("select id, b from t", "x"), []);
  for (const unknown of [
    "select id, x + 1 from t",
    "select id from t where x > 1",
    "select id, b from t order by x",
    "select x as id, b from t",
    "with u as (select x from t) select id, x as a from u",
    "select id, (select max(x) from t) as a from t",
    "select id, x as a from t union all select id, x from u",
  ])
    assert.equal(of(unknown, "x"), null, unknown);
});

test("a column with the name of its table is not taken for the table", () => {
  const graph = createGraph(
    [
      flow("revenue", "select id, revenue from orders", ["id", "revenue"]),
      flow("ids", "select id from main.default.revenue r", ["id"]),
      flow("kept", "select id, revenue as kept from main.default.revenue", ["id", "kept"]),
      flow("more", "select id, kept from main.default.kept where kept > 0", ["id", "kept"]),
      flow("changed", "select id from main.default.revenue where revenue is distinct from id", ["id"]),
    ],
    scope,
  );
  assert.deepEqual(reached(graph.downstream("flow/revenue", ["revenue"])), [
    "flow kept revenue",
    "flow changed revenue",
    "flow more kept",
  ]);
});

test("tables that are named in full, or by the connector's own schema, are the same tables", () => {
  const datasets = (target_name: string) => ({ target_type: "warehouse", datasets: [{ target_name }] });
  const graph = createGraph(
    [
      connector("full", datasets("main.default.orders")),
      connector("other", { ...datasets("orders"), target_config: { schema: "raw" } }),
      flow("revenue", "select id from orders", ["id"]),
      flow("raw_revenue", "select id from main.raw.orders", ["id"]),
    ],
    scope,
  );
  assert.deepEqual(reached(graph.downstream("connector/full", null)), ["flow revenue *"]);
  assert.deepEqual(reached(graph.downstream("connector/other", null)), ["flow raw_revenue *"]);
});

test("a search ends at its limit, however many resources are connected, and has the nearest first", () => {
  const size = 3000;
  const each = (make: (n: number) => ReturnType<typeof flow>) =>
    Array.from({ length: size }, (_, n) => make(n));
  const chain = createGraph(
    each((n) => flow(`f${n}`, `select id from f${n - 1}`, ["id"])),
    scope,
  );
  const names = chain.downstream("flow/f0", null, { limit: 200 }).map(({ name }) => name);
  assert.equal(names.length, 200);
  assert.equal(names.indexOf("f1"), 1 + names.indexOf("main.default.f0"));
  // All write one table and all read it: nine million connections.
  const reads = { execution_mode: "table_update", table_update_config: { table_names: ["t"] } };
  const writes = { target_type: "warehouse", target_config: {}, datasets: [{ target_name: "t" }] };
  const dense = createGraph(
    Array.from({ length: size }, (_, n) => connector(`c${n}`, { ...reads, ...writes })),
    scope,
  );
  assert.equal(dense.dependencies("connector/c0"), size);
  assert.equal(dense.downstream("connector/c0", null).length, 2000);
});

test("tables do not use up the limit of a search for resources: a rule sees the reader of the last table", () => {
  const paths = Array.from({ length: 300 }, (_, n) => ({ table: `main.default.t${n}`, reads: [] }));
  const graph = createGraph(
    [["pipeline", "wide", {}, { paths, waits: [], uses: [] }], flow("last", "select id from t299", ["id"])],
    scope,
  );
  const found = (withTables: boolean) =>
    reached(graph.downstream("pipeline/wide", null, { limit: 200, withTables }));
  assert.deepEqual([found(true), found(false)], [[], ["flow last *"]]);
});

test("the SQL of a flow is read once, however often it is reached", () => {
  const long = `select id, ${"x + ".repeat(50_000)} 1 as y from source`;
  const [name, kind, definition] = flow("last", long, ["id", "y"]);
  const sources = Array.from({ length: 1000 }, (_, n) =>
    flow(`f${n}`, "select id, x from other", ["id", "x"]),
  );
  const last = { ...definition, source_tables: sources.map(([, source]) => source) };
  const graph = createGraph([...sources, [name, kind, last]], scope);
  // If the SQL were read a thousand times, it would take minutes, and the test would not end in time.
  for (const [, source] of sources) {
    assert.deepEqual(reached(graph.downstream(`flow/${source}`, ["x"])), ["flow last x"]);
  }
});
