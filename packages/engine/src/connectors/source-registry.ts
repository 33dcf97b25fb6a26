import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/requests.ts";
import type { Config, SourceContext } from "./source/context.ts";
import type { Source } from "./source/source.ts";

type Open = (config: Config, context: SourceContext) => Promise<Source>;

/** A driver is loaded when the first connection needs it. */
const kinds: Readonly<Record<string, () => Promise<Open>>> = {
  postgresql: async () => (await import("./postgresql/source.ts")).openPostgresSource,
  mysql: async () => (await import("./mysql/source.ts")).openMysqlSource,
  sqlite: async () => (await import("./sqlite/source.ts")).openSqliteSource,
  duckdb: async () => (await import("./duckdb/source.ts")).openDuckdbSource,
  files: async () => (await import("./files/source.ts")).openFilesSource,
  rest: async () => (await import("./rest/source.ts")).openRestSource,
};

const sourceTypes: readonly string[] = Object.keys(kinds);

export async function openSource(
  { type, config }: ConnectionConfig,
  context: SourceContext,
): Promise<Source> {
  const name = type === "postgres" ? "postgresql" : type;
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!load) {
    throw new DataProblem(
      `Nothing can be read from the type ${JSON.stringify(type)}: it is none of ${sourceTypes.join(", ")}.${suggestion(type, sourceTypes)}`,
    );
  }
  const open = await load();
  return open(config, context);
}
