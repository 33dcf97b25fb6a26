import { type CatalogMetadataChange, DataProblem } from "@lakehelm/engine";
import { Problem } from "../../../../core/errors.ts";
import type { Settings } from "../../../../settings.ts";
import { changeMetadata, type MetadataAccess } from "../../metadata-change.ts";
import type { Platform, Warehouse } from "../../platform.ts";
import { tableMetadata } from "../../table-metadata.ts";
import type { Cluster, Clusters } from "../clusters.ts";
import { forCaller } from "../for-caller.ts";
import { readCatalog, readTable, rowsOf } from "./catalog.ts";
import { type QueryLimits, runQuery } from "./query.ts";

/** Queries, the catalog and descriptions of a Spark cluster. */
export function createWarehouse(
  clusters: Clusters,
  settings: Settings,
): Required<Pick<Warehouse, "query" | "catalog" | "metadata" | "applyMetadata">> {
  const limits: QueryLimits = {
    rows: settings.PLATFORM_QUERY_ROWS,
    timeoutMs: settings.PLATFORM_QUERY_TIMEOUT_SECONDS * 1000,
    answerBytes: settings.PLATFORM_QUERY_ANSWER_BYTES,
  };
  const change = async (
    environment: string,
    changes: readonly CatalogMetadataChange[],
    signal: AbortSignal,
  ) => {
    requireNoTags(changes);
    const cluster = await clusters.open(environment);
    return forCaller(() => changeMetadata(metadataAccess(cluster), changes, signal));
  };
  return {
    query: async (query, { signal }) =>
      forCaller(async () => runQuery(await clusters.open(query.scope.environment), query, limits, signal)),
    catalog: ({ scope, ...filter }, { signal }) =>
      forCaller(async () => {
        const cluster = await clusters.open(scope.environment);
        return cluster.read((session) => readCatalog(cluster, session, filter, signal));
      }),
    metadata: (one, { signal }) => change(one.scope.environment, [one], signal),
    applyMetadata: async ({ scope, sql }, { signal }) => {
      const { metadataChanges } = await import("@lakehelm/engine/metadata");
      return change(scope.environment, metadataChanges(scope, sql), signal);
    },
  };
}

const statementMs = 60_000;

const metadataAccess = (cluster: Cluster): MetadataAccess => ({
  readTable: (name, signal) => cluster.read((session) => readTable(session, name, signal)),
  run: (sql) => cluster.read((session) => rowsOf(session, sql, AbortSignal.timeout(statementMs))),
});

function requireNoTags(changes: readonly CatalogMetadataChange[]): void {
  const isTag = ({ tags }: { readonly tags?: object }) => tags !== undefined && Object.keys(tags).length > 0;
  if (changes.some((change) => isTag(change) || change.columns.some(isTag))) {
    throw new DataProblem("Tables on Spark have no tags. Only descriptions can be changed there.");
  }
}

/** Code can be generated for an environment whose cluster is not set up yet: its tables are then unknown. */
export const describeTable =
  (clusters: Clusters): NonNullable<Platform["describeTable"]> =>
  async (environmentId, name) => {
    const cluster = await clusters.open(environmentId).catch((error: unknown) => {
      if (error instanceof Problem && error.kind === "conflict") return undefined;
      throw error;
    });
    if (!cluster) return undefined;
    const signal = AbortSignal.timeout(30_000);
    const table = await forCaller(() => cluster.read((session) => readTable(session, name, signal)));
    return table && tableMetadata(table);
  };
