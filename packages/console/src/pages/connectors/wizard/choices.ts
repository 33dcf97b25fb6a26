import type { ConnectorDataset } from "@lakehelm/contract";

/** The user's settings for a table. */
export interface Choice {
  readonly isChosen: boolean;
  readonly target: string;
  /** Column names, separated by commas. */
  readonly keys: string;
  readonly watermark: string;
}

interface Offered {
  readonly name: string;
  readonly primary_keys: readonly string[];
  readonly watermark_candidates: readonly string[];
}

/** The saved settings; otherwise the table's own key and its best watermark. */
export function choiceFor(offered: Offered, datasets: readonly ConnectorDataset[]): Choice {
  const saved = datasets.find(({ source_dataset }) => source_dataset === offered.name);
  if (saved) {
    const watermark = saved.custom_config?.watermark_column;
    return {
      isChosen: true,
      target: saved.target_name,
      keys: saved.primary_keys?.join(", ") ?? "",
      watermark: typeof watermark === "string" ? watermark : "",
    };
  }
  const keys = offered.primary_keys.join(", ");
  return {
    isChosen: false,
    target: targetName(offered.name),
    keys,
    // Without a key, a changed row would be appended again.
    watermark: keys === "" ? "" : (offered.watermark_candidates[0] ?? ""),
  };
}

/** The last part of a name, without a file extension: `public.orders` and `in/orders.csv` become `orders`. */
export function targetName(source: string): string {
  const file = source
    .slice(source.lastIndexOf("/") + 1)
    .replace(/\.(csv|tsv|txt|jsonl?|ndjson|parquet|parq|pq)(\.gz)?$/i, "");
  const last = file.slice(file.lastIndexOf(".") + 1);
  return last.replaceAll(/\W+/g, "_").toLowerCase() || "table";
}

/** The request of a dataset. */
export function datasetOf(source: string, { target, keys, watermark }: Choice) {
  const primary = keys.split(",").flatMap((key) => key.trim() || []);
  return {
    source_dataset: source,
    target_name: target.trim(),
    primary_keys: primary.length > 0 ? primary : null,
    watermark_column: watermark === "" ? null : watermark,
  };
}
