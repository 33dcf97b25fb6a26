import { databaseFields, field, isMap, readConfig } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import type { SyncedTable } from "../synced-table.ts";
import type { ReverseEtlTable, TargetKind } from "../target-kind.ts";
import { limitFields } from "../target-limits.ts";
import { databaseNotebook } from "./database-notebook.ts";
import type { DatabaseAddress, DatabaseDialect } from "./dialects/dialect.ts";
import { readTargetName } from "./target-name.ts";

const fields = { ...databaseFields, schema: field.plainText().optional(), ...limitFields };

export const databaseTarget =
  (dialect: DatabaseDialect): TargetKind =>
  (config, sources, { connector, defaults }) => {
    const { values, problems } = readConfig(fields, config, "target_config");
    const { batch_size: batchSize = 5000, max_reject_share: maxRejectShare } = values;
    // Options keep their types, because the notebook needs numbers and booleans.
    const address: DatabaseAddress = { ...values, options: isMap(config.options) ? config.options : {} };
    problems.push(...optionProblems(address, dialect));
    const schema = address.schema ?? dialect.schema ?? address.database;
    if (schema.includes("{{")) {
      problems.push(
        "target_config.database: it cannot be a reference to a secret, because table names contain it.",
      );
    }
    const tables = sources.flatMap((from, at): SyncedTable[] => {
      const { table } = from;
      const name = readTargetName(table.target, dialect, schema || "unknown");
      if ("problem" in name) {
        problems.push(`table_configs[${at}].target_name: ${name.problem}`);
        return [];
      }
      return [syncedTable(from, name)];
    });
    return {
      problems: [...problems, ...collisions(tables)],
      title: dialect.title,
      isDatabase: true,
      choice: `A Python driver (${driverOf(dialect)}) writes the rows, on serverless compute too: Unity Catalog connections are read-only, and Spark's JDBC writer can neither upsert nor commit rows and watermark together.`,
      notebook: () => ({
        content: databaseNotebook({
          connector,
          dialect,
          settings: dialect.settings(address),
          tables,
          batchSize,
          maxRejectShare,
          defaults,
        }),
        statements: [],
      }),
    };
  };

/** The name of the driver package: `psycopg[binary]==3.3.8` is psycopg. */
const driverOf = ({ packages }: DatabaseDialect) =>
  packages.map((name) => name.replace(/[[=].*$/, "")).join(", ");

const syncedTable = (
  { table, source, suppressed }: ReverseEtlTable,
  name: { schema: string; table: string },
): SyncedTable => ({
  source,
  schema: name.schema,
  target: name.table,
  strategy: table.strategy,
  // An append can write several states of a row: a unique key would refuse all but the first.
  keys: table.strategy === "append" ? [] : table.keys,
  watermark: table.watermark,
  leftOut: table.leftOut,
  suppressed,
  name: table.target,
});

/** Options must not override what the connector sets. */
function optionProblems(address: DatabaseAddress, dialect: DatabaseDialect): string[] {
  const reserved = Object.keys(
    dialect.settings({ ...address, schema: "s", user: "u", password: "p", options: {} }),
  );
  return Object.keys(address.options)
    .filter((name) => reserved.includes(name))
    .map((name) => `target_config.options: ${shown(name)} is set by the connector itself.`);
}

/** Targets that are the same table, or the reject table of another target. */
function collisions(tables: readonly SyncedTable[]): string[] {
  const owners = new Map<string, number>();
  const full = ({ schema, target }: SyncedTable, suffix = "") =>
    `${schema}\0${target}${suffix}`.toLowerCase();
  return tables.flatMap((table, at) => {
    const problems = [full(table), full(table, "_rejects")]
      .filter((name) => owners.has(name))
      .map(
        (name) =>
          `table_configs[${at}].target_name: ${shown(table.target)} or its reject table is also used by table_configs[${owners.get(name)}].`,
      );
    owners.set(full(table), at);
    owners.set(full(table, "_rejects"), at);
    return problems.slice(0, 1);
  });
}
