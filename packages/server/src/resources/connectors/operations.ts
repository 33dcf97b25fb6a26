import type { Connector, Run } from "@lakehelm/contract";
import type {
  ArrivingFile,
  ConnectionFinding,
  Dataset,
  DatasetDescription,
  Preview,
  StoredReject,
} from "@lakehelm/engine";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { watchedDatasets } from "../../runtime/jobs/watched-datasets.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import type { Connectors } from "./connectors.ts";
import { credentialFields, requireReferencesInCredentials, secretDestinations } from "./document.ts";
import type { RemovedConnector } from "./log-removal.ts";
import { personalColumns } from "./personal-columns.ts";
import { concurrencyOf } from "./policy.ts";
import { type ConnectorTransfer, connectorTransfer, routeOf, transferRequest } from "./transfer-request.ts";

/** Connector operations: test the connection, list its datasets, preview a run, read and retry rejects. */
export interface ConnectorOperations {
  /** Everything that the engine needs, with secrets; throws 409 with every problem that prevents a run. */
  ready(
    id: string,
    signal: AbortSignal,
  ): Promise<{
    readonly env: EnvironmentContext;
    readonly connector: Connector;
    readonly transfer: ConnectorTransfer;
    /** How many datasets a run moves at the same time. */
    readonly concurrency: number;
  }>;
  check(id: string, signal: AbortSignal): Promise<readonly ConnectionFinding[]>;
  discover(id: string, signal: AbortSignal): Promise<readonly DatasetDescription[]>;
  preview(id: string, datasetId: string | undefined, signal: AbortSignal): Promise<[Dataset, Preview][]>;
  rejects(
    id: string,
    page: { readonly skip: number; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{
    readonly rejects: readonly StoredReject[];
    readonly total: number;
    readonly connector: Connector;
  }>;
  retryRejects(id: string, call: CreateRequest): Promise<Run>;
  /** Removes what a deleted connector, which read the log of its source, had created in that source. */
  endLog(
    connector: RemovedConnector,
    environmentId: string,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** The files in object storage that the connector's trigger waits for. */
  arrivals(id: string, path: string, signal: AbortSignal): Promise<readonly ArrivingFile[]>;
}

/** Queues a run now. */
export type RunNow = (
  jobId: string,
  call: CreateRequest,
  cause: { readonly reason: string; readonly parameters: Readonly<Record<string, unknown>> },
) => Promise<Run>;

interface OpenedConnector {
  readonly env: EnvironmentContext;
  readonly connector: Connector;
}

export function createConnectorOperations(
  connectors: Connectors,
  environments: Environments,
  secrets: SecretStore,
  runNow: RunNow,
): ConnectorOperations {
  /** The connector with its own secrets and the secrets that it refers to: for the platform only. */
  async function open(id: string): Promise<OpenedConnector> {
    const { doc, environmentId } = await connectors.withSecrets(id);
    return resolve(doc, environmentId);
  }

  async function resolve(doc: Connector, environmentId: string): Promise<OpenedConnector> {
    const env = await environments.actIn(environmentId);
    requireReferencesInCredentials(doc);
    const { target_config } = (await secrets.resolveReferences(
      environmentId,
      { target_config: doc.target_config },
      credentialFields(doc),
      secretDestinations(doc),
    )) as Pick<Connector, "target_config">;
    return { env, connector: { ...doc, target_config } };
  }

  const ready: ConnectorOperations["ready"] = async (id, signal) => {
    const { env, connector } = await open(id);
    const read = await connectorTransfer(connector, warehouseScope(env), personalColumns(env, signal));
    if ("problems" in read) throw conflict(read.problems.join(" "));
    return { env, connector, transfer: read.transfer, concurrency: concurrencyOf(connector) };
  };

  return {
    ready,
    async check(id, signal) {
      const found = await ready(id, signal).catch((error) => {
        // A problem that prevents the test, such as a missing secret, is its result.
        if (error instanceof Problem && error.kind === "conflict") return { sentence: error.message };
        throw error;
      });
      if ("sentence" in found) return [{ ok: false, sentence: found.sentence }];
      return requestWarehouse(found.env, "check", { ...found.transfer, connector: id }, signal);
    },
    async discover(id, signal) {
      const { env, transfer } = await ready(id, signal);
      const { scope, direction, connection } = transfer;
      return requestWarehouse(env, "discover", { scope, direction, connection }, signal);
    },
    async preview(id, datasetId, signal) {
      const { env, transfer } = await ready(id, signal);
      const selected = transfer.datasets.filter(
        (dataset) => datasetId === undefined || dataset.id === datasetId,
      );
      if (selected.length === 0 && datasetId !== undefined)
        throw notFound(`The connector ${id} has no dataset ${datasetId}.`);
      const previews: [Dataset, Preview][] = [];
      for (const dataset of selected) {
        const request = transferRequest(transfer, dataset, {
          connector: id,
          run: "preview",
          retryRejects: false,
        });
        previews.push([dataset, await requestWarehouse(env, "preview", request, signal)]);
      }
      return previews;
    },
    async rejects(id, page, signal) {
      const { doc: connector, environmentId } = await connectors.withSecrets(id);
      const env = await environments.actIn(environmentId);
      const datasets = (connector.datasets ?? []).map((dataset) => dataset.id);
      const request = { scope: warehouseScope(env), datasets, ...page };
      return { ...(await requestWarehouse(env, "rejects", request, signal)), connector };
    },
    async endLog(removed, environmentId, signal) {
      const { env, connector } = await resolve(connectors.unsealed(removed), environmentId);
      const route = routeOf(connector, warehouseScope(env));
      if ("problem" in route) throw conflict(route.problem);
      const { scope, connection } = route;
      const request = { scope, connector: connector.id, connection };
      return (await requestWarehouse(env, "endCapture", request, signal)).left;
    },
    async arrivals(id, path, signal) {
      const { env, connector, transfer } = await ready(id, signal);
      const { scope, connection } = transfer;
      const datasets = watchedDatasets(path, connection.config.path, connector.datasets ?? []);
      if (!datasets) throw conflict(`${path} is not below the path of the connection.`);
      return requestWarehouse(env, "listFiles", { scope, connection, datasets }, signal);
    },
    async retryRejects(id, call) {
      const { doc } = await connectors.withSecrets(id);
      if (doc.workflow_id === null) throw conflict(`The connector "${doc.name}" has no job to run.`);
      return runNow(doc.workflow_id, call, {
        reason: "retry of rejected rows",
        parameters: { retry_rejects: true },
      });
    },
  };
}
