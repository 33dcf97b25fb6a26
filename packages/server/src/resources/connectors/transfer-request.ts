import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import {
  type Config,
  datasetSettingProblems,
  isLag,
  isMap,
  isTextList,
  missingColumnChoices,
  readTables,
} from "@lakehelm/contract/connections";
import type { ConnectionConfig, Dataset, TransferRequest, WarehouseScope } from "@lakehelm/engine";

/** The direction, connection and datasets of a connector's transfers. It holds secrets: only for the engine. */
export interface ConnectorTransfer extends Pick<TransferRequest, "scope" | "direction" | "connection"> {
  readonly datasets: readonly Dataset[];
}

/** Columns of a warehouse table that its tags mark as personal. */
export type PersonalColumns = (table: string) => Promise<readonly string[]>;

/** The engine's request for a connector, with its secrets; or every problem that prevents a run. */
export async function connectorTransfer(
  connector: Connector,
  scope: WarehouseScope,
  personalColumns: PersonalColumns,
): Promise<{ readonly transfer: ConnectorTransfer } | { readonly problems: readonly string[] }> {
  const route = routeOf(connector, scope);
  if ("problem" in route) return { problems: [route.problem] };
  const tagged = route.direction === "out" ? personalColumns : async () => [];
  const read = await Promise.all(
    (connector.datasets ?? []).map((dataset) => datasetOf(dataset, route, tagged)),
  );
  const problems = read.flatMap((one) => ("problems" in one ? one.problems : []));
  if (problems.length > 0) return { problems };
  return { transfer: { ...route, datasets: read.flatMap((one) => ("dataset" in one ? [one.dataset] : [])) } };
}

type TransferRoute = Omit<ConnectorTransfer, "datasets">;

/** Inbound if the warehouse is the target and a connection is given; otherwise outbound. */
export function routeOf(
  { name, target_type, target_config }: Connector,
  scope: WarehouseScope,
): TransferRoute | { problem: string } {
  if (target_type !== "warehouse") {
    return { scope, direction: "out", connection: { type: target_type, config: target_config } };
  }
  const { connection, catalog = scope.catalog, schema = scope.schema } = target_config;
  if (!isMap(connection) || typeof connection.type !== "string" || !isMap(connection.config)) {
    return {
      problem: `The connector "${name}" writes to the warehouse, so its target_config.connection must name the source: {"type": …, "config": {…}}.`,
    };
  }
  if (typeof catalog !== "string" || typeof schema !== "string") {
    return { problem: `The connector "${name}" has a target_config.catalog or schema that is not a string.` };
  }
  const from: ConnectionConfig = { type: connection.type, config: connection.config };
  return { scope: { ...scope, catalog, schema }, direction: "in", connection: from };
}

/** The settings of a dataset override those of the connection. */
async function datasetOf(
  stored: ConnectorDataset,
  { direction, connection }: TransferRoute,
  personalColumns: PersonalColumns,
): Promise<{ readonly dataset: Dataset } | { readonly problems: string[] }> {
  const custom = stored.custom_config ?? {};
  const suppressed = custom.pii_suppressed === true;
  const config = suppressed
    ? { ...connection.config, pii_columns: await personal(stored, connection.config, personalColumns) }
    : connection.config;
  const { tables, problems } = readTables(
    [
      {
        source_dataset: stored.source_dataset,
        target_name: stored.target_name,
        pii_suppressed: suppressed,
        watermark_column: custom.watermark_column,
        primary_keys: stored.primary_keys,
        write_strategy: stored.write_strategy,
      },
    ],
    config,
    direction === "in" ? "connection.config" : "target_config",
  );
  const { max_reject_share: share = 0.05, deletes = false, max_delete_share: deleteShare = 0.5 } = custom;
  const {
    on_missing_column = "keep",
    on_added_column = "null",
    on_lost_rows = "fail",
    watermark_lag: lag = 0,
  } = custom;
  const [table] = tables;
  const onMissingColumn = missingColumnChoices.find((choice) => choice === on_missing_column);
  const all = problems.map((problem) => problem.replace(/^table_configs\[0\]: /, ""));
  all.push(...datasetSettingProblems(custom, table, direction, config));
  if (all.length > 0 || !table || !onMissingColumn) {
    return { problems: all.map((problem) => `The dataset for "${stored.target_name}": ${problem}`) };
  }
  return {
    dataset: {
      id: stored.id,
      ...table,
      ...(isLag(lag) && lag > 0 && { watermarkLag: lag }),
      maxRejectShare: Number(share),
      deletes: deletes === true,
      maxDeleteShare: Number(deleteShare),
      onMissingColumn,
      ...(on_added_column === "backfill" && { onAddedColumn: on_added_column }),
      ...(on_lost_rows === "warn" && { onLostRows: on_lost_rows }),
    },
  };
}

/** The personal columns of a dataset: named by the connection or the dataset, or tagged in the catalog. */
async function personal(
  { source_dataset, custom_config }: ConnectorDataset,
  config: Config,
  personalColumns: PersonalColumns,
): Promise<unknown> {
  const named = config.pii_columns ?? [];
  if (!isTextList(named)) return named;
  const own = isTextList(custom_config?.pii_columns) ? custom_config.pii_columns : [];
  return [...new Set([...named, ...own, ...(await personalColumns(source_dataset))])];
}

/** The transfer of one dataset. */
export const transferRequest = (
  { scope, direction, connection }: ConnectorTransfer,
  dataset: Dataset,
  about: Pick<TransferRequest, "connector" | "run" | "retryRejects">,
): TransferRequest => ({ scope, direction, connection, dataset, ...about });
