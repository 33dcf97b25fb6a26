import { connectorRereadCommand } from "@lakehelm/contract/changes";
import type { Checkpoint } from "../connectors/target/target.ts";
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

interface AddedColumnsContext {
  readonly log: RequestContext["log"];
  /** Adds a warning to the log and to the result. */
  readonly warn: (text: string) => void;
  /** Whether the run applies the changes of a log. */
  readonly isOfLog: boolean;
}

/**
 * A source that adds a column with a default changes all of its rows without a newer watermark. All rows are read again
 * if the dataset asks for it; otherwise the log says that the rows of the table do not have the value. If the table has
 * values from an earlier time when the source had the column, all rows are read again in any case: nothing else would
 * correct these values.
 */
export function planAddedColumns(
  { connector, dataset, window }: Pick<TransferRequest, "connector" | "dataset" | "window">,
  { create, add }: SchemaChange,
  { newColumns, returnedColumns }: Pick<StreamSettingsChange, "newColumns" | "returnedColumns">,
  checkpoint: Checkpoint | undefined,
  { log, warn, isOfLog }: AddedColumnsContext,
): AddedColumns {
  const hasName = (names: readonly string[], name: string) => names.some((one) => sameName(one, name));
  const created = add.map(({ name }) => name);
  const returned = returnedColumns.filter((name) => !hasName(created, name));
  // A column that the run of a window, or an interrupted run on a cluster, has added to the table is still new to this
  // run.
  const others = newColumns.filter((name) => !hasName([...created, ...returned], name));
  const added = [...created, ...others];
  if (create || added.length + returned.length === 0) return { fill: "null", checkpoint };
  if (readsAllRows(dataset, checkpoint)) {
    return { fill: dataset.strategy === "append" ? "null" : "backfilled", checkpoint };
  }
  const { source, target, strategy } = dataset;
  const command = connectorRereadCommand(connector, target);
  // The changes of a log are already staged.
  const canReadAll = !window && !isOfLog;
  if (returned.length > 0 && canReadAll && strategy === "upsert") {
    warn(
      `${listed(returned)} again in ${source}, and ${target} has the values from before. All rows are read again.`,
    );
    return { fill: "backfilled", checkpoint: undefined };
  }
  if (returned.length > 0) {
    const next = strategy === "append" ? "" : ` To read them again: ${command}`;
    warn(
      `${listed(returned)} again in ${source}. Rows that were loaded before have the values from then.${next}`,
    );
  }
  if (added.length === 0) return { fill: "null", checkpoint };
  if (dataset.onAddedColumn === "backfill" && canReadAll) {
    log(
      "info",
      `${listed(added)} new in ${source}: all rows are read once, because on_added_column is "backfill".`,
    );
    return { fill: "backfilled", checkpoint: undefined };
  }
  if (dataset.onAddedColumn === "backfill" && window) {
    log(
      "info",
      `${listed(added)} new in ${source}. A run of a window fills only its rows: the next run without a window reads all of them.`,
    );
    return { fill: "null", checkpoint };
  }
  log(
    "warn",
    `${listed(added)} new in ${source}. Rows that were loaded before have NULL there until they change at the source. To fill them now: ${command} To fill them whenever a column is added, set custom_config.on_added_column to "backfill".`,
  );
  return { fill: "null", checkpoint };
}

/** The beginning of a sentence about columns. */
export const listed = (names: readonly string[]): string =>
  `${names.map((name) => JSON.stringify(name)).join(", ")} ${names.length === 1 ? "is" : "are"}`;

const readsAllRows = ({ strategy }: Dataset, checkpoint: Checkpoint | undefined): boolean =>
  strategy === "replace" || checkpoint?.value == null;
