import { DataProblem } from "../../protocol/problem.ts";
import type { Dataset, DatasetDescription } from "../../protocol/transfer.ts";
import { sameName } from "../../warehouse/relation.ts";

/**
 * A dataset whose changes come from the log: its keys are those of the table unless it names others, and it needs no watermark.
 * Throws a DataProblem if the log cannot be applied to it.
 */
export function capturedDataset(
  dataset: Dataset,
  { primary_keys }: Pick<DatasetDescription, "primary_keys">,
  /** The columns that the log has of a deleted row; undefined: all. */
  identity: readonly string[] | undefined,
): Dataset {
  const { source, strategy } = dataset;
  if (strategy === "replace" || (strategy === "append" && dataset.keys.length > 0)) {
    throw new DataProblem(
      `${source}: changes from the log are applied to the table, so write_strategy must be "upsert" or absent, not "${strategy}".`,
    );
  }
  const keys = dataset.keys.length > 0 ? dataset.keys : (identity ?? primary_keys);
  if (identity && !(keys.length === identity.length && keys.every((key) => includesName(identity, key)))) {
    throw new DataProblem(
      `${source}: the log identifies a deleted row by ${identity.join(", ")}, so primary_keys must be these columns, not ${keys.join(", ")}. Leave primary_keys out, or run ALTER TABLE … REPLICA IDENTITY FULL.`,
    );
  }
  return {
    ...dataset,
    keys,
    strategy: keys.length > 0 ? "upsert" : "append",
    watermark: null,
    deletes: false,
  };
}

/** The dataset for a run that reads all rows: rows that the source no longer has are removed. */
export const snapshotDataset = (dataset: Dataset): Dataset =>
  dataset.keys.length > 0 ? { ...dataset, deletes: true } : { ...dataset, strategy: "replace" };

const includesName = (names: readonly string[], one: string): boolean =>
  names.some((name) => sameName(name, one));
