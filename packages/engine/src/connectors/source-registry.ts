import type { Config } from "@lakehelm/contract/connections";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import type { SourceContext } from "./source/context.ts";
import type { ConnectorSource } from "./source/source.ts";

type OpenSource = (config: Config, context: SourceContext) => Promise<ConnectorSource>;

/** A driver is loaded when the first connection needs it. */
const kinds: Readonly<Record<string, () => Promise<OpenSource>>> = {
  postgresql: async () => (await import("./postgresql/source.ts")).openPostgresSource,
  mysql: async () => (await import("./mysql/source.ts")).openMysqlSource,
  sqlite: async () => (await import("./sqlite/source.ts")).openSqliteSource,
  duckdb: async () => (await import("./duckdb/source.ts")).openDuckdbSource,
  files: async () => (await import("./files/source.ts")).openFilesSource,
  rest: async () => (await import("./rest/source.ts")).openRestSource,
};

/** Systems for which code is generated, and that this engine has no driver for. */
const generatedOnly: ReadonlyMap<string, string> = new Map([
  ["sqlserver", "SQL Server"],
  ["oracle", "Oracle"],
  ["snowflake", "Snowflake"],
]);

const sourceTypes: readonly string[] = Object.keys(kinds);

/** Why this engine does not read a kind of system that code can be generated for. */
export function generatedOnlyProblem(type: string): string | undefined {
  const name = generatedOnly.get(type.toLowerCase());
  return (
    name &&
    `The embedded platform does not read ${name}. Code for it can be generated (POST /api/v1/codegen/connector) and run on Databricks. Available types here: ${sourceTypes.join(", ")}.`
  );
}

export async function openSource(
  { type, config }: ConnectionConfig,
  context: SourceContext,
): Promise<ConnectorSource> {
  const name = type === "postgres" ? "postgresql" : type;
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  const generated = load ? undefined : generatedOnlyProblem(type);
  if (generated !== undefined) throw new DataProblem(generated);
  if (!load) {
    throw new DataProblem(
      `Unknown source type ${JSON.stringify(type)}. Available types: ${sourceTypes.join(", ")}.${suggestion(type, sourceTypes)}`,
    );
  }
  const open = await load();
  return open(config, context);
}
