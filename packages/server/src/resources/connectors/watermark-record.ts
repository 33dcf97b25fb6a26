import type { Connector } from "@lakehelm/contract";
import type { TransferResult } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { collection } from "../../core/store/collection.ts";
import type { ChangeContext } from "../../core/store/store.ts";

/** The watermark of a dataset, as stored in its target. */
export interface DatasetWatermark {
  readonly datasetId: string;
  readonly value: string | null;
  readonly time: string | null;
  readonly warnings: readonly string[];
  readonly column: TransferResult["watermark_column"];
  /** How the columns of the source have changed since the last run. */
  readonly schemaChanges: NonNullable<TransferResult["schema_changes"]>;
  readonly logKeys: TransferResult["log_keys"];
}

/** What a run writes to its connector: the watermarks, the errors, and since when its runs fail. */
export interface WatermarkRecord {
  record(
    connectorId: string,
    watermarks: readonly DatasetWatermark[],
    error: string | null,
    context: ChangeContext,
    /** False: some datasets did not take part, so a success says nothing about an earlier error. */
    isWhole?: boolean,
  ): Promise<void>;
}

/**
 * The target's own record is authoritative; the connector shows a copy. If a run is killed before it writes the copy,
 * the next run finds nothing to do and writes the same watermarks.
 */
export function createWatermarkRecord({ store }: Dependencies): WatermarkRecord {
  const rows = collection<Connector>(store, "connectors");
  return {
    record: (connectorId, watermarks, runError, context, isWhole = true) =>
      store.retryOnConflict(async () => {
        const before = await rows.get(connectorId);
        // The connector was deleted during the run: there is nothing to record.
        if (!before) return;
        const isStillFailing = !isWhole && runError === null && before.doc.status === "failing";
        const error = isStillFailing ? before.doc.error_message : runError;
        const changed = withWatermarks(before.doc, watermarks, error, context.time);
        const hasOtherColumns = watermarks.some(({ schemaChanges }) => schemaChanges.length > 0);
        if (!changed && !hasOtherColumns) return;
        const doc = changed ?? before.doc;
        const { name, datasets, error_message, status, failing_since } = doc;
        const nameOf = (id: string) => datasets?.find((one) => one.id === id)?.target_name ?? null;
        const reached = watermarks.map(({ datasetId, value }) => ({
          target_name: nameOf(datasetId),
          current_watermark: value,
        }));
        await store.apply({
          context,
          steps: rows.update(before, { doc }),
          events: [
            ...newWarnings(before.doc, doc).map(({ target_name, warnings }) => ({
              kind: "connector.warned",
              subject: `connector/${connectorId}`,
              data: { name, environment_id: before.environmentId, target_name, warnings },
            })),
            ...watermarks.flatMap(({ datasetId, schemaChanges }) =>
              schemaChanges.length === 0
                ? []
                : {
                    kind: "connector.schema_changed",
                    subject: `connector/${connectorId}`,
                    data: {
                      ...{ name, environment_id: before.environmentId },
                      ...{ target_name: nameOf(datasetId), changes: schemaChanges },
                    },
                  },
            ),
            {
              kind: "connector.moved",
              subject: `connector/${connectorId}`,
              data: {
                name,
                environment_id: before.environmentId,
                datasets: reached,
                status,
                error_message,
                failing_since: failing_since ?? null,
              },
            },
          ],
        });
      }),
  };
}

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, at) => text === others[at]);

/** The datasets with warnings that the run before did not have. */
const newWarnings = (before: Connector, after: Connector) =>
  (after.datasets ?? []).flatMap(({ id, target_name, warnings = [] }) => {
    const known = before.datasets?.find((dataset) => dataset.id === id)?.warnings ?? [];
    const added = warnings.filter((text) => !known.includes(text));
    return added.length > 0 ? [{ target_name, warnings: added }] : [];
  });

/** Undefined if nothing changes. */
function withWatermarks(
  doc: Connector,
  watermarks: readonly DatasetWatermark[],
  error: string | null,
  time: string,
): Connector | undefined {
  const datasets =
    doc.datasets?.map((dataset) => {
      const watermark = watermarks.find(({ datasetId }) => datasetId === dataset.id);
      if (!watermark) return dataset;
      const isSame = watermark.value === dataset.current_watermark && dataset.current_watermark_time !== null;
      const { column: read } = watermark;
      const { watermark_type: known } = dataset;
      const isSameColumn = read?.name === known?.column && read?.type === known?.type;
      const { logKeys } = watermark;
      const isSameLog =
        (logKeys === undefined) === (dataset.log_keys === undefined) &&
        sameTexts(logKeys ?? [], dataset.log_keys ?? []);
      const isSameRest = isSameColumn && isSameLog && sameTexts(watermark.warnings, dataset.warnings ?? []);
      if (isSame && isSameRest) return dataset;
      const { warnings: _, watermark_type: __, log_keys: ___, ...rest } = dataset;
      return {
        ...rest,
        ...(read && { watermark_type: { column: read.name, type: read.type } }),
        ...(logKeys && { log_keys: [...logKeys] }),
        ...(!isSame && { current_watermark: watermark.value, current_watermark_time: watermark.time }),
        ...(watermark.warnings.length > 0 && { warnings: [...watermark.warnings] }),
      };
    }) ?? null;
  const hasStatus = doc.status !== (error === null ? "failing" : "active");
  const unchanged =
    hasStatus &&
    doc.error_message === error &&
    (datasets ?? []).every((dataset, at) => dataset === doc.datasets?.[at]);
  return unchanged ? undefined : withRunError({ ...doc, datasets, error_message: error }, error, time);
}

/** A paused connector stays paused, however a manual run ends. */
function withRunError({ failing_since, ...doc }: Connector, error: string | null, time: string): Connector {
  if (doc.status !== "active" && doc.status !== "failing") return doc;
  if (error === null) return { ...doc, status: "active" };
  return { ...doc, status: "failing", failing_since: failing_since ?? time };
}
