import { type Config, misspelledKeys } from "./config.ts";
import type { TableSettings } from "./table-settings.ts";

/** The keys of a dataset's custom_config that Lakehelm interprets; other keys belong to the caller. */
export const datasetSettings = [
  "watermark_column",
  "watermark_lag",
  "max_reject_share",
  "deletes",
  "max_delete_share",
  "on_missing_column",
  "on_added_column",
  "on_lost_rows",
  "pii_suppressed",
  "pii_columns",
] as const;

export type DatasetSetting = (typeof datasetSettings)[number];

export const missingColumnChoices = ["keep", "null", "fail"] as const;

/** What is wrong with the custom_config of a dataset. `config`: the config of its connection. */
export function datasetSettingProblems(
  custom: Config,
  table: TableSettings | undefined,
  direction: "in" | "out",
  config: Config,
): string[] {
  const { max_reject_share: share = 0.05, deletes = false, max_delete_share: deleteShare = 0.5 } = custom;
  const {
    on_missing_column = "keep",
    on_added_column = "null",
    on_lost_rows = "fail",
    watermark_lag: lag = 0,
  } = custom;
  const all: string[] = [];
  if (!isShare(share)) all.push("custom_config.max_reject_share must be a number from 0 to 1.");
  if (!isShare(deleteShare)) all.push("custom_config.max_delete_share must be a number from 0 to 1.");
  if (!missingColumnChoices.some((choice) => choice === on_missing_column))
    all.push('custom_config.on_missing_column must be "keep", "null" or "fail".');
  if (on_added_column !== "null" && on_added_column !== "backfill")
    all.push('custom_config.on_added_column must be "null" or "backfill".');
  if (on_lost_rows !== "fail" && on_lost_rows !== "warn")
    all.push('custom_config.on_lost_rows must be "fail" or "warn".');
  if (typeof deletes !== "boolean") all.push("custom_config.deletes must be true or false.");
  if (!isLag(lag)) all.push("custom_config.watermark_lag must be a number from 0 to 1000000000000000.");
  all.push(...misspelledKeys(custom, datasetSettings, "custom_config"));
  if (deletes === true && table?.strategy === "append")
    all.push('custom_config.deletes needs primary_keys and the write_strategy "upsert".');
  if (on_added_column === "backfill" && direction === "out")
    all.push("custom_config.on_added_column is for imports: an export with full_refresh fills a new column.");
  // With `capture: log`, rows are found by the key of their table, even if the dataset names no key.
  else if (on_added_column === "backfill" && table?.strategy === "append" && config.capture !== "log")
    all.push(
      'custom_config.on_added_column "backfill" needs primary_keys and the write_strategy "upsert": rows that were appended are not changed.',
    );
  if (isLag(lag) && lag > 0 && table?.watermark === null)
    all.push("custom_config.watermark_lag needs a watermark_column.");
  return all;
}

const isShare = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;

export const isLag = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1e15;
