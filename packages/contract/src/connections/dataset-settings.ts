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
