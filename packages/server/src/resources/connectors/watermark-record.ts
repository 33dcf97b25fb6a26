import type { Connector } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { collection } from "../../core/store/collection.ts";
import { type ChangeContext, retryOnConflict } from "../../core/store/store.ts";

/** The watermark of a dataset, as stored in its target. */
export interface DatasetWatermark {
  readonly datasetId: string;
  readonly value: string | null;
  readonly time: string | null;
}

/** What a run writes to its connector: the watermarks, and the errors. */
export interface WatermarkRecord {
  record(
    connectorId: string,
    watermarks: readonly DatasetWatermark[],
    error: string | null,
    context: ChangeContext,
  ): Promise<void>;
}

/**
 * The target's own record is authoritative; the connector shows a copy. If a run is killed before it writes the copy,
 * the next run finds nothing to do and writes the same watermarks.
 */
export function createWatermarkRecord({ store }: Dependencies): WatermarkRecord {
  const rows = collection<Connector>(store, "connectors");
  return {
    record: (connectorId, watermarks, error, context) =>
      retryOnConflict(async () => {
        const before = await rows.get(connectorId);
        // Deleted while it ran: nothing to record.
        if (!before) return;
        const doc = withWatermarks(before.doc, watermarks, error);
        if (!doc) return;
        const { name, datasets, error_message } = doc;
        const reached = watermarks.map(({ datasetId, value }) => ({
          target_name: datasets?.find(({ id }) => id === datasetId)?.target_name ?? null,
          current_watermark: value,
        }));
        await store.apply({
          context,
          steps: rows.update(before, { doc }),
          events: [
            {
              kind: "connector.moved",
              subject: `connector/${connectorId}`,
              data: { name, datasets: reached, error_message },
            },
          ],
        });
      }),
  };
}

/** Undefined if nothing changes. */
function withWatermarks(
  doc: Connector,
  watermarks: readonly DatasetWatermark[],
  error: string | null,
): Connector | undefined {
  const datasets =
    doc.datasets?.map((dataset) => {
      const watermark = watermarks.find(({ datasetId }) => datasetId === dataset.id);
      if (
        !watermark ||
        (watermark.value === dataset.current_watermark && dataset.current_watermark_time !== null)
      )
        return dataset;
      return { ...dataset, current_watermark: watermark.value, current_watermark_time: watermark.time };
    }) ?? null;
  const unchanged =
    doc.error_message === error && datasets?.every((dataset, at) => dataset === doc.datasets?.[at]);
  return unchanged ? undefined : { ...doc, datasets, error_message: error };
}
