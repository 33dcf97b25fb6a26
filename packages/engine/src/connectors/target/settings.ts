import { ConfigReader } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";

/** Reads a target's config by the rules of code generation; everything that is wrong with it is told at once. */
export function readSettings<Settings>(
  { config }: ConnectionConfig,
  keys: readonly string[],
  read: (reader: ConfigReader) => Settings,
): Settings {
  const reader = new ConfigReader(config, "target_config");
  const settings = read(reader);
  reader.refuseMisspelt([...keys, "batch_size", "max_reject_share"]);
  if (reader.problems.length > 0) throw new DataProblem(reader.problems.join(" "));
  return settings;
}
