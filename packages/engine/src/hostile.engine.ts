import { testLinear } from "@lakehelm/testing/linear";
import { columnEncoding } from "./connectors/postgresql/column-encoding.ts";
import { columnDecoding } from "./connectors/postgresql/source-types.ts";
import { mayName } from "./pipelines/code/table-substitution.ts";
import { databricksType, parseDatabricksType } from "./protocol/types.ts";
import { duckdbMessage } from "./warehouse/duckdb-message.ts";
import { duckdbSource } from "./warehouse/queries/duckdb-source.ts";
import { queryProblem } from "./warehouse/queries/query-problem.ts";
import { findName, firstWord, sqlWords } from "./warehouse/queries/sql-text.ts";

const problem = (message: string, sql = "select 1") =>
  queryProblem(new Error(message), { sql, columns: [], memoryMb: 1 });

/**
 * Every parser of this package that reads a text of a caller or of a database, or a message of DuckDB about such a
 * text.
 */
testLinear({
  sqlWords,
  "sqlWords of a string": (text) => sqlWords(`select '${text}'`),
  firstWord,
  findName: (text) => findName(text, ["sales", "orders"], true),
  duckdbSource,
  databricksType,
  "databricksType of a struct": (text) => databricksType(`STRUCT(${text})`),
  parseDatabricksType,
  "parseDatabricksType of a struct": (text) => parseDatabricksType(`STRUCT<${text}>`),
  "a PostgreSQL type to read": (text) => columnDecoding(text),
  "a PostgreSQL type to write": (text) => columnEncoding({ name: "a", type: "VARCHAR", origin: "" }, text),
  mayName: (text) => mayName("select 1", [`"${text}"`]),
  duckdbMessage: (text) => duckdbMessage(new Error(`Binder Error: ${text}`)),
  "messages about columns": (text) => problem(`Binder Error: Referenced column "${text}`),
  "messages about tables": (text) => problem(`Binder Error: Table "${text}" does not have a column named "`),
  "messages about ambiguous columns": (text) =>
    problem(`Binder Error: Ambiguous reference to column name "${text}" (use: `),
  "messages about functions": (text) => problem(`Catalog Error: Scalar Function with name ${text}`),
  "messages with a position": (text) => problem(`Parser Error: x\nLINE 1: ${text}\n   ^`, text),
});

testLinear({ sqlWords, duckdbSource }, ["''' ", "-/*", "'\\", "x", "*/", "--", "$", "$a", "E'\\", "+ "]);
