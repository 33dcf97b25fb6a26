import type { IngestionFlowInput } from "@lakehelm/contract";
import { schemaName, sqlName, type TableName } from "@lakehelm/sql/names";
import { notebook, opening, schemasCode, secretFunction } from "../notebook.ts";
import { pythonValue } from "../text/python.ts";
import { featuresOf, type IngestedTable, type SourceCode } from "./source-kind.ts";

/** The whole notebook: session, tables, source, watermarks, writing, and the run over all tables. */
export function ingestionNotebook(
  { name, connection }: Pick<IngestionFlowInput, "name" | "connection">,
  state: TableName,
  tables: readonly IngestedTable[],
  source: SourceCode,
): string {
  const body = source.cells.map(({ code }) => code).join("\n");
  const keepsState = body.includes(sqlName(state));
  const schemas = [...tables.map(({ schemaSql }) => schemaSql), ...(keepsState ? [schemaName(state)] : [])];
  const needs = (word: string) => new RegExp(`\\b${word}\\b`).test(body);
  const types = [
    "ArrayType",
    "BooleanType",
    "DoubleType",
    "LongType",
    "StringType",
    "StructField",
    "StructType",
    "TimestampType",
  ].filter(needs);
  const callsSecret = body.includes("secret(");
  const imports = [
    ...(callsSecret ? ["import os", "import re"] : []),
    ...(needs("Window") ? ["from pyspark.sql import Window"] : []),
    "from pyspark.sql import functions as F",
    ...(types.length > 0 ? [`from pyspark.sql.types import ${types.sort().join(", ")}`] : []),
    ...source.imports,
  ];
  const session = opening(imports, [`spark.conf.set("spark.sql.session.timeZone", "UTC")`]);
  return notebook(
    [`Ingests from ${connection.type} into the lakehouse: ${name}.`],
    [
      { title: "Session", code: callsSecret ? `${session}\n\n\n${secretFunction}` : session },
      {
        title: "Tables",
        code: `TABLES = ${pythonValue(entries(tables, source))}\n\n${schemasCode([...new Set(schemas)])}`,
      },
      ...source.cells,
      { title: "Run", code: runCode },
    ],
  );
}

function entries(tables: readonly IngestedTable[], { datasets }: SourceCode): object[] {
  const { strategies, watermarks, leavesOut } = featuresOf(tables);
  return tables.map((table, at) => ({
    source: datasets[at],
    target: table.targetSql,
    ...(strategies.length > 1 && { strategy: table.strategy }),
    ...(strategies.includes("upsert") && { keys: table.keys }),
    ...(watermarks && { watermark: table.watermark }),
    ...(leavesOut && { left_out: table.leftOut }),
  }));
}

const runCode = `
failures = []
for table in TABLES:
    try:
        print(f"{table['target']}: {ingest(table)}")
    except Exception as error:  # a failed table does not stop the others
        failures.append(f"{table['target']}: {error}")
        print(failures[-1])

if failures:
    raise RuntimeError(f"{len(failures)} of {len(TABLES)} tables failed:\\n" + "\\n".join(failures))
`;
