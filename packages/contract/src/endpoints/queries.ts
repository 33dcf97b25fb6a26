import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentHeader, paging } from "./shared.ts";

export const arrowStream = "application/vnd.apache.arrow.stream";
/** Headers of an Arrow stream, which has no place for these values. */
export const rowCountHeader = "x-row-count";
export const moreRowsHeader = "x-more-rows";

const statement = {
  sql: s.string({ min: 1 }).describe("One read-only statement."),
  dialect: s
    .literal("databricks", "duckdb")
    .default("databricks")
    .describe("The SQL that the statement is written in."),
};
const timeout = {
  timeout_seconds: s
    .integer({ ge: 1, le: 600 })
    .default(60)
    .describe(
      "Seconds until the query is cancelled. The embedded platform allows no more than `PLATFORM_QUERY_TIMEOUT_SECONDS`, 30 unless it is set.",
    ),
};

const QueryInput = s.model("QueryInput", {
  ...statement,
  skip: paging.skip.describe("Number of rows to skip."),
  limit: s.integer({ ge: 1, le: 10_000 }).default(1000).describe("Maximum number of rows to return."),
  ...timeout,
});

export const runQuery = endpoint({
  isBounded: true,
  tag: "Warehouse",
  method: "POST",
  changes: "nothing",
  path: "/api/v1/queries",
  scope: "header",
  summary: "Query the warehouse",
  description: `Runs one read-only statement. Pages have a stable order only if the statement has an ORDER BY. With \`Accept: ${arrowStream}\` the response is an Arrow IPC stream: \`X-Row-Count\` has its number of rows, \`X-More-Rows\` is \`true\` if more rows follow.`,
  access: "viewer",
  effect: "runs a statement",
  headers: environmentHeader,
  needsData: true,
  body: QueryInput,
  response: s.model("QueryAnswer", {
    columns: s
      .list(
        s.model("QueryColumn", {
          name: s.string().describe("Name of the column, as the statement gives it."),
          type: s.string().describe("In Databricks SQL: `STRING`, `DECIMAL(12,2)`."),
        }),
      )
      .describe("In the order of the values in `rows`."),
    rows: s
      .list(s.list(s.any()))
      .describe("Values in column order. Exact numbers that JSON would round are strings."),
    count: s.integer().describe("Number of rows on this page."),
    more: s.boolean().describe("Whether more rows follow this page."),
    seconds: s.number().describe("How long the query took."),
  }),
  streams: arrowStream,
  errors: [404, 409],
  example: {
    body: {
      sql: "select country, count(*) as orders from shop.sales.orders group by country order by country",
    },
    response: {
      columns: [
        { name: "country", type: "STRING" },
        { name: "orders", type: "BIGINT" },
      ],
      rows: [
        ["DE", 42],
        ["FR", 17],
      ],
      count: 2,
      more: false,
      seconds: 0.012,
    },
  },
});

const plannedSql = "select country, count(*) as orders from shop.sales.orders group by country";

export const planQuery = endpoint({
  isBounded: true,
  tag: "Warehouse",
  method: "POST",
  changes: "nothing",
  path: "/api/v1/queries/plan",
  scope: "header",
  summary: "Read the plan of a query",
  description:
    "How the warehouse would run one read-only statement: its operators, and how many rows they are expected to give. The statement does not run. What a query may not do, its plan may not either.",
  access: "viewer",
  effect: "has a statement planned",
  headers: environmentHeader,
  needsData: true,
  body: s.model("QueryPlanInput", { ...statement, ...timeout }),
  response: s.model("QueryPlanAnswer", {
    text: s.string().describe("The plan for people, as lines."),
    operators: s
      .list(
        s.model("QueryPlanOperator", {
          depth: s
            .integer()
            .describe("0 for the operator that gives the result. Those that feed one follow it, one deeper."),
          name: s.string().describe("What it does, such as `HASH_JOIN`."),
          details: s.map(s.string()).describe("Such as tables, conditions and columns, by name."),
          estimated_rows: s
            .integer()
            .nullable()
            .describe("How many rows it is expected to give; null: unknown."),
        }),
      )
      .nullable()
      .describe("The plan as a tree. Null: the platform gives it only as text."),
    seconds: s.number().describe("How long it took to plan."),
  }),
  errors: [404, 409],
  example: {
    body: { sql: plannedSql },
    response: {
      text: "HASH_GROUP_BY (about 2 rows)\n  SEQ_SCAN (about 59 rows)\n      Table: shop.sales.orders",
      operators: [
        { depth: 0, name: "HASH_GROUP_BY", details: {}, estimated_rows: 2 },
        { depth: 1, name: "SEQ_SCAN", details: { Table: "shop.sales.orders" }, estimated_rows: 59 },
      ],
      seconds: 0.004,
    },
  },
});

export const downloadQuery = endpoint({
  isBounded: true,
  tag: "Warehouse",
  method: "POST",
  changes: "nothing",
  path: "/api/v1/queries/parquet",
  scope: "header",
  summary: "Download all rows of a query as a Parquet file",
  description:
    "Runs one read-only statement and returns all its rows as one file. A file that would be larger than `PLATFORM_QUERY_ANSWER_BYTES` is 409. Columns with equal names get different ones. Types that Parquet would round are text. Only the embedded platform writes Parquet: on others it is 409.",
  access: "viewer",
  effect: "runs a statement",
  headers: environmentHeader,
  needsData: true,
  body: s.model("QueryDownloadInput", { ...statement, ...timeout }),
  response: s.string(),
  streams: "application/octet-stream",
  errors: [404, 409],
  example: { body: { sql: "select * from shop.sales.orders" } },
});
