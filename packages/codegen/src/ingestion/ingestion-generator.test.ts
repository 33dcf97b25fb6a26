import assert from "node:assert/strict";
import { test } from "node:test";
import type { IngestionFlowInput } from "@lakehelm/contract";
import { loadSqlParser } from "@lakehelm/sql";
import { parse } from "yaml";
import { proveArtifacts } from "../evidence/proof.ts";
import { checkNotebook } from "../evidence/python/notebook-check.ts";
import { unusedNames } from "../evidence/python/unused-names.ts";
import { onSpark, production } from "../testing/contexts.ts";
import { generateIngestion } from "./ingestion-generator.ts";

const sql = await loadSqlParser();
const database = { host: "db.example.com", database: "shop", user: "reader", password: "hunter2-hunter2" };

function requestOf(
  type: string,
  config: object,
  tables: object[] = [{}],
  more: object = {},
): IngestionFlowInput {
  return {
    ...{ name: "shop", execution_mode: "manual", connection_ref: "shop", encode_artifacts: false },
    connection: { name: "shop", type, config: { ...config } },
    table_configs: tables.map((table) => ({
      ...{ source_dataset: "orders", target_name: "orders", pii_suppressed: false },
      ...table,
    })),
    ...more,
  };
}
const generate = (...args: Parameters<typeof requestOf>) => generateIngestion(requestOf(...args), production);
const generateOnSpark = (...args: Parameters<typeof requestOf>) =>
  generateIngestion(requestOf(...args), onSpark);
const notebookOf = (...args: Parameters<typeof requestOf>) => {
  const result = generate(...args);
  assert.deepEqual(result.errors, undefined);
  return result.artifacts?.[0]?.content ?? "";
};
const sparkNotebookOf = (...args: Parameters<typeof requestOf>) => {
  const result = generateOnSpark(...args);
  assert.deepEqual(result.errors, undefined);
  return result.artifacts?.[0]?.content ?? "";
};
const cluster = {
  cluster_config: { spark_version: "17.3.x-scala2.13", node_type_id: "m5.large", num_workers: 1 },
};
const errorsOf = (...args: Parameters<typeof requestOf>) => generate(...args).errors?.join("\n") ?? "";

test("every kind, format, paging and strategy passes all checks", () => {
  const tables = [
    { target_name: "a" },
    { target_name: "b", primary_keys: ["id"] },
    { target_name: "c", write_strategy: "replace", pii_suppressed: true },
  ];
  const withWatermark = tables.slice(0, 2).map((table) => ({ ...table, watermark_column: "at" }));
  const personal = { pii_columns: ["email"] };
  const kinds: [string, object, object[]][] = [
    ...["postgresql", "postgres", "mysql", "sqlserver", "oracle", "snowflake"].map(
      (kind): [string, object, object[]] => [
        kind,
        { ...database, ...personal, ...(kind === "snowflake" && { options: { warehouse: "w" } }) },
        [...withWatermark, ...tables.slice(2)],
      ],
    ),
    [
      "postgresql",
      { ...database, partition_columns: { a: "id" }, partition_bounds: { a: [1, 9] }, ...personal },
      [...withWatermark.slice(0, 1)],
    ],
    ["sqlserver", { ...database, partition_columns: { a: "id" } }, tables.slice(0, 1)],
    ...["csv", "json", "parquet", "avro"].flatMap((format) =>
      ["/Volumes/a/b/c", "/mnt/landing"].map((path): [string, object, object[]] => [
        "files",
        {
          ...{ path, format, ...personal },
          ...((format === "csv" || format === "json") && { columns: { a: { id: "BIGINT" } } }),
        },
        tables,
      ]),
    ),
    ["files", { path: "/Volumes/a/b/c", format: "csv", options: { inferSchema: false } }, tables.slice(0, 2)],
    ...[
      "none",
      "page",
      "offset",
      { type: "cursor", next_path: "a.b" },
      "link",
      { type: "link", next_path: "next" },
    ].map((paging): [string, object, object[]] => [
      "rest",
      { url: "https://api.example.com/v1", paging, page_size: 100, watermark_param: "since", ...personal },
      [...withWatermark, ...tables.slice(2)],
    ]),
  ];
  for (const [type, config, all] of kinds) {
    // Also each table alone, because a notebook contains only the code that its tables need.
    for (const chosen of [all, ...all.map((table) => [table])]) {
      const { columns, ...others } = config as { columns?: object };
      const given = chosen.some((table) => "target_name" in table && table.target_name === "a");
      for (const make of type === "rest" ? [generate] : [generate, generateOnSpark]) {
        const result = make(type, given ? config : others, chosen);
        assert.deepEqual(result.errors, undefined, type);
        const { failures } = proveArtifacts(result.artifacts ?? [], sql, result.withheld);
        assert.deepEqual(failures, [], `${type} ${JSON.stringify(chosen)}`);
        const { nodes } = checkNotebook(result.artifacts?.[0]?.content ?? "");
        const unused = unusedNames(nodes, result.artifacts?.[0]?.content ?? "");
        assert.deepEqual(
          unused.filter((name) => name !== "quoted"),
          [],
          `${type} ${JSON.stringify(chosen)}`,
        );
      }
    }
  }
});

test("the password becomes a reference, which the artifacts list", () => {
  const secrets = [{ scope: "shop", key: "shop.password" }];
  const result = generateIngestion(requestOf("postgresql", database, [{}], cluster), production);
  assert.deepEqual(result.withheld, ["hunter2-hunter2"]);
  assert.deepEqual(
    result.artifacts?.map((artifact) => artifact.secrets),
    [secrets, secrets, undefined, undefined],
  );
  assert.match(result.artifacts?.[0]?.content ?? "", /"password": secret\("shop", "shop\.password"\)/);

  const serverless = generate("postgresql", database);
  assert.deepEqual(serverless.withheld, ["hunter2-hunter2"]);
  assert.deepEqual(
    serverless.artifacts?.map(({ path, secrets }) => [path.split("/").at(-1), secrets]),
    [
      ["ingest.py", undefined],
      ["connector.json", secrets],
      ["connection.prod.sql", secrets],
      ["connection.dev.sql", secrets],
      ["ingest_shop.job.yml", undefined],
      ["databricks.yml", undefined],
    ],
  );
});

test("serverless compute reads through a Unity Catalog connection, other compute by JDBC, and the evidence says why", () => {
  const wayOf = (make: typeof generate, more: object = {}, config: object = database) => {
    const { artifacts = [], withheld, errors } = make("postgresql", config, [{}], more);
    assert.deepEqual(errors, undefined);
    const { proofs, failures } = proveArtifacts(artifacts, sql, withheld);
    assert.deepEqual(failures, []);
    const notebook = artifacts[0]?.content ?? "";
    const [choice = ""] = proofs[0]?.choices ?? [];
    assert.ok(notebook.replaceAll("\n# ", " ").includes(choice));
    assert.equal(/format\("jdbc"\)/.test(notebook), !/remote_query\(/.test(notebook));
    assert.equal(/format\("jdbc"\)/.test(notebook), choice.startsWith("Spark's JDBC reader"));
    const hasFile = artifacts.some(({ path }) => path.endsWith("/connection.prod.sql"));
    assert.equal(hasFile, choice.startsWith("remote_query reads the database through a Unity"));
    return choice;
  };
  assert.match(wayOf(generate), /^remote_query reads .* serverless compute, which takes no JDBC drivers\.$/);
  assert.match(wayOf(generate, cluster), /: the job has a cluster with JDBC drivers\.$/);
  assert.match(wayOf(generateOnSpark), /: open-source Spark has no Unity Catalog connections\.$/);
  const named = { database: "shop", unity_connection: "shop-db" };
  assert.match(wayOf(generate, {}, named), /through the given Unity Catalog connection/);
  assert.match(notebookOf("postgresql", named), /CONNECTION = parameter\("connection", "shop-db"\)/);
});

test("a connection is created by a statement that reads its secrets", () => {
  const fileOf = (type: string, config: object, context = production) => {
    const { artifacts = [], errors } = generateIngestion(requestOf(type, config), context);
    assert.deepEqual(errors, undefined);
    return artifacts.find(({ path }) => path.endsWith("/connection.prod.sql"))?.statements;
  };
  assert.deepEqual(fileOf("postgresql", { ...database, user: "it's \\ ${x}" }), [
    [
      "CREATE CONNECTION IF NOT EXISTS lakehelm_prod_shop TYPE POSTGRESQL",
      "OPTIONS (",
      "  host 'db.example.com',",
      "  port '5432',",
      "  user 'it\\'s \\\\ \\u0024{x}',",
      "  password secret('shop', 'shop.password')",
      ")",
    ].join("\n"),
    "GRANT USE CONNECTION ON CONNECTION lakehelm_prod_shop\nTO `5e1f0c9a-0d3b-4a57-9c55-2f1d7a3b8e64`",
  ]);
  const snowflake = { ...database, options: { Warehouse: "w", role: "r" } };
  const [create = "", ...grants] = fileOf("snowflake", snowflake, { ...production, runAs: null }) ?? [];
  assert.match(create, /TYPE SNOWFLAKE\n(.*\n)* {2}sfWarehouse 'w',\n {2}sfRole 'r'\n/);
  assert.deepEqual(grants, []);
  // If the request has no address, the secret scope has all of it.
  assert.match(
    fileOf("oracle", {})?.[0] ?? "",
    /TYPE ORACLE\nOPTIONS \(\n {2}host secret\('shop', 'shop\.host'\),/,
  );
  assert.match(notebookOf("oracle", {}), /DATABASE = secret\("shop", "shop\.database"\)/);
  assert.match(notebookOf("oracle", {}), /service_name => /);
  const elsewhere = { ...production, environment: "stage" };
  assert.match(fileOf("mysql", database, elsewhere)?.[0] ?? "", /^CREATE CONNECTION .* lakehelm_stage_shop /);
});

test("each target of the bundle reads through its own connection", () => {
  const { artifacts = [] } = generate("postgresql", database);
  const file = (end: string) => artifacts.find(({ path }) => path.endsWith(end));
  assert.match(
    file("ingest.py")?.content ?? "",
    /CONNECTION = parameter\("connection", "lakehelm_prod_shop"\)/,
  );
  const { variables, targets } = parse(file("databricks.yml")?.content ?? "");
  const { parameters } = parse(file(".job.yml")?.content ?? "").resources.jobs.ingest_shop;
  const parameter = parameters.find(({ name }: { name: string }) => name === "connection").default;
  const inTarget = (prefix: string) => parameter.replace("${var.connection_prefix}", prefix);
  const created = (end: string) => / ([a-z_]+) TYPE /.exec(file(end)?.statements?.[0] ?? "")?.[1];
  assert.equal(inTarget(variables.connection_prefix.default), created("/connection.prod.sql"));
  assert.equal(inTarget(targets.dev.variables.connection_prefix), created("/connection.dev.sql"));
  assert.notEqual(created("/connection.prod.sql"), created("/connection.dev.sql"));
  // The grant of production is not in the file for developers.
  assert.equal(file("/connection.dev.sql")?.statements?.length, 1);
  // No file is generated for a connection that the caller names.
  const named = generate("postgresql", { database: "shop", unity_connection: "shop-db" }).artifacts ?? [];
  assert.equal(
    named.some(({ path }) => path.endsWith(".sql")),
    false,
  );
  assert.match(named.find(({ path }) => path.endsWith(".job.yml"))?.content ?? "", /default: shop-db/);
});

for (const [what, config, more, expected] of [
  [
    "an option of the driver",
    { options: { sslmode: "require" } },
    {},
    /"sslmode" is an option of the JDBC driver/,
  ],
  ["no user", { user: null }, {}, /user: it is required for a Unity Catalog connection/],
  [
    "a part of a user",
    { user: "a{{secrets/a/b}}" },
    {},
    /config\.user: a reference .* must be the whole value/,
  ],
  ["the log of the server", { capture: "LOG" }, {}, /capture: "LOG" is not available in generated code/],
  ["a connection's name", { unity_connection: "a b" }, {}, /unity_connection: "a b" is not the name/],
  [
    "a connection on a cluster",
    { unity_connection: "a" },
    cluster,
    /unity_connection: only serverless compute/,
  ],
  ["bounds without a column", { partition_bounds: { orders: [1, 2] } }, {}, /no partition column for it/],
  [
    "bounds of nothing",
    { partition_bounds: { x: [1, 2] } },
    {},
    /partition_bounds: "x" is not a source_dataset/,
  ],
  ["bounds that are no map", { partition_bounds: [1, 2] }, {}, /partition_bounds: it must be a map/],
  ...[[2, 1], [1, 1], [1], [1.5, 2], ["a", "b"], [1, "2026-01-01"], ["2026-13-01", "2026-14-01"], 1].map(
    (pair) =>
      [
        `the bounds ${JSON.stringify(pair)}`,
        { partition_columns: { orders: "id" }, partition_bounds: { orders: pair } },
        {},
        /partition_bounds\."orders": expected two integers or two dates/,
      ] as const,
  ),
] as const) {
  test(`refused: ${what}`, () =>
    assert.match(errorsOf("postgresql", { ...database, ...config }, [{}], more), expected));
}

test("a Snowflake connection needs a warehouse", () => {
  assert.match(errorsOf("snowflake", database), /options\.warehouse: it is required/);
});

test("each driver gets its own form of URL", () => {
  const urlOf = (kind: string, more: object = {}) =>
    /"url": (.*),/.exec(sparkNotebookOf(kind, { ...database, ...more }))?.[1];
  assert.equal(
    urlOf("postgresql", { database: "a/b?c" }),
    '"jdbc:postgresql://db.example.com:5432/a%2Fb%3Fc"',
  );
  assert.equal(urlOf("mysql", { port: "3307" }), '"jdbc:mysql://db.example.com:3307/shop?permitMysqlScheme"');
  assert.equal(urlOf("sqlserver"), '"jdbc:sqlserver://db.example.com:1433;databaseName=shop"');
  assert.equal(urlOf("oracle"), '"jdbc:oracle:thin:@//db.example.com:1521/shop"');
  assert.equal(urlOf("snowflake"), '"jdbc:snowflake://db.example.com:443/?db=shop"');
  assert.equal(
    urlOf("postgresql", { host: "{{secrets/a/host}}" }),
    '"jdbc:postgresql://" + secret("a", "host") + ":5432/shop"',
  );
});

test("source tables are quoted for their database", () => {
  const sourceOf = (kind: string, source_dataset: string, more: object = {}) =>
    JSON.parse(
      /"source": (".*"),/.exec(sparkNotebookOf(kind, { ...database, ...more }, [{ source_dataset }]))?.[1] ??
        "",
    );
  assert.equal(sourceOf("postgresql", "orders"), '"orders"');
  assert.equal(sourceOf("postgresql", "orders", { schema: "Sales" }), '"Sales"."orders"');
  assert.equal(sourceOf("postgresql", 'public."a.b""c"'), '"public"."a.b""c"');
  assert.equal(sourceOf("postgresql", "x; DROP TABLE y"), '"x; DROP TABLE y"');
  assert.equal(sourceOf("mysql", "shop.`or``ders`"), "`shop`.`or``ders`");
  assert.equal(sourceOf("sqlserver", "shop.[dbo].orders"), '"shop"."dbo"."orders"');
  assert.equal(sourceOf("oracle", "hr.employees"), '"HR"."EMPLOYEES"');
  assert.equal(sourceOf("snowflake", 'public."lower"'), '"PUBLIC"."lower"');
});

for (const [what, type, config, table, expected] of [
  [
    "an unknown type",
    "mongodb",
    {},
    {},
    /"mongodb" is not one of postgresql, postgres, mysql, .*files, rest/,
  ],
  ["a misspelt key", "mysql", { ...database, hots: "x" }, {}, /"hots" is not known. Did you mean "host"\?/],
  ["a missing host", "mysql", { database: "a" }, {}, /connection\.config\.host: it is required/],
  ["a host with a path", "mysql", { ...database, host: "h/x?y" }, {}, /is not the name or address of a host/],
  ["an invalid port", "mysql", { ...database, port: "99999" }, {}, /port: it must be an integer/],
  [
    "a database that ends the URL",
    "sqlserver",
    { ...database, database: "a;b=c" },
    {},
    /cannot be used in this/,
  ],
  [
    "an option that the connector sets",
    "mysql",
    { ...database, options: { dbTable: "x" } },
    {},
    /options: the connector sets dbTable itself/,
  ],
  [
    "a nested option",
    "mysql",
    { ...database, options: { a: {} } },
    {},
    /it must be a string, a number, true or false/,
  ],
  ["a name of four args", "sqlserver", database, { source_dataset: "a.b.c.d" }, /it is not a table name/],
  ["a name that is not closed", "postgresql", database, { source_dataset: 'a"b' }, /it is not a table name/],
  ["an empty part", "postgresql", database, { source_dataset: "a..b" }, /it is not a table name/],
  [
    "a bad target",
    "postgresql",
    database,
    { target_name: "a.b.c.d" },
    /target_name: "a.b.c.d" is not a table name/,
  ],
  [
    "the state table",
    "postgresql",
    database,
    { target_name: "_SHOP_state" },
    /is the connector's own state table/,
  ],
  ["no format", "files", { path: "/a" }, {}, /connection\.config\.format: it is required/],
  [
    "another format",
    "files",
    { path: "/a", format: "xml" },
    {},
    /"xml" is not one of csv, json, parquet, avro/,
  ],
  ["no path", "files", { format: "csv" }, {}, /connection\.config\.path: it is required/],
  [
    "a path out of the folder",
    "files",
    { path: "/a", format: "csv" },
    { source_dataset: "x/../../b" },
    /leaves connection/,
  ],
  [
    "a pattern out of the folder",
    "files",
    { path: "/a", format: "csv" },
    { source_dataset: "{../b,c}" },
    /leaves connection/,
  ],
  [
    "an absolute source",
    "files",
    { path: "/a", format: "csv" },
    { source_dataset: "s3://b/c" },
    /must be below/,
  ],
  [
    "a watermark",
    "files",
    { path: "/a", format: "csv" },
    { watermark_column: "at" },
    /append needs no watermark/,
  ],
  ["a URL of another scheme", "rest", { url: "ftp://x" }, {}, /connection\.config\.url: expected a URL/],
  [
    "a header of two lines",
    "rest",
    { url: "https://a", headers: { Accept: "x\r\nB: y" } },
    {},
    /cannot be sent/,
  ],
  ["another server", "rest", { url: "https://a" }, { source_dataset: "https://b/c" }, /a URL of its own/],
  [
    "a path up",
    "rest",
    { url: "https://a/b" },
    { source_dataset: "%2e%2E/c" },
    /leaves the connection's url/,
  ],
  [
    "a key in the query",
    "rest",
    { url: "https://a" },
    { source_dataset: "c?api_key=abc" },
    /a URL must not contain a secret/,
  ],
  [
    "an unknown paging type",
    "rest",
    { url: "https://a", paging: "scroll" },
    {},
    /"scroll" is not one of none, page, offset/,
  ],
  [
    "a cursor without its path",
    "rest",
    { url: "https://a", paging: "cursor" },
    {},
    /paging\.next_path: it is required/,
  ],
  [
    "a paging key without effect",
    "rest",
    { url: "https://a", paging: { type: "page", next_path: "x" } },
    {},
    /no effect with type/,
  ],
] as const) {
  test(`refused: ${what}`, () => assert.match(errorsOf(type, config, [table]), expected));
}

test("tables are read in parallel by their partition column, and by the fetch size of the connection", () => {
  const tables = [{ target_name: "a" }, { source_dataset: "items", target_name: "b" }];
  const config = { ...database, partition_columns: { orders: "Id" }, num_partitions: 4, fetch_size: "500" };
  const text = sparkNotebookOf("oracle", config, tables);
  assert.match(text, /"fetchsize": "500"/);
  assert.match(text, /"target": f"\{CATALOG\}\.\{SCHEMA\}\.a",\s+"partition_column": "Id"/);
  assert.match(text, /"target": f"\{CATALOG\}\.\{SCHEMA\}\.b",\s+"partition_column": None/);
  assert.match(text, /source\(table\["source"\], \*\*parts_of\(table\)\)\.load\(\)/);
  assert.match(text, /"numPartitions": "4"/);
  const { artifacts = [] } = generateOnSpark("oracle", config, tables);
  assert.deepEqual(proveArtifacts(artifacts, sql, []).failures, []);
  assert.doesNotMatch(sparkNotebookOf("oracle", database, tables), /parts_of|partition/);
  const bounds = { partition_bounds: { orders: ["2026-01-01", "2026-02-01T10:00:00"] } };
  const bounded = sparkNotebookOf("oracle", { ...config, ...bounds }, tables);
  assert.match(bounded, /"partition_bounds": \["2026-01-01", "2026-02-01 10:00:00"\]/);
  assert.match(bounded, /edges = table\["partition_bounds"\]/);
  const remote = notebookOf("oracle", config, tables);
  assert.match(remote, /fetchSize => '500'/);
  assert.match(remote, /part \/ 4\) for part in range\(1, 4\)/);
  for (const [wrong, expected] of [
    [
      { partition_columns: { order: "id" } },
      /partition_columns: "order" is not a source_dataset or target_name/,
    ],
    [{ partition_columns: { orders: "" } }, /partition_columns: /],
    [
      { partition_columns: { orders: "id" }, options: { lowerBound: 1 } },
      /partition_columns sets lowerBound itself/,
    ],
    [{ num_partitions: 1 }, /num_partitions: it must be an integer from 2 to 1000/],
    [{ fetch_size: 0 }, /fetch_size: it must be an integer/],
  ] as const) {
    assert.match(errorsOf("oracle", { ...database, ...wrong }, tables, cluster), expected);
  }
});

const csv = (path: string, more: object = {}) => ({ path, format: "csv", ...more });

test("Auto Loader reads cloud storage and volumes on Databricks, and the evidence says why", () => {
  const choiceOf = (path: string, make = generate, tables: object[] = [{}]) => {
    const { artifacts = [], withheld } = make("files", csv(path), tables);
    const { proofs } = proveArtifacts(artifacts, sql, withheld);
    const [notebook, description] = artifacts;
    const choices = proofs[0]?.choices ?? [];
    assert.deepEqual(JSON.parse(description?.content ?? "").choices, choices);
    for (const choice of choices) assert.ok(notebook?.content.replaceAll("\n# ", " ").includes(choice));
    assert.equal(
      notebook?.content.includes('format("cloudFiles")'),
      /Auto Loader \(cloudFiles\)/.test(choices.join()),
    );
    return choices.join("\n");
  };
  for (const path of ["s3://b/in", "s3a://b", "abfss://c@a.dfs.core.windows.net/in", "gs://b/in"]) {
    assert.match(choiceOf(path), /^Auto Loader \(cloudFiles\) reads the files: they are in cloud storage/);
  }
  assert.match(choiceOf("/Volumes/a/b/c"), /^Auto Loader .* in a volume/);
  assert.match(choiceOf("dbfs:/Volumes/a/b/c"), /^Auto Loader .* in a volume/);
  assert.match(choiceOf("/mnt/landing"), /lists the files .*: Auto Loader reads cloud storage and volumes/);
  assert.match(
    choiceOf("s3://b/in", generateOnSpark),
    /lists the files .*: open-source Spark has no Auto Loader/,
  );
  const replaced = { target_name: "b", write_strategy: "replace" };
  assert.match(
    choiceOf("s3://b/in", generate, [{}, replaced]),
    /^Auto Loader .*\nThe files of tables with .* replace/,
  );
  assert.match(
    choiceOf("s3://b/in", generate, [replaced]),
    /^The files of tables with .* replace are read in full/,
  );
});

test("a stream evolves its schema, rescues values, and keeps its checkpoint in a volume of the connector", () => {
  const types = { columns: { orders: { amount: "Decimal(10, 2)", id: "integer" } } };
  const text = notebookOf("files", csv("s3://b/in", types));
  for (const expected of [
    /"cloudFiles\.format": "csv"/,
    /"cloudFiles\.schemaEvolutionMode": "addNewColumns"/,
    /"cloudFiles\.inferColumnTypes": "true"/,
    /"rescuedDataColumn": "_rescued_data"/,
    /"types": \{"amount": "decimal\(10,2\)", "id": "int"\}/,
    /"checkpoint": f"\/Volumes\/\{CATALOG_NAME\}\/\{SCHEMA_NAME\}\/_shop_checkpoints\/orders-[0-9a-f]{8}"/,
    /spark\.sql\(f"CREATE VOLUME IF NOT EXISTS \{CATALOG\}\.\{SCHEMA\}\._shop_checkpoints"\)/,
    /for schema in \[f"\{CATALOG\}\.\{SCHEMA\}"\]/,
    /option\("cloudFiles\.schemaLocation", checkpoint\)/,
    /option\("checkpointLocation", checkpoint\)/,
    /trigger\(availableNow=True\)/,
    /UNKNOWN_FIELD_EXCEPTION/,
  ])
    assert.match(text, expected);
  assert.doesNotMatch(text, /FAILFAST|LEDGER/);
  const checkpoint = (config: object, table: object = {}) =>
    /"checkpoint": f?"(.*)"/.exec(notebookOf("files", config, [table]))?.[1];
  assert.equal(checkpoint(csv("s3://b/in")), checkpoint(csv("s3://b/in/", types)));
  assert.notEqual(checkpoint(csv("s3://b/in")), checkpoint(csv("s3://b/other")));
  assert.notEqual(checkpoint(csv("s3://b/in")), checkpoint({ ...csv("s3://b/in"), format: "json" }));
  const own = csv("s3://b/in", { checkpoint_path: "s3://b/checkpoints/" });
  assert.match(checkpoint(own) ?? "", /^s3:\/\/b\/checkpoints\/shop\/orders-[0-9a-f]{8}$/);
  assert.doesNotMatch(notebookOf("files", own), /CREATE VOLUME|import os/);
  const chosen = csv("s3://b/in", { options: { "CloudFiles.MaxFilesPerTrigger": 10, inferSchema: "False" } });
  assert.match(notebookOf("files", chosen), /"cloudFiles\.inferColumnTypes": "false"/);
  assert.match(notebookOf("files", chosen), /"CloudFiles\.MaxFilesPerTrigger": "10"/);
});

for (const [what, config, expected] of [
  ["a wrong map of columns", { columns: [] }, /columns: it must be a map from a column to its type/],
  [
    "columns of an unknown table",
    { columns: { x: {} } },
    /columns: "x" is not a source_dataset or target_name/,
  ],
  ["a wrong column", { columns: { orders: 1 } }, /columns\."orders": expected a type/],
  ["an unknown type", { columns: { orders: { a: "text" } } }, /columns\."orders"\."a": expected a type/],
  ["a nested type", { columns: { orders: { a: "array<int>" } } }, /expected a type/],
  ["a decimal that is too long", { columns: { orders: { a: "decimal(39)" } } }, /expected a type/],
  ["a column with a reference", { columns: { orders: { "${a}": "int" } } }, /columns\."orders": the name/],
  ["a column twice", { columns: { orders: { a: "int", A: "int" } } }, /"A" is listed twice/],
  [
    "types of Parquet",
    { format: "parquet", columns: { orders: { a: "int" } } },
    /parquet declare their types/,
  ],
  [
    "a local checkpoint",
    { checkpoint_path: "/tmp/x" },
    /checkpoint_path: .* not in cloud storage or a volume/,
  ],
  ["a checkpoint elsewhere", { checkpoint_path: "s3://b/../c" }, /checkpoint_path: .* contains "\.\."/],
  ["an option of its own", { options: { "CLOUDFILES.FORMAT": "x" } }, /sets cloudFiles\.format itself/],
] as const) {
  test(`refused: ${what}`, () =>
    assert.match(errorsOf("files", { path: "s3://b/in", format: "csv", ...config }), expected));
}

test("a catalog without volumes needs a folder for checkpoints", () => {
  const context = { ...production, catalog: "hive_metastore" };
  const errors = (config: object) => generateIngestion(requestOf("files", config), context).errors;
  assert.match(errors(csv("s3://b/in"))?.join() ?? "", /checkpoint_path: it is required/);
  assert.equal(errors(csv("s3://b/in", { checkpoint_path: "s3://b/state" })), undefined);
});

test("a value of the wrong type is reported once, and not as missing", () => {
  assert.deepEqual(generate("files", { path: 5, format: 3 }).errors, [
    "connection.config.path: it must be a string.",
    "connection.config.format: it must be a string.",
  ]);
});

test("all mistakes are reported at once", () => {
  const more = { name: "", execution_mode: "never", schedule_cron: "x", compute_type: "cluster" };
  const errors = generate(
    "mysql",
    { port: 0, hots: "x" },
    [{ primary_keys: "id", target_name: "a b" }],
    more,
  ).errors;
  assert.ok(errors !== undefined && errors.length >= 10, `only ${errors?.join("\n")}`);
});
