import { type Config, type ConfigValues, readConfig } from "@lakehelm/contract/connections";
import type { Fields } from "@lakehelm/contract/schema";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";

/** Builds the settings from valid fields, and adds further problems. */
type BuildSettings<F extends Fields, Settings> = (values: ConfigValues<F>, problems: string[]) => Settings;

/** Reads the config of a source. The error lists every problem. */
export const readSourceSettings = <const F extends Fields, Settings>(
  fields: F,
  config: Config,
  build: BuildSettings<F, Settings>,
): Settings => readSettings(fields, config, "connection.config", [], build);

/** Keys of every target: rows are batched and rejects are counted outside of it. */
const targetKeys = ["batch_size", "max_reject_share"];

/** Reads the config of a target. The error lists every problem. */
export const readTargetSettings = <const F extends Fields, Settings>(
  fields: F,
  { config }: Pick<ConnectionConfig, "config">,
  build: BuildSettings<F, Settings>,
): Settings => readSettings(fields, config, "target_config", targetKeys, build);

function readSettings<const F extends Fields, Settings>(
  fields: F,
  config: Config,
  path: string,
  otherKeys: readonly string[],
  build: BuildSettings<F, Settings>,
): Settings {
  const { values, problems } = readConfig(fields, config, path, otherKeys);
  const settings = build(values, problems);
  if (problems.length > 0) throw new DataProblem(problems.join(" "));
  return settings;
}
