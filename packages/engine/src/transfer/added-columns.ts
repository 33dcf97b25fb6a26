import type { Checkpoint } from "../connectors/target/target.ts";
import { resetWatermarkCommand } from "../protocol/commands.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { SchemaChange } from "./schema-change.ts";
import type { StreamSettingsChange } from "./stream-settings.ts";

export interface AddedColumns {
  readonly fill: "null" | "backfilled";
  /** Undefined: all rows are read. */
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * A source that adds a column with a default changes all of its rows without a newer watermark. They are read again if the dataset
 * asks for it; otherwise the log says that the rows of the table do not have the value.
 */
export function planAddedColumns(
  { connector, dataset, window }: Pick<TransferRequest, "connector" | "dataset" | "window">,
  { create, add }: SchemaChange,
  { newColumns }: Pick<StreamSettingsChange, "newColumns">,
  checkpoint: Checkpoint | undefined,
  log: RequestContext["log"],
): AddedColumns {
  // A column that an interrupted run has added to a table of a cluster is still new to this one.
  const names = [...add.map(({ name }) => name), ...newColumns];
  const added = names.filter((name, at) => names.findIndex((one) => sameName(one, name)) === at);
  if (create || added.length === 0) return { fill: "null", checkpoint };
  const listed = added.map((name) => JSON.stringify(name)).join(", ");
  if (readsAllRows(dataset, checkpoint)) {
    return { fill: dataset.strategy === "append" ? "null" : "backfilled", checkpoint };
  }
  if (dataset.onAddedColumn === "backfill" && !window) {
    log(
      "info",
      `${listed} is new in ${dataset.source}: all rows are read once, because on_added_column is "backfill".`,
    );
    return { fill: "backfilled", checkpoint: undefined };
  }
  log(
    "warn",
    `${listed} is new in ${dataset.source}. Rows that were loaded before have NULL in it until they change at the source. To fill them now: ${resetWatermarkCommand(connector, dataset.target)} To fill them whenever a column is added, set custom_config.on_added_column to "backfill".`,
  );
  return { fill: "null", checkpoint };
}

const readsAllRows = ({ strategy }: Dataset, checkpoint: Checkpoint | undefined): boolean =>
  strategy === "replace" || checkpoint?.value == null;
