import { connectorRereadCommand } from "@lakehelm/contract/changes";
import type { Since } from "../connectors/source/source.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { readCheckpoint, streamId, writeCheckpoint } from "./checkpoints.ts";
import type { IngestRun } from "./ingest-run.ts";

const unmatchedStream = (dataset: Dataset): string => `unmatched of ${streamId(dataset)}`;

/**
 * A run reads rows with the watermark itself, too. If there are none, the row that had it was deleted, or the table was
 * emptied, restored, or loaded with lower values: such rows are not read. One warning for each watermark.
 */
export async function warnOfUnmatchedWatermark(
  run: IngestRun,
  since: Since | undefined,
  rows: number,
): Promise<void> {
  const { connection, source, checkpoint, request, table, backfill } = run;
  const { dataset, connector } = request;
  if (rows > 0 || backfill || source.keepsRows === false || run.files || !since) return;
  const value = checkpoint?.value ?? null;
  const known = await readCheckpoint(connection, table.catalog, unmatchedStream(dataset));
  if (value === null || known?.value === value) return;
  run.warn(
    `${dataset.source} has no row with the watermark ${value} that the last run reached, nor with a greater one: rows were deleted, or it was emptied, restored or loaded again. Rows with lower values are not read. To compare all rows: ${connectorRereadCommand(connector, dataset.target)}`,
  );
  await writeCheckpoint(connection, table.catalog, unmatchedStream(dataset), {
    time: "",
    run: request.run,
    value,
  });
}
