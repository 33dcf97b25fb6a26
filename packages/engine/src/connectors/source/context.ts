import { ConfigReader } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** What a source works with, besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Another DuckDB, which may open files of others. To be closed. */
  openExternal(): ReturnType<Warehouse["openExternal"]>;
}

export type ConnectorConfig = Readonly<Record<string, unknown>>;

/** Reads a connection's config by the rules of code generation; everything that is wrong with it is told at once. */
export function readSettings<Settings>(
  config: ConnectorConfig,
  keys: readonly string[],
  read: (reader: ConfigReader) => Settings,
): Settings {
  const reader = new ConfigReader(config, "connection.config");
  const settings = read(reader);
  reader.refuseMisspelt(keys);
  if (reader.problems.length > 0) throw new DataProblem(reader.problems.join(" "));
  return settings;
}
