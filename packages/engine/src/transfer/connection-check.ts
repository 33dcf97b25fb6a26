import type { ConnectorSource } from "../connectors/source/source.ts";
import { openSource } from "../connectors/source-registry.ts";
import { openTarget } from "../connectors/target-registry.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { EngineRequests } from "../protocol/requests.ts";
import type { WarehouseScope } from "../protocol/scope.ts";
import type {
  ArrivingFile,
  ConnectionConfig,
  ConnectionFinding,
  Dataset,
  DatasetDescription,
} from "../protocol/transfer.ts";
import { fullName, parseTableName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { capturedDataset } from "./capture/captured-dataset.ts";
import { checkLog } from "./capture/log-check.ts";
import { WarehouseCheckpointStore } from "./checkpoint-store.ts";
import { readCheckpoint, streamId } from "./checkpoints.ts";
import { connectorContext } from "./connector-context.ts";
import { deliveryColumns } from "./delivery-run.ts";
import { decideDefinition } from "./source-definition.ts";
import { readDefinition } from "./stream-settings.ts";
import { transferredColumns } from "./transferred-columns.ts";

interface ConnectionRequest {
  readonly scope: WarehouseScope;
  readonly direction: "in" | "out";
  readonly connection: ConnectionConfig;
}

/** Checks the connection and its datasets, and for deliveries the warehouse tables as well. */
export async function checkConnection(
  request: EngineRequests["check"][0],
  context: RequestContext,
): Promise<ConnectionFinding[]> {
  const { datasets } = request;
  return [
    ...(await connectionFindings(request, datasets, context)),
    ...(request.hasOtherTables ? [] : await warehouseFindings(request, datasets, context)),
  ];
}

/** Lists the datasets that a connection offers. */
export async function discoverDatasets(
  request: ConnectionRequest,
  context: RequestContext,
): Promise<DatasetDescription[]> {
  const connector = await open(request, context);
  try {
    return await connector.discover();
  } finally {
    await connector.close();
  }
}

/** The files that a connection's datasets have now. */
export async function listFiles(
  { scope, connection, datasets }: EngineRequests["listFiles"][0],
  context: RequestContext,
): Promise<ArrivingFile[]> {
  const warehouse = await context.warehouse(scope.environment);
  const source = await openSource(connection, await connectorContext(connection, context, warehouse));
  try {
    if (!source.listFiles)
      throw new DataProblem("Only files in object storage can be waited for by a connection.");
    const found = new Map<string, ArrivingFile>();
    for (const dataset of datasets) {
      for (const file of await source.listFiles(dataset)) found.set(file.path, file);
    }
    return [...found.values()];
  } finally {
    await source.close();
  }
}

async function open({ scope, direction, connection }: ConnectionRequest, context: RequestContext) {
  const warehouse = await context.warehouse(scope.environment);
  const shared = await connectorContext(connection, context, warehouse);
  return direction === "in"
    ? openSource(connection, shared)
    : openTarget(connection, {
        ...shared,
        connector: "",
        checkpoints: new WarehouseCheckpointStore(warehouse, scope.catalog),
      });
}

/** A problem that prevents the connection from opening, such as a missing folder or key, is a finding too. */
async function connectionFindings(
  request: EngineRequests["check"][0],
  datasets: readonly Dataset[],
  context: RequestContext,
): Promise<readonly ConnectionFinding[]> {
  const names = datasets.map(({ source, target }) => (request.direction === "in" ? source : target));
  return problemsAsFindings(async () => {
    const connector = await open(request, context);
    try {
      const log = "changeLog" in connector ? connector.changeLog?.(request.connector) : undefined;
      const found = await (log ?? connector).check(names);
      if (log && "describe" in connector && found[0]?.ok) {
        for (const check of await checkLog(request, connector, log, context))
          found.push(...(await problemsAsFindings(check)));
      }
      if (!("describe" in connector) || found.some(({ ok }) => !ok)) return found;
      const columns = datasets.map((dataset) =>
        problemsAsFindings(async () => {
          const description = await connector.describe(dataset.source, dataset.target);
          const read = log
            ? capturedDataset(dataset, description, await log.identity(dataset.source))
            : dataset;
          const { columns } = transferredColumns(description, read);
          return log ? [] : await definitionFindings(request, connector, dataset, columns, context);
        }),
      );
      return [...found, ...(await Promise.all(columns)).flat()];
    } finally {
      await connector.close();
    }
  });
}

/** Whether the next run reads all rows, or none, because the source is defined differently than before. */
async function definitionFindings(
  { scope, connector }: EngineRequests["check"][0],
  source: Pick<ConnectorSource, "define">,
  dataset: Dataset,
  columns: readonly { readonly name: string }[],
  context: RequestContext,
): Promise<readonly ConnectionFinding[]> {
  const defined = await source.define?.(
    dataset.source,
    columns.map(({ name }) => name),
    dataset.target,
  );
  const warehouse = await context.warehouse(scope.environment);
  const { catalog } = parseTableName(dataset.target, scope);
  if (!defined || !warehouse.catalogs.includes(catalog)) return [];
  const { before, reached } = await inTransaction(warehouse, context.signal, async (connection) => ({
    before: await readDefinition(connection, catalog, dataset),
    reached: await readCheckpoint(connection, catalog, streamId(dataset)),
  }));
  const { action, sentence } = decideDefinition(
    { connector, dataset },
    defined,
    before,
    dataset.strategy === "replace" ? null : (reached?.value ?? null),
  );
  const notices = before === undefined && defined.notice !== undefined ? [defined.notice] : [];
  return [
    ...notices.map((notice) => ({ ok: true, sentence: notice })),
    ...(action === "keep" ? [] : [{ ok: action === "reload", sentence }]),
  ];
}

async function problemsAsFindings(
  check: () => Promise<readonly ConnectionFinding[]>,
): Promise<readonly ConnectionFinding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return [{ ok: false, sentence: error.message }];
  }
}

/** A delivery needs its warehouse tables. */
async function warehouseFindings(
  { scope, direction }: ConnectionRequest,
  datasets: readonly Dataset[],
  context: RequestContext,
): Promise<readonly ConnectionFinding[]> {
  if (direction === "in") return [];
  const warehouse = await context.warehouse(scope.environment);
  const all = datasets.map((dataset) =>
    problemsAsFindings(async () => {
      const name = parseTableName(dataset.source, scope);
      if (!(await warehouse.hasTable(name))) {
        return [{ ok: false, sentence: `The warehouse has no table ${fullName(name)} yet.` }];
      }
      await inTransaction(warehouse, context.signal, (connection) =>
        deliveryColumns(connection, name, dataset),
      );
      return [{ ok: true, sentence: `The table ${fullName(name)} is in the warehouse.` }];
    }),
  );
  return (await Promise.all(all)).flat();
}
