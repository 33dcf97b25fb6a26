import type {
  Connector,
  ConnectorDataset,
  ConnectorUpdateRequest,
  DatasetInput,
  DatasetUpdate,
} from "@lakehelm/contract";
import { isMap } from "../../ui/value-shape.ts";

type Values = Readonly<Record<string, unknown>>;

const withoutNulls = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** The settings that a user can change: without fields that the server adds or that runs change. */
export function definitionOf(connector: Connector): Values {
  const { name, target_type, target_config, execution_mode, schedule_cron, policy, datasets } = connector;
  return withoutNulls({
    name,
    target_type,
    target_config,
    execution_mode,
    schedule_cron,
    table_update_config: connector.table_update_config,
    file_arrival_config: connector.file_arrival_config,
    policy,
    datasets: datasets?.map(datasetOf),
  });
}

const datasetOf = ({
  source_dataset,
  target_name,
  primary_keys,
  write_strategy,
  custom_config,
}: ConnectorDataset) =>
  withoutNulls({ source_dataset, target_name, primary_keys, write_strategy, custom_config });

/** The requests that bring a connector to its definition. */
export interface DefinitionChanges {
  /** Undefined: only datasets change, which have separate requests. */
  readonly connector: Omit<ConnectorUpdateRequest, "datasets"> | undefined;
  readonly removed: readonly ConnectorDataset[];
  readonly changed: readonly { readonly id: string; readonly body: DatasetUpdate }[];
  readonly added: readonly DatasetInput[];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A field or key that was removed is sent as null, which resets it to its default. The server validates the values. */
function changedFields(before: Values, after: Values): Values {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => !isSame(before[name], after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}

/** The server merges these maps: it keeps keys that the request does not name. */
const merged = (before: unknown, after: unknown): unknown =>
  isMap(before) && isMap(after) ? changedFields(before, after) : (after ?? null);

/** Two datasets are the same dataset if they write the same target. */
export function changesOf(connector: Connector, after: Values): DefinitionChanges {
  const { datasets: _, ...before } = definitionOf(connector);
  const { datasets: wanted = [], ...rest } = after;
  if (!Array.isArray(wanted) || !wanted.every(isMap)) throw new Error("datasets must be a list of maps.");
  const fields = changedFields(before, rest);
  if ("policy" in fields) Object.assign(fields, { policy: merged(before.policy, rest.policy) });
  const known = connector.datasets ?? [];
  const isWanted = ({ target_name }: ConnectorDataset) =>
    wanted.some((dataset) => dataset.target_name === target_name);
  const pairs = wanted.map((dataset) => ({
    dataset,
    stored: known.find(({ target_name }) => target_name === dataset.target_name),
  }));
  return {
    connector: Object.keys(fields).length > 0 ? (fields as ConnectorUpdateRequest) : undefined,
    removed: known.filter((dataset) => !isWanted(dataset)),
    changed: pairs.flatMap(({ dataset, stored }) => {
      if (!stored) return [];
      const old = datasetOf(stored);
      const body = changedFields(old, dataset);
      if (Object.keys(body).length === 0) return [];
      if ("custom_config" in body)
        Object.assign(body, { custom_config: merged(old.custom_config, dataset.custom_config) });
      return [{ id: stored.id, body: body as DatasetUpdate }];
    }),
    added: pairs.flatMap(({ dataset, stored }) => (stored ? [] : [dataset as DatasetInput])),
  };
}
