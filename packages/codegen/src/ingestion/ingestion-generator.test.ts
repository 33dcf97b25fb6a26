import assert from "node:assert/strict";
import { test } from "node:test";
import type { IngestionFlowInput } from "@lakehelm/contract";
import { loadSqlParser } from "@lakehelm/sql";
import { proveArtifacts } from "../evidence/proof.ts";
import { production } from "../testing/contexts.ts";
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
const notebookOf = (...args: Parameters<typeof requestOf>) => {
  const result = generate(...args);
  assert.deepEqual(result.errors, undefined);
  return result.artifacts?.[0]?.content ?? "";
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
        { ...database, ...personal },
        [...withWatermark, ...tables.slice(2)],
      ],
    ),
    ...["csv", "json", "parquet", "avro"].map((format): [string, object, object[]] => [
      "files",
      { path: "/Volumes/a/b/c", format, ...personal },
      tables,
    ]),
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
    // Each table by itself too: a notebook has only the code that it needs.
    for (const chosen of [all, ...all.map((table) => [table])]) {
      const result = generate(type, config, chosen);
      assert.deepEqual(result.errors, undefined, type);
      assert.deepEqual(
        proveArtifacts(result.artifacts ?? [], sql, result.withheld).failures,
        [],
        `${type} ${JSON.stringify(chosen)}`,
      );
    }
  }
});

test("the password becomes a reference, which the artifacts list", () => {
  const result = generate("postgresql", database);
  assert.deepEqual(result.withheld, ["hunter2-hunter2"]);
  const secrets = [{ scope: "shop", key: "shop.password" }];
  assert.deepEqual(
    result.artifacts?.map((artifact) => artifact.secrets),
    [secrets, secrets, undefined, undefined],
  );
  assert.match(result.artifacts?.[0]?.content ?? "", /"password": secret\("shop", "shop\.password"\)/);
});

test("each driver gets its own form of URL", () => {
  const urlOf = (kind: string, more: object = {}) =>
    /"url": (.*),/.exec(notebookOf(kind, { ...database, ...more }))?.[1];
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
      /"source": (".*"),/.exec(notebookOf(kind, { ...database, ...more }, [{ source_dataset }]))?.[1] ?? "",
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
