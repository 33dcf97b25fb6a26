import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentHeader, paging } from "./shared.ts";

export const arrowStream = "application/vnd.apache.arrow.stream";

const QueryInput = s.model("QueryInput", {
  sql: s.string({ min: 1 }).describe("One read-only statement."),
  dialect: s
    .literal("databricks", "duckdb")
    .default("databricks")
    .describe("The SQL that the statement is written in."),
  skip: paging.skip.describe("Number of rows to skip."),
  limit: s.integer({ ge: 1, le: 10_000 }).default(1000).describe("Maximum number of rows to return."),
  timeout_seconds: s
    .integer({ ge: 1, le: 600 })
    .default(60)
    .describe("Seconds until the query is cancelled."),
});

export const runQuery = endpoint({
  tag: "Warehouse",
  method: "POST",
  path: "/api/v1/queries",
  scope: "header",
  summary: "Query the warehouse",
  description: `Runs one read-only statement. Pages have a stable order only if the statement has an ORDER BY. With \`Accept: ${arrowStream}\` the response is an Arrow IPC stream.`,
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
