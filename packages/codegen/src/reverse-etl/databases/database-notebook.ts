import { sqlName } from "@lakehelm/sql/names";
import {
  chosenTablesCode,
  refreshCode,
  resetCode,
  retryCode,
  windowCode,
} from "../../connector/run-parameters.ts";
import { pythonConfig } from "../../connector/secret-references.ts";
import { nameCode } from "../../name-variables.ts";
import { installCode, notebook, opening, parameterFunction, secretFunction } from "../../notebook.ts";
import { pythonString, pythonValue } from "../../text/python.ts";
import { type CodeFeatures, featuresOf, lines, spaced } from "../code-layout.ts";
import { suppression, suppressionCode } from "../personal-data-code.ts";
import { modeCode, sourceFunctions } from "../source-code.ts";
import type { SyncedTable } from "../synced-table.ts";
import type { DatabaseSync } from "./database-sync.ts";
import type { DatabaseDialect } from "./dialects/dialect.ts";
import { hasWindows, pendingCode, typeFunctions } from "./row-code.ts";
import { prepareCode, runCode, syncCode, writeCode } from "./write-code.ts";

export function databaseNotebook(sync: DatabaseSync): string {
  const { dialect, tables } = sync;
  const features = featuresOf(tables);
  const settings = pythonConfig(sync.settings);
  const secrets = /\bsecret\(/.test(settings);
  const imports = [
    "import argparse",
    ...(/\bfunctools\./.test(sourceFunctions(features)) ? ["import functools"] : []),
    "import itertools",
    "import json",
    "import re",
    "import traceback",
    ...(secrets || features.leavesOut ? ["import os"] : []),
    ...dialect.imports,
    "from pyspark.sql import functions as F",
    ...(features.strategies.some((strategy) => strategy !== "replace")
      ? ["from pyspark.sql import Window"]
      : []),
  ];
  const constants = [
    `CONNECTOR = ${pythonString(sync.connector)}`,
    `BATCH_SIZE = ${sync.batchSize}`,
    `TABLES = ${tablesValue(tables, features, dialect)}`,
  ].join("\n");
  const names = nameCode(constants, sync.defaults, { hasParameters: true });
  const session = opening(imports, [
    'spark.conf.set("spark.sql.session.timeZone", "UTC")',
    'spark.conf.set("spark.sql.ansi.enabled", "true")  # a decimal becomes 0.000000 as text, never 0E-6',
  ]);
  const setUp = `${spaced(session, parameterFunction, names)}\n\n${modeCode}\n\n${thisRunCode(hasWindows(features))}\n\n${constants}`;
  const target = spaced(
    secrets ? secretFunction : "",
    `# A dry run needs no secrets.\nTARGET = {} if IS_DRY_RUN else ${settings}`,
    dialect.connecting,
    naming(dialect),
  );
  return notebook(
    [
      `Sends lakehouse tables to ${dialect.title}. The rows of a table, its rejects and its watermark are`,
      "written in one transaction of the target: a crash leaves all of them or none.",
    ],
    [
      { title: "Packages", code: installCode(dialect.packages) },
      { title: "Set-up", code: setUp },
      { title: `The target: ${dialect.title}`, code: target },
      { title: "Types of the target", code: spaced(dialect.types, typeFunctions) },
      {
        title: "Rows to send",
        code: spaced(suppressionCode(features), sourceFunctions(features), pendingCode(features, dialect)),
      },
      { title: "Tables in the target", code: spaced(dialect.creating, prepareCode(dialect, features)) },
      { title: "Writing a batch", code: writeCode(dialect, features) },
      { title: "One table", code: spaced(runCode(dialect, features), syncCode(sync, features)) },
      { title: "All tables", code: allTables },
    ],
  );
}

const thisRunCode = (windows: boolean) =>
  lines(
    `
# reset_watermark reads all rows again. full_refresh also deletes rows that the lakehouse no longer has, and
# retry_rejects sends again what the target has refused.${windows ? "\n# A window sends the rows between two watermarks again." : ""}`,
    resetCode,
    refreshCode,
    retryCode,
    windows ? windowCode : "",
  );

const tablesValue = (
  tables: readonly SyncedTable[],
  features: CodeFeatures,
  { storedName }: DatabaseDialect,
) =>
  pythonValue(
    tables.map(({ name, source, schema, target, strategy, keys, watermark, leftOut, suppressed }) => ({
      name,
      source: sqlName(source),
      schema: storedName.name(schema),
      target: storedName.name(target),
      rejects: storedName.name(`${target}_rejects`),
      ...(features.strategies.length > 1 && { strategy }),
      keys: keys.map((key) => key.toLowerCase()),
      ...(features.watermark !== "none" && { watermark: watermark?.toLowerCase() ?? null }),
      ...(features.leavesOut && suppression(source, suppressed, leftOut)),
    })),
  );

/** Python: table names in statements, and the condition that selects the connector's rows in its own tables. */
const naming = ({ value }: DatabaseDialect) => `
def target(table):
    return quoted(table["schema"], table["target"])


def beside(table, name):
    return quoted(table["schema"], name)


MINE = "WHERE connector = ${value} AND target_table = ${value}"


def mine(table):
    return (CONNECTOR, table["target"])`;

const allTables = `
${chosenTablesCode}

failures = []
for table in CHOSEN:
    try:
        if IS_DRY_RUN:
            count_rows(table)
        else:
            with connect() as connection:
                sync(connection, table)
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")
if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed. " + " | ".join(failures))`;
