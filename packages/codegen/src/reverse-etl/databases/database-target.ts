import type { TableSettings } from "@lakehelm/contract/connections";
import { type ConfigReader, isMap } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import type { TableName } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";
import type { Target } from "../target.ts";
import { batchSize, maxRejectShare } from "../target-limits.ts";
import { databaseNotebook } from "./database-notebook.ts";
import type { Address, Dialect } from "./dialects/dialect.ts";
import { readTargetName } from "./target-name.ts";

const keys = [
  "host",
  "port",
  "database",
  "user",
  "password",
  "schema",
  "options",
  "batch_size",
  "max_reject_share",
];

/** A database as a target. */
export const databaseTarget =
  (dialect: Dialect): Target =>
  (reader, sources, { connector }) => {
    const { address, settings } = readAddress(reader, dialect);
    const size = batchSize(reader, 5000);
    const share = maxRejectShare(reader);
    reader.refuseMisspelt(keys);

    const problems: string[] = [];
    const schema = address.schema ?? dialect.schema ?? address.database;
    if (schema.includes("{{")) {
      problems.push(
        "target_config.database: it must be given as it is, since the names of tables contain it.",
      );
    }
    const tables = sources.flatMap(({ table, source }, at): SyncedTable[] => {
      const name = readTargetName(table.target, dialect, schema || "unknown");
      if ("problem" in name) {
        problems.push(`table_configs[${at}].target_name: ${name.problem}`);
        return [];
      }
      return [syncedTable(table, source, name)];
    });
    return {
      problems: [...reader.problems, ...problems, ...collisions(tables)],
      title: dialect.title,
      packages: dialect.packages,
      notebook: () => ({
        content: databaseNotebook({
          connector,
          dialect,
          settings,
          tables,
          batchSize: size,
          maxRejectShare: share,
        }),
        statements: [],
      }),
    };
  };

const syncedTable = (
  table: TableSettings,
  source: TableName,
  name: { schema: string; table: string },
): SyncedTable => ({
  source,
  schema: name.schema,
  target: name.table,
  strategy: table.strategy,
  // An append may bring several states of a row: a key would refuse all but the first.
  keys: table.strategy === "append" ? [] : table.keys,
  watermark: table.watermark,
  leftOut: table.leftOut,
});

function readAddress(reader: ConfigReader, dialect: Dialect) {
  reader.options("options");
  const given = reader.value("options");
  const options = isMap(given) ? given : {};
  const address: Address = {
    host: reader.required("host"),
    port: reader.count("port", 1, 65_535),
    database: reader.required("database"),
    schema: reader.plain("schema"),
    user: reader.text("user"),
    password: reader.text("password"),
    options,
  };
  const own = Object.keys(
    dialect.settings({ ...address, schema: "s", user: "u", password: "p", options: {} }),
  );
  for (const name of Object.keys(options).filter((name) => own.includes(name))) {
    reader.problems.push(`target_config.options: ${shown(name)} is set by the connector itself.`);
  }
  return { address, settings: dialect.settings(address) };
}

/** Two names that are one table, or a target that is the reject table of another. */
function collisions(tables: readonly SyncedTable[]): string[] {
  const places = new Map<string, number>();
  const full = ({ schema, target }: SyncedTable, suffix = "") =>
    `${schema}\0${target}${suffix}`.toLowerCase();
  return tables.flatMap((table, at) => {
    const problems = [full(table), full(table, "_rejects")]
      .filter((name) => places.has(name))
      .map(
        (name) =>
          `table_configs[${at}].target_name: ${shown(table.target)} or its reject table is one of table_configs[${places.get(name)}] too.`,
      );
    places.set(full(table), at);
    places.set(full(table, "_rejects"), at);
    return problems.slice(0, 1);
  });
}
