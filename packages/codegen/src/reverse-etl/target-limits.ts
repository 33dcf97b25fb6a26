import type { ConfigReader } from "@lakehelm/contract/connections";

/** How many rows are written at once. */
export const batchSize = (reader: ConfigReader, usual: number): number =>
  reader.count("batch_size", 1, 100_000) ?? usual;

/** How many of a run's rows the target may refuse before the run fails; `null`: the usual share. */
export function maxRejectShare(reader: ConfigReader): number | null {
  const given = reader.value("max_reject_share");
  if (given === undefined || given === null || given === "") return null;
  const share = typeof given === "string" ? Number(given) : given;
  if (typeof share === "number" && share >= 0 && share <= 1) return share;
  reader.problems.push("target_config.max_reject_share: it must be a number from 0 to 1.");
  return null;
}
