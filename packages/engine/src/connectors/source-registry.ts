import { type Config, connectionKind, kindsFor } from "@lakehelm/contract/connections";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import type { SourceContext } from "./source/context.ts";
import type { ConnectorSource } from "./source/source.ts";

type OpenSource = (config: Config, context: SourceContext) => Promise<ConnectorSource>;

/** The driver of each kind that this engine reads: it is loaded when the first connection needs it. */
const drivers: Readonly<Record<string, () => Promise<OpenSource>>> = {
  postgresql: async () => (await import("./postgresql/source.ts")).openPostgresSource,
  mysql: async () => (await import("./mysql/source.ts")).openMysqlSource,
  sqlite: async () => (await import("./sqlite/source.ts")).openSqliteSource,
  duckdb: async () => (await import("./duckdb/source.ts")).openDuckdbSource,
  files: async () => (await import("./files/source.ts")).openFilesSource,
  rest: async () => (await import("./rest/source.ts")).openRestSource,
};

const readable = () => kindsFor("source", "byEngine").map(({ name }) => name);

/** Why this engine does not read a kind of system that code can be generated for. */
export function generatedOnlyProblem(type: string): string | undefined {
  const kind = connectionKind(type);
  return kind?.source && !kind.source.byEngine
    ? `The embedded platform does not read ${kind.title}. Code for it can be generated (POST /api/v1/codegen/connector) and run on Databricks. Available types here: ${readable().join(", ")}.`
    : undefined;
}

export async function openSource(
  { type, config }: ConnectionConfig,
  context: SourceContext,
): Promise<ConnectorSource> {
  const name = connectionKind(type)?.name ?? "";
  const load = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  const generated = load ? undefined : generatedOnlyProblem(type);
  if (generated !== undefined) throw new DataProblem(generated);
  if (!load) {
    throw new DataProblem(
      `Unknown source type ${JSON.stringify(type)}. Available types: ${readable().join(", ")}.${suggestion(type, readable())}`,
    );
  }
  const open = await load();
  return open(config, context);
}
