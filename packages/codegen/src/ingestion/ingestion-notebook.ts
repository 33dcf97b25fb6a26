import type { IngestionFlowInput } from "@lakehelm/contract";
import { type NameDefaults, schemaName, type TableName } from "@lakehelm/sql/names";
import { chosenTablesCode } from "../connector/run-parameters.ts";
import { nameCode } from "../name-variables.ts";
import { notebook, opening, parameterFunction, schemasCode, secretFunction } from "../notebook.ts";
import { pythonValue } from "../text/python.ts";
import { featuresOf, type IngestedTable, type SourceCode } from "./source-kind.ts";
import { sourceTitle } from "./source-kinds.ts";

/**
 * The whole notebook. Its cells: session, tables, source, watermarks, writing, and the run over all tables. `own` are
 * the connector's own tables and volumes.
 */
export function ingestionNotebook(
  { name, connection }: Pick<IngestionFlowInput, "name" | "connection">,
  own: readonly TableName[],
  tables: readonly IngestedTable[],
  source: SourceCode,
  defaults: NameDefaults,
): string {
  const body = source.cells.map(({ code }) => code).join("\n");
  const used = own.filter((name) => body.includes(name.table));
  const schemas = [...tables.map(({ schemaSql }) => schemaSql), ...used.map(schemaName)];
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
  const tableCode = `TABLES = ${pythonValue(entries(tables, source))}\n\n${schemasCode([...new Set(schemas)])}`;
  const names = [parameterFunction, nameCode(`${tableCode}\n${body}`, defaults, { hasParameters: true })]
    .filter((code) => code !== "")
    .join("\n\n\n");
  const callsSecret = body.includes("secret(");
  const imports = [
    "import argparse",
    "import json",
    "import traceback",
    ...(callsSecret ? ["import os"] : []),
    ...(callsSecret || /\bre\.\w/.test(body) ? ["import re"] : []),
    ...(needs("Window") ? ["from pyspark.sql import Window"] : []),
    ...(/\bF\./.test(body) ? ["from pyspark.sql import functions as F"] : []),
    ...(types.length > 0 ? [`from pyspark.sql.types import ${types.sort().join(", ")}`] : []),
    ...source.imports,
  ];
  const session = opening(imports, [`spark.conf.set("spark.sql.session.timeZone", "UTC")`]);
  return notebook(
    [
      `Ingests from ${sourceTitle(connection.type)} into the lakehouse: ${name}.`,
      ...(source.choices ?? []).flatMap(wrapped),
    ],
    [
      {
        title: "Session",
        code: [session, ...(callsSecret ? [secretFunction] : []), names].join("\n\n\n"),
      },
      { title: "Tables", code: tableCode },
      ...source.cells,
      { title: "Run", code: runCode },
    ],
  );
}

/** Lines of at most 100 characters. */
const wrapped = (sentence: string): string[] =>
  sentence.match(/.{1,100}(?= |$)/g)?.map((line) => line.trim()) ?? [];

function entries(tables: readonly IngestedTable[], { datasets, entries: more = [] }: SourceCode): object[] {
  const { strategies, watermarks, leavesOut } = featuresOf(tables);
  return tables.map((table, at) => ({
    name: table.target,
    source: datasets[at],
    target: table.targetSql,
    ...(strategies.length > 1 && { strategy: table.strategy }),
    ...(strategies.includes("upsert") && { keys: table.keys }),
    ...(watermarks && { watermark: table.watermark }),
    ...(leavesOut && { left_out: table.leftOut }),
    ...more[at],
  }));
}

const runCode = `
${chosenTablesCode}

failures = []
for table in CHOSEN:
    try:
        print(f"{table['target']}: {ingest(table)}")
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")

if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed:\\n" + "\\n".join(failures))
`;
