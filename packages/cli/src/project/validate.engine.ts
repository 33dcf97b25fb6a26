import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { lakehelm } from "../testing/terminal.ts";
import type { Problem } from "./problems.ts";
import { folderOf, ordersIn, revenue } from "./testing/folder.ts";

interface Validation {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly unchecked: readonly string[];
}

async function validated(folder: string, ...more: string[]) {
  const { code, stdout, stderr } = await lakehelm(["validate", "--dir", folder, "-o", "json", ...more]);
  assert.ok(stdout.startsWith("{"), stderr);
  const answer = JSON.parse(stdout) as Validation;
  assert.equal(code, answer.valid ? 0 : 1);
  return {
    ...answer,
    texts: answer.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
  };
}

const problemsOf = async (t: TestContext, files: Readonly<Record<string, string>>, ...more: string[]) =>
  (await validated(await folderOf(t, { "lakehelm.yaml": "name: shop\n", ...files }), ...more)).texts;

const shop = join(import.meta.dirname, "../../../../examples/shop");

test("the shop is valid in all its environments, without a server", async () => {
  const { code, stdout, stderr } = await lakehelm(["validate", "--dir", shop]);
  assert.deepEqual(
    [code, stdout],
    [0, "The project is valid: 8 resources, checked for local, prod, databricks.\n"],
  );
  assert.match(stderr, /^Not checked: Whether connections work/);
});

test("all errors are shown at once, each with its file, line, column and what to do", async (t) => {
  const found = await problemsOf(t, {
    "connectors/orders-in.yaml": `${ordersIn}exectuion_mode: batch\nschedule_cron: "61 * * * *"\n`,
    "connectors/other.yaml": "target_type: warehouse\ntarget_config: {}\npolicy: { attempts: 0 }\n",
    "flows/revenue.yaml": revenue("${file:revenue.sql}"),
    "flows/revenue.sql":
      "-- By day.\nSELECT day, sum(amount) AS revenue\nFRM ${connectors.orders-in.tables.orders}\n",
    "automations/daily.yaml": `definition:
  schedule: { cron: "0 6 * * *", timezone: Europe/Berln }
  tasks:
    - { name: load, kind: connector, reference: orders-in, depends_on: [lod] }
    - name: report
      kind: sql
      query: |
        SELECT 1;
        SELEC 2
`,
    "apps/desk.json": '{"agent": "order-desk", "discription": "x"}',
    "pipelines/clean.yaml": "libraries: [{ file: { path: pipelines/clean.sql } }]\nclusters: 5\n",
  });
  assert.deepEqual(found, [
    'apps/desk.json:1:25: The key "discription" is not known. Did you mean description?',
    'automations/daily.yaml:2:44: Unknown time zone "Europe/Berln": expected a name from the IANA list such as "Europe/Berlin", or "UTC".',
    'automations/daily.yaml:4:73: There is no task "lod". Did you mean load?',
    "automations/daily.yaml:9:9: query: SELEC does not start a supported statement. Did you mean SELECT?",
    'connectors/orders-in.yaml:9:1: The key "exectuion_mode" is not known. Did you mean execution_mode?',
    'connectors/orders-in.yaml:10:16: schedule_cron: The cron expression "61 * * * *" is not valid: "61" in the minute field is not in range: expected 0 to 59, *, a range or a list of these, with an optional /step.',
    "connectors/other.yaml:3:21: policy.attempts: Input should be greater than or equal to 1.",
    "flows/revenue.sql:3:1: matched_sql: unexpected FRM. Did you mean FROM?",
    "pipelines/clean.yaml:2:11: clusters: Input should be a valid list.",
  ]);
});

test("a misspelled value or keyword is named with what was probably meant; a schedule should fire", async (t) => {
  const found = await problemsOf(t, {
    "connectors/orders-in.yaml": `${ordersIn}execution_mode: file_arival\n`,
    "connectors/never.yaml": `${ordersIn}schedule_cron: "0 0 31 2 *"\n`,
    "connectors/unused.yaml": `${ordersIn}execution_mode: manual\nschedule_cron: "0 0 31 2 *"\n`,
    "flows/revenue.yaml": revenue(
      "SELECT day, sum(amount) AS revenue FROM ${connectors.never.tables.orders} GRUOP BY day",
    ),
    "automations/daily.yaml": `definition: { schedule: { cron: "0 25 * * *" }, tasks: [{ name: a, kind: sqll, query: SELECT 1 }] }`,
    "automations/hourly.yaml": `definition: { schedule: { cron: "0 25 * * *" }, tasks: [{ name: a, kind: sql, query: SELECT 1 }] }`,
  });
  const all = found.join("\n");
  for (const expected of [
    /automations\/daily\.yaml:1:\d+: definition\.tasks\[0\]\.kind: Input should be .*\. Did you mean sql\?$/m,
    /automations\/hourly\.yaml:1:\d+: The cron expression "0 25 \* \* \*" is not valid: "25" in the hour field is not in range: expected 0 to 23/,
    /connectors\/never\.yaml:9:16: schedule_cron: The cron expression "0 0 31 2 \*" never fires: the month field \("2"\) leaves no month with a day 31/,
    /connectors\/unused\.yaml:\d+:16: schedule_cron: it is not used, because execution_mode is manual\./,
    /connectors\/orders-in\.yaml:9:17: execution_mode: Input should be .*\. Did you mean file_arrival\?$/m,
    /flows\/revenue\.yaml:\d+:\d+: matched_sql: unexpected BY\. Did you mean GROUP\?$/m,
  ])
    assert.match(all, expected);
  assert.equal(found.length, 6);
});

test("an export with deletes of a table that a flow merges into is a warning", async (t) => {
  const flow = (more: string) =>
    `source_tables: [raw.orders]\ntarget_name: marts.value\ntrigger_type: manual\nmatched_sql: SELECT id FROM raw.orders\n${more}target_schema:\n  description: ""\n  columns:\n    - { name: id, type: bigint, pk: true }\n`;
  const files = {
    "connectors/crm.yaml":
      "target_type: sqlite\ntarget_config: { path: crm.db }\nexecution_mode: manual\ndatasets:\n  - source_dataset: marts.value\n    target_name: value\n    primary_keys: [id]\n    custom_config: { deletes: true }\n",
  };
  const levels = async (more: string) => {
    const all = { "lakehelm.yaml": "name: shop\n", ...files, "flows/value.yaml": flow(more) };
    const { problems } = await validated(await folderOf(t, all));
    return problems.map(({ file, line, level }) => [file, line, level]);
  };
  assert.deepEqual(await levels(""), [["connectors/crm.yaml", 5, "warning"]]);
  assert.deepEqual(await levels("write_strategy: merge_and_delete\n"), []);
});

test("a connector that never fires is a warning: the server accepts it, so an exported project may have one", async (t) => {
  const { valid, problems } = await validated(
    await folderOf(t, {
      "lakehelm.yaml": "name: shop\n",
      "connectors/never.yaml": `${ordersIn}schedule_cron: "0 0 31 2 *"\n`,
    }),
  );
  assert.deepEqual(
    [valid, problems.map(({ file, level }) => [file, level])],
    [true, [["connectors/never.yaml", "warning"]]],
  );
});

test("a file that is not YAML is one problem, at its first mistake; what refers to it is none", async (t) => {
  const found = await problemsOf(t, {
    "connectors/orders-in.yaml": ordersIn.replace("target_config:", 'target_config: "'),
    "flows/revenue.yaml": revenue("SELECT day, revenue FROM ${connectors.orders-in.tables.orders}"),
    "flows/broken.yaml": "source_tables: [a, {b: c\n- d: [\n  e: }\n",
    "lakehelm.yaml":
      "name: shop\nenvironments: { dev: { overrides: { connectors: { orders-in: { paused: true } } } } }\n",
  });
  assert.deepEqual(
    found.map((text) => text.replace(/(?<=not YAML: ).*/, "")),
    ["connectors/orders-in.yaml:9:1: This is not YAML: ", "flows/broken.yaml:2:1: This is not YAML: "],
  );
});

test("references are checked: unknown resources, tables, variables and files, and circles", async (t) => {
  const found = await problemsOf(t, {
    "connectors/orders-in.yaml": ordersIn.replace("/srv/shop.db", '"${var.foldr}/shop.db"'),
    "flows/a.yaml": revenue("SELECT 1").replace("tables.orders}", "tables.oders}"),
    "flows/b.yaml": revenue("${file:missing.sql}").replace("orders-in", "orders-out"),
    "flows/c.yaml": revenue("SELECT ${HOME}"),
    "automations/one.yaml":
      "definition: { tasks: [{ name: a, kind: automation, reference: '${automations.two.name}' }] }",
    "automations/two.yaml": "definition: { tasks: [{ name: a, kind: automation, reference: one }] }",
    "lakehelm.yaml": "name: shop\nvariables: { folder: /srv }\n",
  });
  const all = found.join("\n");
  for (const expected of [
    /automations\/one\.yaml:1:63: References form a cycle: automations\.one → automations\.two → automations\.one\./,
    /connectors\/orders-in\.yaml:5:\d+: There is no variable "foldr"\. Did you mean folder\?/,
    /flows\/a\.yaml:1:17: connectors\.orders-in makes no table "oders"\. Did you mean orders\?/,
    /flows\/b\.yaml:1:17: There is no connector "orders-out" in the project\. Did you mean orders-in\?/,
    /flows\/b\.yaml:4:14: The file "flows\/missing\.sql" does not exist\./,
    /flows\/c\.yaml:4:14: \$\{HOME\} is not a known reference\..* For a plain \$\{, write \$\$\{\./,
  ])
    assert.match(all, expected);
});

test("tables that make each other through references are a circle", async (t) => {
  const [one, two] = ["a", "b"].map((name) =>
    revenue("SELECT 1").replace("shop.marts.revenue", `"\${flows.${name}.tables.revenue}_x"`),
  );
  const found = await problemsOf(t, {
    "connectors/orders-in.yaml": ordersIn,
    "flows/b.yaml": one ?? "",
    "flows/a.yaml": two ?? "",
  });
  assert.match(found.join("\n"), /References form a cycle: flows\.a → flows\.b → flows\.a\./);
});

test("environments have their own variables and fields, and their own problems", async (t) => {
  const folder = await folderOf(t, {
    "lakehelm.yaml": `name: shop
variables:
  every: { description: How often, default: "0 * * * *" }
environments:
  dev: { default: true }
  prod:
    variables: { every: never }
    overrides:
      connectors:
        orders-in:
          execution_mode: sometimes
        unknown: {}
`,
    "connectors/orders-in.yaml": `${ordersIn}schedule_cron: \${var.every}\n`,
  });
  assert.equal((await validated(folder, "--env", "dev")).valid, true);
  const { texts } = await validated(folder);
  assert.match(texts.join("\n"), /lakehelm\.yaml:11:27: execution_mode: .*\(prod\)/);
  assert.match(texts.join("\n"), /lakehelm\.yaml:12:9: There is no "unknown" in connectors\/\. \(prod\)/);
  assert.match(texts.join("\n"), /connectors\/orders-in\.yaml:9:16: schedule_cron: .*\(prod\)/);
  assert.equal((await validated(folder, "--env", "dev", "--var", "every=*/5 * * * *")).valid, true);
  const unknown = await lakehelm(["validate", "--dir", folder, "--env", "prd"]);
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [2, 'Error: The project has no environment "prd". Did you mean prod?\n'],
  );
});

test("a secret is a reference; one that is written out is an error, wherever it comes from", async (t) => {
  const connector = (password: string) => `target_type: postgresql
target_config: { host: db.example.test, database: crm, user: loader, password: ${password} }
`;
  const found = await problemsOf(
    t,
    {
      "lakehelm.yaml": "name: shop\nvariables: { password: {} }\n",
      "connectors/good.yaml": connector('"{{secrets/crm/password}}"'),
      "connectors/kept.yaml": connector('"********"'),
      "connectors/plain.yaml": connector("hunter2-hunter2"),
      "connectors/variable.yaml": connector('"${var.password}"'),
      "automations/call.yaml": `definition:
  tasks:
    - name: call
      kind: http
      url: https://api.example.test/
      parameters: { headers: { Authorization: Bearer abcdefghijklmnop } }
`,
    },
    "--var",
    "password=hunter2-hunter2",
  );
  assert.deepEqual(
    found.map((text) => text.replace(/ is a secret\..*| keeps .*/s, "")),
    [
      "automations/call.yaml:6:47: definition.tasks[0].parameters.headers.Authorization",
      "connectors/kept.yaml:2:80: target_config.password: the server",
      "connectors/plain.yaml:2:80: target_config.password",
      "connectors/variable.yaml:2:80: target_config.password",
    ],
  );
  assert.ok(!found.join("").includes("hunter2"));
});

test("a folder without lakehelm.yaml is no project", async (t) => {
  const { code, stderr } = await lakehelm(["validate", "--dir", await folderOf(t, {})]);
  assert.equal(code, 2);
  assert.match(stderr, /There is no lakehelm\.yaml in .* lakehelm init/);
});

test("what a connection lacks is an error, and secrets are named: only a server knows them", async (t) => {
  const broken = ordersIn.replace("path:", "pth:");
  assert.notEqual(broken, ordersIn);
  const folder = await folderOf(t, {
    "lakehelm.yaml": "name: shop\n",
    "connectors/orders-in.yaml": broken,
    "connectors/crm.yaml": `target_type: postgresql
target_config:
  hots: db.example.test
  database: crm
  password: "{{secrets/crm/password}}"
datasets:
  - source_dataset: shop.sales.orders
    target_name: orders
    custom_config: { max_delet_share: 1 }
`,
  });
  const { valid, texts, unchecked } = await validated(folder);
  assert.equal(valid, false);
  const messages = texts.join("\n");
  assert.match(messages, /crm\.yaml:3:3: target_config\.host: it is required\./);
  assert.match(messages, /crm\.yaml:3:3: target_config: the key "hots" is not known\. Did you mean "host"\?/);
  assert.match(
    messages,
    /crm\.yaml:7:5: .*max_delet_share" is not known\. Did you mean "max_delete_share"\?/,
  );
  assert.match(messages, /orders-in\.yaml:\d+:\d+: .*the key "pth" is not known\. Did you mean "path"\?/);
  assert.ok(unchecked.some((one) => one.includes("crm/password")));
});

test("a key that belongs one level up says where", async (t) => {
  const found = await problemsOf(t, {
    "automations/daily.yaml":
      'definition: { trigger: { schedule: { cron: "0 6 * * *" } }, tasks: [{ name: a, kind: sql, query: SELECT 1 }] }',
  });
  assert.deepEqual(found, [
    'automations/daily.yaml:1:26: The key "schedule" is not known. It belongs in definition: write definition.schedule.',
  ]);
});
