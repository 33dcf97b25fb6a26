import assert from "node:assert/strict";
import test from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { hidden } from "@lakehelm/contract/text";
import { column, keyless, ordersRequest, recheck } from "@lakehelm/flows/testing";
import { loadSqlParser } from "@lakehelm/sql";
import { hostileName, hostileText } from "@lakehelm/sql/testing";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { proveArtifacts } from "../evidence/proof.ts";
import { development } from "../testing/contexts.ts";
import { generateConsumption } from "./consumption-generator.ts";

const sql = await loadSqlParser();
const request = ordersRequest();

/** The artifacts by path, after all checks have passed. */
function checkedFiles(more: Parameters<typeof ordersRequest>[0], base = ordersRequest(more)) {
  const { artifacts, errors } = generateConsumption(base, development, sql);
  assert.deepEqual(errors ?? [], []);
  assert.deepEqual(proveArtifacts(artifacts ?? [], sql).failures, []);
  return Object.fromEntries((artifacts ?? []).map(({ path, content }) => [path, content]));
}

test("every publishing mode passes the checks, and the same request gives the same bytes", () => {
  const requests = [
    ordersRequest({ ...recheck, sequence_by: "updated_at", emit_surrogate_key: true }),
    ordersRequest({ ...recheck, scd_type: 2, sequence_by: "updated_at", business_date_column: "updated_at" }),
    ordersRequest({ ...recheck, scd_type: 2, emit_surrogate_key: true }),
    keyless(ordersRequest({ unmatched_sql: recheck.unmatched_sql, business_date_column: "updated_at" })),
  ];
  for (const one of requests) assert.deepEqual(checkedFiles({}, one), checkedFiles({}, one));
});

test("the job runs the flow and then the checks, with the trigger of the request", () => {
  const job = (more: Parameters<typeof ordersRequest>[0]) =>
    checkedFiles(more)["resources/flow_orders.job.yml"] ?? "";
  const scheduled = job({
    trigger_type: "scheduled",
    schedule: { cron: "30 9 * * 1-5", timezone: "Europe/Berlin" },
  });
  assert.match(scheduled, /quartz_cron_expression: 0 30 9 \? \* MON-FRI\n\s+timezone_id: Europe\/Berlin/);
  assert.match(
    job({ trigger_type: "scheduled", schedule: { cron: "0 6 * * *", timezone: null } }),
    /timezone_id: UTC/,
  );
  assert.match(
    job({ trigger_type: "table_update" }),
    /table_names:\n\s+- "\$\{var\.catalog\}\.\$\{var\.schema\}\.orders"\n\s+- "\$\{var\.catalog\}\.\$\{var\.schema\}\.customers"\n/,
  );
  assert.doesNotMatch(job({}), /schedule|trigger|business_date/);
  assert.match(job({ business_date_column: "updated_at" }), /- name: business_date\n\s+default: ""/);
  assert.match(job({}), /task_key: quality\n\s+depends_on:\n\s+- task_key: flow/);
});

test("the DDL has keys, tags, clustering and properties; wide tables keep statistics of their clustering columns", () => {
  const many = Array.from({ length: 40 }, (_, at) => column(`c${at}`, "int"));
  const columns = [
    column("order_id", "bigint", { pk: true, description: "It's the order" }),
    ...many,
    column("email address", "string", { pii: true, not_null: true, glossary_terms: ["Contact", "Person"] }),
    column("day", "date"),
  ];
  const ddl = checkedFiles({
    matched_sql: `SELECT ${columns.map(({ name }) => `order_id AS \`${name}\``).join(", ")} FROM orders`,
    emit_surrogate_key: true,
    cluster_by: ["day"],
    table_properties: { "delta.enableChangeDataFeed": "true" },
    target_schema: {
      description: "Orders",
      columns,
      foreign_keys: [{ column: "email address", parent_table: "people", parent_column: "email" }],
    },
  })["src/flows/orders/ddl.sql"];
  assert.match(
    ddl ?? "",
    /\(\n {2}orders_sk STRING NOT NULL COMMENT '.*',\n {2}order_id BIGINT NOT NULL COMMENT 'It\\'s the order',/,
  );
  assert.match(
    ddl ?? "",
    / {2}`email address` STRING NOT NULL,\n {2}`day` DATE,\n {2}CONSTRAINT orders_pk PRIMARY KEY \(order_id\),\n/,
  );
  assert.match(
    ddl ?? "",
    /CONSTRAINT orders_fk_\w+ FOREIGN KEY \(`email address`\) REFERENCES shop.sales.people \(email\)\n\)/,
  );
  assert.match(
    ddl ?? "",
    /CLUSTER BY \(`day`\)\nCOMMENT 'Orders'\nTBLPROPERTIES \('delta.columnMapping.mode' = 'name', 'delta.dataSkippingNumIndexedCols' = '44', 'delta.enableChangeDataFeed' = 'true'\);/,
  );
  assert.match(
    ddl ?? "",
    /ALTER COLUMN `email address` SET TAGS \('pii' = 'true', 'glossary_terms' = 'Contact, Person'\);/,
  );
});

test("flow.json lists the tables that are read and written, and the sources of each column", () => {
  const files = checkedFiles({ ...recheck, warehouse: "small", business_date_column: "updated_at" });
  const flow = JSON.parse(files["src/flows/orders/flow.json"] ?? "");
  assert.deepEqual(flow.reads, ["shop.sales.orders", "shop.sales.customers"]);
  assert.deepEqual(
    flow.writes,
    ["", "_unmatched", "_rechecked", "_quality"].map((suffix) => `shop.marts.orders${suffix}`),
  );
  assert.deepEqual(flow.columns[2], {
    name: "country",
    type: "STRING",
    not_null: false,
    from: [{ table: "shop.sales.customers", column: "country" }],
  });
  assert.equal(flow.warehouse, "small");
});

test("the notebooks contain only the code that the request needs", () => {
  const { "src/flows/orders/flow.py": flow = "", "src/flows/orders/quality.py": quality = "" } = checkedFiles(
    {},
    keyless(request),
  );
  assert.doesNotMatch(flow, /business_date|unmatched|recheck|REPLACE WHERE|KNOWN_KEYS|TAGS = /);
  assert.doesNotMatch(quality, /CHECKS/);
});

test("a new version of a flow alters an existing table, and removes only what the flow itself had set", () => {
  const file = "src/flows/orders/flow.py";
  const recordOf = (one: ConsumptionFlowInput) => {
    const text = checkedFiles({}, one)[file] ?? "";
    const [, record = ""] = /\nRECORD = (\{.*?\n\})\nMETADATA/s.exec(text) ?? [];
    const json = record
      .replaceAll("True", "true")
      .replaceAll("False", "false")
      .replace(/,(\s*[\]}])/g, "$1");
    return { text, record: JSON.parse(json) };
  };
  const [first = column("order_id", "bigint"), ...rest] = request.target_schema.columns;
  const withFirst = (more: object, options: object = {}): ConsumptionFlowInput => ({
    ...request,
    ...options,
    target_schema: {
      ...request.target_schema,
      description: "Orders",
      columns: [{ ...first, ...more }, ...rest],
    },
  });
  const personal = recordOf(withFirst({ pii: true, description: "It's" }, { table_properties: { a: "b" } }));
  assert.deepEqual(personal.record.tags, [[first.name, "pii"]]);
  assert.deepEqual([personal.record.properties, personal.record.is_described], [["a"], true]);
  assert.ok(personal.record.described.includes(first.name));
  assert.match(personal.text, /COMMENT ON TABLE \{CATALOG\}\.marts\.orders IS 'Orders'/);
  assert.match(personal.text, /SET TBLPROPERTIES \('a' = 'b'\)/);
  const dropped = recordOf(withFirst({ pii: false }));
  assert.notEqual(dropped.record.version, personal.record.version);
  assert.deepEqual(dropped.record.tags, []);
  assert.match(dropped.text, /for name, tag in earlier\["tags"\]:/);
  assert.equal(recordOf(withFirst({ pii: false })).record.version, dropped.record.version);
});

test("without a key, Databricks overwrites rows and other engines merge them", () => {
  const file = "src/flows/orders/flow.py";
  const whole = checkedFiles({}, keyless(request))[file] ?? "";
  assert.match(
    whole,
    /os\.environ:\n(?: {4}.*\n)+ {4}spark\.sql\(f"INSERT OVERWRITE \{CATALOG\}\.marts\.\{TABLE\} SELECT \* FROM lakehelm_changes"\)/,
  );
  assert.match(whole, /\nelse:\n(?: {4}.*\n|\n)+ {4}published = spark\.sql\(PUBLISH\)/);
  const dated = checkedFiles({}, keyless(ordersRequest({ business_date_column: "updated_at" })))[file] ?? "";
  assert.match(dated, /replaced = "CAST\(updated_at AS DATE\)" \+ f" = DATE '\{date\.fromisoformat/);
  assert.match(dated, /INSERT INTO \{TARGET\} REPLACE WHERE \{replaced\} SELECT/);
  // With a key, the same MERGE runs on all platforms.
  assert.doesNotMatch(checkedFiles({}, request)[file] ?? "", /OVERWRITE/);
});

test("catalog and schema are variables: parameters of the job, and names in the notebooks and in the caller's SQL", () => {
  const matched_sql = [
    "WITH orders AS (SELECT * EXCEPT (x) FROM (SELECT order_id, amount, updated_at, 1 AS x FROM Shop.Sales.`orders`))",
    "SELECT o.order_id, o.amount, upper('shop.sales.orders') AS country, o.updated_at",
    "FROM orders AS o JOIN customers ON shop.sales.customers.customer_id = o.order_id",
    "WHERE EXISTS (SELECT 1 FROM other.sales.customers AS c WHERE c.id = sales.customers.id) -- customers",
  ].join("\n");
  const source_tables = ["orders", "customers", "other.sales.customers"];
  const files = checkedFiles({ matched_sql, source_tables, target_name: "orders_out" });
  const flow = files["src/flows/orders/flow.py"] ?? "";
  assert.match(flow, /\nCATALOG = identifier\(CATALOG_NAME\)\n/);
  assert.match(flow, /\nSCHEMA_NAME = parameter\("schema", "sales"\)\n/);
  assert.match(flow, /TARGET = f"\{CATALOG\}\.\{SCHEMA\}\.orders_out"/);
  // Tables are named in full. CTEs, strings, comments and tables of other catalogs are not changed.
  const [, sent = ""] = /MATCHED_SQL = f"""\\\n(.*?)"""/s.exec(flow) ?? [];
  const table = (name: string) => `{CATALOG}.{SCHEMA}.${name}`;
  assert.equal(
    sent,
    matched_sql
      .replace("Shop.Sales.`orders`", table("orders"))
      .replace("JOIN customers", `JOIN ${table("customers")}`)
      .replace("shop.sales.customers.", `${table("customers")}.`)
      .replace("= sales.customers.", `= ${table("customers")}.`),
  );
  // The constraints are looked up by the plain name of the schema.
  assert.match(flow, /WHERE table_schema = '\{SCHEMA_NAME\}' AND table_name = 'orders_out'/);
  assert.match(
    files["resources/flow_orders.job.yml"] ?? "",
    /- name: schema\n\s+default: "\$\{var\.schema\}"/,
  );
  const elsewhere = checkedFiles({
    target_name: "gold.marts.orders",
    source_tables: ["gold.a.b"],
    matched_sql: "SELECT order_id, amount, country, updated_at FROM gold.a.b",
  });
  assert.doesNotMatch(elsewhere["src/flows/orders/flow.py"] ?? "", /CATALOG|SCHEMA_NAME/);
  assert.doesNotMatch(elsewhere["resources/flow_orders.job.yml"] ?? "", /catalog|schema/);
});

test("the evidence says how far columns were checked, and of which tables they are chosen when it runs", () => {
  const star = ordersRequest({
    matched_sql: "SELECT o.*, c.address.country FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
  });
  const known = new Map([["shop.sales.customers", { id: "BIGINT", address: "STRUCT<country: STRING>" }]]);
  const { artifacts = [] } = generateConsumption(star, development, sql, known);
  const { proofs, failures } = proveArtifacts(artifacts, sql);
  assert.deepEqual(failures, []);
  const at = artifacts.findIndex(({ path }) => path.endsWith("/flow.py"));
  assert.deepEqual(
    proofs[at]?.checks.filter(({ check }) => check === "columns").map(({ detail }) => detail),
    [
      "The platform's catalog has every column and field that the SQL reads from shop.sales.customers.",
      "The catalog does not know the columns of shop.sales.orders: of its *, the target's columns are chosen by name when the notebook runs.",
    ],
  );
});

test("hostile names and texts are refused, or every artifact passes its checks", () => {
  const sometimes = (odd: fc.Arbitrary<string>, plain: string) =>
    fc.oneof({ weight: 1, arbitrary: odd }, { weight: 2, arbitrary: fc.constant(plain) });
  const odd = fc.record({
    flow: sometimes(hostileName(), "orders"),
    table: sometimes(hostileName(), "orders"),
    column: sometimes(hostileName(), "amount"),
    key: sometimes(hostileName(), "amount"),
    parent: sometimes(hostileName(), "people"),
    text: hostileText().filter((text) => text.isWellFormed()),
    term: sometimes(hostileText(), "Revenue"),
  });
  let accepted = 0;
  const numRuns = randomCases(150);
  fc.assert(
    fc.property(odd, ({ flow, table, column: name, key, parent, text, term }) => {
      const quoted = `\`${name.replaceAll("`", "``")}\``;
      const hostile = ordersRequest({
        flow_name: flow,
        target_name: `marts.${table}`,
        source_tables: ["orders", parent],
        matched_sql: `SELECT order_id, amount AS ${quoted} FROM orders`,
        unmatched_sql: `SELECT order_id, amount AS ${quoted} FROM orders`,
        emit_surrogate_key: true,
        scd_type: 2,
        cluster_by: [name],
        target_schema: {
          description: text,
          columns: [
            column("order_id", "int", { pk: true }),
            column(name, "int", { description: text, glossary_terms: [term], not_null: true }),
          ],
          foreign_keys: [{ column: name, parent_table: parent, parent_column: key }],
        },
        table_properties: { [key]: text },
        warehouse: text,
        requested_by: text,
      });
      const { artifacts, errors } = generateConsumption(hostile, development, sql);
      if (errors) return assert.ok(errors.length > 0 && errors.every((error) => !hidden.test(error)));
      assert.deepEqual(proveArtifacts(artifacts, sql).failures, []);
      const flowJson = artifacts.find(({ path }) => path.endsWith("/flow.json"))?.content ?? "";
      assert.equal(JSON.parse(flowJson).requested_by, text);
      accepted += 1;
    }),
    { numRuns },
  );
  assert.ok(accepted > numRuns / 6, `only ${accepted} of ${numRuns} requests were accepted`);
});
