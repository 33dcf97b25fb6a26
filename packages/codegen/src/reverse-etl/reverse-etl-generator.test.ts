import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "@lakehelm/sql";
import { parse } from "yaml";
import { proveArtifacts } from "../evidence/proof.ts";
import { production } from "../testing/contexts.ts";
import { generateReverseEtl } from "./reverse-etl-generator.ts";

const sql = await loadSqlParser();
const database = {
  host: "db.example.com",
  database: "crm",
  user: "writer",
  password: "{{secrets/shop/writer}}",
};
const endpoint = {
  url: "https://hooks.example.com/customers",
  headers: { Authorization: "{{secrets/shop/hook}}" },
};
const table = { source_dataset: "gold.customers", target_name: "customers", pii_suppressed: false };
type TestTable = typeof table & {
  readonly write_strategy?: string;
  readonly primary_keys?: readonly string[];
};
const upsert = { ...table, primary_keys: ["id"], watermark_column: "updated_at" };

const request = (type: string, tables: readonly TestTable[], config: object = {}, more: object = {}) => ({
  ...{
    name: "crm",
    target_type: type,
    execution_mode: "manual",
    requested_by: "ada",
    encode_artifacts: false,
  },
  target_config: { ...(type === "http" ? endpoint : database), ...config },
  table_configs: [...tables],
  ...more,
});
const errorsOf = (...args: Parameters<typeof request>) =>
  generateReverseEtl(request(...args), production).errors ?? [];
const contentsOf = (...args: Parameters<typeof request>) => {
  const { artifacts = [], errors, withheld } = generateReverseEtl(request(...args), production);
  assert.equal(errors, undefined);
  assert.deepEqual(proveArtifacts(artifacts, sql, withheld).failures, []);
  return new Map(artifacts.map(({ path, content }) => [path, content]));
};
const notebookOf = (...args: Parameters<typeof request>) =>
  contentsOf(...args).get("src/reverse-etl/crm/sync.py") ?? "";

test("the notebook of every target and strategy passes every check, and has only the code it needs", () => {
  const strategies = [
    upsert,
    { ...table, watermark_column: "updated_at" },
    { ...table, primary_keys: ["id"] },
    table,
    { ...table, write_strategy: "replace" },
  ];
  for (const type of ["postgresql", "postgres", "MySQL", "sqlserver", "snowflake", "http"]) {
    const supported = type === "http" ? strategies.slice(0, 4) : strategies;
    for (const one of supported) {
      const text = notebookOf(type, [one]);
      assert.equal(text.includes('table["strategy"] =='), false, "one strategy needs no choice");
      assert.equal(text.includes(" dated = "), one === upsert || one === strategies[1]);
      assert.equal(
        /lakehelm_sent|LAKEHELM_SENT/.test(text),
        type !== "http" && (one === table || one === strategies[1]),
      );
    }
    const mixed = notebookOf(
      type,
      supported.map((one, at) => ({ ...one, target_name: `t${at}` })),
    );
    assert.match(mixed, /if table\["strategy"\] == "upsert":/);
    assert.ok(
      mixed.split("\n").every((line) => line.length <= 120),
      type,
    );
  }
});

test("the notebook imports only the driver of its target and installs it; the job watches the source tables", () => {
  const drivers = {
    ...{ postgresql: ["psycopg", "psycopg[binary]==3.3.8"], mysql: ["pymysql", "PyMySQL==1.2.4"] },
    ...{ sqlserver: ["pymssql", "pymssql==2.4.6"] },
    ...{ snowflake: ["snowflake.connector", "snowflake-connector-python==5.2.0"] },
  };
  for (const [type, [module, package_]] of Object.entries(drivers)) {
    const files = contentsOf(type, [upsert], {}, { execution_mode: "table_update" });
    const notebook = files.get("src/reverse-etl/crm/sync.py") ?? "";
    assert.ok(notebook.includes(`\n# MAGIC %pip install --quiet ${package_}\n`), notebook);
    const imports = notebook.match(/^import (psycopg|pym|snow).*$/gm);
    assert.deepEqual(imports, [`import ${module}`]);
    const job = files.get("resources/sync_crm.job.yml") ?? "";
    assert.doesNotMatch(job, /environment|librar/);
    assert.match(job, /table_names:\s+- "\$\{var\.catalog\}\.gold\.customers"/);
  }
  const job = contentsOf("http", [upsert], {}, { execution_mode: "batch", schedule_cron: "0 6 * * *" });
  assert.match(job.get("resources/sync_crm.job.yml") ?? "", /quartz_cron_expression: 0 0 6 \* \* \?/);
  assert.doesNotMatch(job.get("src/reverse-etl/crm/sync.py") ?? "", /MAGIC/);
});

test("the evidence says by what the rows are written, and why", () => {
  const choiceOf = (type: string) => {
    const { artifacts = [], withheld } = generateReverseEtl(request(type, [upsert]), production);
    const choices = proveArtifacts(artifacts, sql, withheld).proofs[0]?.choices;
    assert.deepEqual(JSON.parse(artifacts[1]?.content ?? "").choices, choices);
    return choices?.join();
  };
  assert.match(
    choiceOf("postgresql") ?? "",
    /^A Python driver \(psycopg\) writes .* serverless compute too: Unity/,
  );
  assert.match(choiceOf("mysql") ?? "", /^A Python driver \(PyMySQL\)/);
  assert.match(choiceOf("http") ?? "", /^Python's own HTTP client .* serverless compute/);
});

test("all mistakes of the target and its config are reported at once", () => {
  assert.deepEqual(errorsOf("oracle", [table]), [
    'target_type: "oracle" is not one of postgresql, postgres, mysql, mariadb, sqlserver, snowflake, http.',
  ]);
  assert.deepEqual(
    errorsOf("mysql", [table], { host: "", hots: "x", options: { charset: "latin1" }, max_reject_share: 2 }),
    [
      "target_config.host: it is required.",
      "target_config.max_reject_share: it must be a number from 0 to 1.",
      'target_config: the key "hots" is not known. Did you mean "host"?',
      'target_config.options: "charset" is set by the connector itself.',
    ],
  );
  assert.deepEqual(
    errorsOf("http", [{ ...table, write_strategy: "replace" }], { url: "ftp://x", headers: { Host: "x" } }),
    [
      "target_config.url: expected an http or https URL.",
      'target_config.headers: "Host" is set by the connector itself.',
      'table_configs[0]: an HTTP endpoint cannot be replaced in one step. Expected write_strategy "upsert" or "append".',
    ],
  );
  assert.deepEqual(errorsOf("http", [table], { url: 5 }), ["target_config.url: it must be a string."]);
  assert.deepEqual(errorsOf("postgresql", [table], {}, { execution_mode: "file_arrival" }).length, 1);
});

test("invalid target names are refused", () => {
  const nameError = (target_name: string, type = "postgresql") =>
    errorsOf(type, [{ ...table, target_name }]).map((error) => error.replace(/^.*?: /, ""));
  assert.deepEqual(nameError("a.b.c"), ['"a.b.c" is not a table name. Expected table or schema.table.']);
  assert.deepEqual(nameError("lakehelm_marks").length, 1);
  assert.deepEqual(nameError("100%").length, 1);
  assert.deepEqual(nameError("é".repeat(28)), [
    `"${"é".repeat(28)}" cannot be used: the name "${"é".repeat(28)}" is longer than 55 bytes.`,
  ]);
  assert.deepEqual(nameError("é".repeat(28), "mysql"), []);
  const twice = [table, { ...table, target_name: "public.Customers_Rejects" }];
  assert.deepEqual(errorsOf("postgresql", twice), [
    'table_configs[1].target_name: "Customers_Rejects" or its reject table is also used by table_configs[0].',
  ]);
  const named = notebookOf("sqlserver", [{ ...table, target_name: "[my schema].[a]]b.c]" }]);
  assert.match(named, /"schema": "my schema",\s+"target": "a\]b\.c"/);
  assert.match(
    notebookOf("snowflake", [table], { schema: "crm" }),
    /"schema": "CRM",\s+"target": "CUSTOMERS"/,
  );
  assert.match(notebookOf("mysql", [table]), /"schema": "crm",/);
});

test("personal data is left out: columns that are named, tagged in the catalog, or tagged when the code runs", () => {
  const suppressed = { ...upsert, pii_suppressed: true };
  const personal = { pii_columns: ["Email"] };
  for (const type of ["postgresql", "http"]) {
    const text = notebookOf(type, [suppressed, { ...table, target_name: "b" }], personal);
    assert.match(text, /"left_out": \["Email"\],\s+"tagged_in": \[/);
    assert.match(text, /f"\{CATALOG\}\.information_schema\.column_tags",\s+"gold",\s+"customers"/);
    assert.match(text, /"left_out": \[\],\s+"tagged_in": None/);
    assert.match(text, /spark\.table\(table\["source"\]\)\.drop\(\*personal_columns\(table\)\)/);
    assert.doesNotMatch(notebookOf(type, [upsert], personal), /column_tags|personal/);
  }
  const inCatalog = (...columns: string[]) =>
    generateReverseEtl(
      request("postgresql", [suppressed], personal),
      production,
      new Map([["shop.gold.customers", columns]]),
    );
  const { artifacts } = inCatalog("EMAIL", "phone");
  assert.deepEqual(JSON.parse(artifacts?.[1]?.content ?? "").tables[0].columns_left_out, ["Email", "phone"]);
  assert.match(inCatalog("ID").errors?.join() ?? "", /"id" is a primary key, so it cannot be excluded/);

  // If the catalog does not know the table, it is unknown whether the table has personal data.
  assert.match(notebookOf("postgresql", [suppressed]), /"left_out": \[\],\s+"tagged_in": \[/);
  const known = new Map([["shop.gold.customers", []]]);
  assert.match(
    generateReverseEtl(request("postgresql", [suppressed]), production, known).errors?.join() ?? "",
    /no columns with personal data are known/,
  );
});

test("secret values are replaced, and the secrets to create are listed", () => {
  const result = generateReverseEtl(
    request("postgresql", [upsert], { password: "hunter2-hunter2" }),
    production,
  );
  assert.deepEqual(result.withheld, ["hunter2-hunter2"]);
  assert.ok(!JSON.stringify(result.artifacts).includes("hunter2"));
  assert.deepEqual(result.artifacts?.[0]?.secrets, [{ scope: "shop", key: "crm.password" }]);
  assert.match(result.artifacts?.[0]?.content ?? "", /"password": secret\("shop", "crm\.password"\)/);
});

test("a few refused rows are tolerated, unless max_reject_share is set", () => {
  assert.match(notebookOf("postgresql", [upsert]), /if rejected > max\(10, 0\.1 \* read\):/);
  assert.match(notebookOf("postgresql", [upsert], { max_reject_share: 0 }), /if rejected > 0 \* read:/);
  assert.match(
    notebookOf("http", [upsert], { max_reject_share: "0.5", batch_size: "50" }),
    /rejected > 0\.5 \* read/,
  );
});

test("only the environment's own target sends: copies for other targets are dry runs, which read no secret", () => {
  for (const type of ["postgresql", "http"]) {
    const { artifacts = [] } = generateReverseEtl(request(type, [upsert]), production);
    const file = (end: string) => artifacts.find(({ path }) => path.endsWith(end))?.content ?? "";
    const { parameters } = parse(file(".job.yml")).resources.jobs.sync_crm;
    assert.deepEqual(parameters.at(-1), { name: "mode", default: "${var.reverse_etl_mode}" });
    const { variables, targets } = parse(file("databricks.yml"));
    assert.equal(variables.reverse_etl_mode.default, "send");
    assert.equal(targets.prod.variables, undefined);
    assert.equal(targets.dev.variables.reverse_etl_mode, "dry_run");
    assert.match(file("sync.py"), /^(TARGET|HEADERS) = \{\} if IS_DRY_RUN else \{/m);
  }
});
