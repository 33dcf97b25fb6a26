import type { Connector, ConnectorDataset, DatasetUpdate } from "@lakehelm/contract";
import { DatasetInput } from "@lakehelm/contract";
import { isMap, isTextList } from "@lakehelm/contract/connections";
import type { ValidationError } from "@lakehelm/contract/schema";
import { encodeJson, list } from "@lakehelm/contract/schema";
import { conflict, notFound } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";

/** The connector fields that its datasets depend on. */
type DatasetOwner = Pick<Connector, "id" | "target_type" | "target_config">;

/** The defaults of a dataset, including the write strategy that follows from its keys. */
export function newDataset(
  id: string,
  owner: DatasetOwner,
  input: DatasetInput,
  context: ChangeContext,
): ConnectorDataset {
  const primaryKeys = input.primary_keys ?? null;
  return {
    id,
    connector_id: owner.id,
    source_dataset: input.source_dataset,
    target_name: input.target_name,
    change_detection: "incremental",
    write_strategy: input.write_strategy ?? strategyFor(primaryKeys ?? keysByConfig(owner, input)),
    current_watermark: null,
    current_watermark_time: null,
    primary_keys: primaryKeys,
    custom_config: configOf(input),
    created_at: context.time,
    created_by: context.actor,
  };
}

/** Upsert needs keys; without keys, rows can only be appended. */
const strategyFor = (keys: readonly string[] | null) => (keys && keys.length > 0 ? "upsert" : "append");

function configOf({ custom_config, watermark_column }: DatasetInput): ConnectorDataset["custom_config"] {
  if (watermark_column === undefined || watermark_column === null) return custom_config ?? null;
  return { ...custom_config, watermark_column };
}

export function changedDataset(
  before: ConnectorDataset,
  owner: DatasetOwner,
  change: DatasetUpdate,
): ConnectorDataset {
  const primaryKeys = change.primary_keys === undefined ? before.primary_keys : change.primary_keys;
  const followsKeys = change.write_strategy === undefined && change.primary_keys !== undefined;
  const strategy = change.write_strategy ?? before.write_strategy;
  const config = mergedConfig(before.custom_config, change.custom_config);
  return {
    ...before,
    source_dataset: change.source_dataset ?? before.source_dataset,
    target_name: change.target_name ?? before.target_name,
    primary_keys: primaryKeys,
    write_strategy:
      followsKeys && strategy !== "replace"
        ? strategyFor(primaryKeys ?? keysByConfig(owner, before))
        : strategy,
    custom_config: withWatermark(config, change.watermark_column),
  };
}

/** Undefined keeps the watermark column, and null removes it. */
function withWatermark(
  config: ConnectorDataset["custom_config"],
  column: string | null | undefined,
): ConnectorDataset["custom_config"] {
  if (column === undefined) return config;
  if (column !== null) return { ...config, watermark_column: column };
  return config === null || !("watermark_column" in config)
    ? config
    : mergedConfig(config, { watermark_column: null });
}

/** Keeps the keys that the change does not name. A key with null is removed, and null removes all. */
function mergedConfig(
  before: ConnectorDataset["custom_config"],
  change: DatasetUpdate["custom_config"],
): ConnectorDataset["custom_config"] {
  if (change === undefined || change === null) return change === null ? null : before;
  const merged = Object.entries({ ...before, ...change }).filter(([key]) => change[key] !== null);
  return Object.fromEntries(merged);
}

/** The keys that the connection's config names for a dataset, by its source or its target. */
function keysByConfig(
  { target_type, target_config }: DatasetOwner,
  { source_dataset, target_name }: Pick<ConnectorDataset, "source_dataset" | "target_name">,
): readonly string[] | null {
  const { connection } = target_config;
  const config = target_type === "warehouse" ? isMap(connection) && connection.config : target_config;
  const named = isMap(config) && isMap(config.primary_keys) ? config.primary_keys : {};
  const keys = named[source_dataset] ?? named[target_name];
  return isTextList(keys) ? keys : null;
}

/** Checks the rules for all datasets of a connector together. */
export function checkedDatasets(
  datasets: readonly ConnectorDataset[],
  owner: DatasetOwner,
): ConnectorDataset[] {
  const targets = new Set<string>();
  for (const dataset of datasets) {
    const { target_name, write_strategy } = dataset;
    if (targets.has(target_name)) throw conflict(`Two datasets write to "${target_name}".`);
    targets.add(target_name);
    const keys = dataset.primary_keys ?? keysByConfig(owner, dataset);
    if (write_strategy === "upsert" && !keys?.length) {
      throw conflict(`The dataset for "${target_name}" needs primary keys to be upserted.`);
    }
  }
  return [...datasets];
}

export function datasetOf(connector: Connector, id: string): ConnectorDataset {
  const found = connector.datasets?.find((dataset) => dataset.id === id);
  if (!found) throw notFound(`The connector "${connector.name}" has no dataset ${id}.`);
  return found;
}

const inputs = list(DatasetInput);

/** Our own key in a contract request: its problems are rule errors, never a 422. */
export function readDatasets(sent: unknown): DatasetInput[] {
  const errors: ValidationError[] = [];
  const read = inputs.check(sent, [], errors);
  const [first] = errors;
  if (first) throw conflict(`datasets${first.loc.map((step) => `[${step}]`).join("")}: ${first.msg}.`);
  return read;
}

/** The keys of a dataset that a caller sets. */
const settable = [
  "source_dataset",
  "target_name",
  "write_strategy",
  "primary_keys",
  "custom_config",
] as const;

/**
 * An update may contain the datasets as they were read. Other datasets would be ignored silently, so they are a
 * conflict.
 */
export function requireSameDatasets({ id, datasets }: Connector, sent: unknown): void {
  if (sent === undefined) return;
  const stored = datasets ?? [];
  const isSame = (dataset: ConnectorDataset, other: unknown) =>
    isMap(other) &&
    other.watermark_column === undefined &&
    settable.every(
      (key) => other[key] === undefined || encodeJson(other[key]) === encodeJson(dataset[key] ?? null),
    );
  const list = sent ?? [];
  if (
    Array.isArray(list) &&
    list.length === stored.length &&
    stored.every((dataset, at) => isSame(dataset, list[at]))
  )
    return;
  throw conflict(
    `This request cannot change datasets. Use PATCH or DELETE /api/v1/connectors/${id}/datasets/{dataset_id}, or POST /api/v1/connectors/${id}/datasets.`,
  );
}

/** Modes in which the datasets' sources trigger the job. */
const triggeringModes = new Set(["table_update", "file_arrival"]);

/** The connector with other datasets, the request to its platform, and the event. */
export function withDatasets(
  doc: Connector,
  datasets: NonNullable<Connector["datasets"]>,
  kind: string,
  target: string,
  context: ChangeContext,
) {
  return {
    doc: {
      ...doc,
      datasets: checkedDatasets(datasets, doc),
      updated_at: context.time,
      updated_by: context.actor,
    },
    // In these modes, the trigger of the job depends on the datasets.
    ...(triggeringModes.has(doc.execution_mode) && { request: "job.install" as const }),
    event: { kind, data: { name: doc.name, target_name: target } },
  };
}
