import type { CatalogMetadataChange } from "@lakehelm/engine";
import type { Settings } from "../../../../settings.ts";
import { changeMetadata, type MetadataAccess } from "../../metadata-change.ts";
import { afterChange } from "../../metadata-steps.ts";
import type { Warehouse } from "../../platform.ts";
import type { Cluster, Clusters } from "../clusters.ts";
import { forCaller } from "../for-caller.ts";
import { type FullName, readCatalog, readTable, rowsOf } from "./catalog.ts";
import { type QueryLimits, runQuery } from "./query.ts";
import { setTags } from "./tags.ts";

/** Queries, the catalog and descriptions of a Spark cluster. */
export function createWarehouse(
  clusters: Clusters,
  settings: Settings,
): Required<Pick<Warehouse, "query" | "catalog" | "metadata" | "applyMetadata" | "alterTable">> {
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
    const cluster = await clusters.open(environment);
    return forCaller(() => changeMetadata(metadataAccess(cluster, environment), changes, signal));
  };
  return {
    query: async (query, { signal }) =>
      forCaller(async () => runQuery(await clusters.open(query.scope.environment), query, limits, signal)),
    catalog: ({ scope, ...filter }, { signal }) =>
      forCaller(async () => {
        const cluster = await clusters.open(scope.environment);
        return cluster.read((session) => readCatalog(cluster, session, filter, signal));
      }),
    alterTable: (request, { signal }) =>
      forCaller(async () => {
        // Loaded when it is needed: few callers alter tables.
        const { alterTable } = await import("./alter-table.ts");
        return alterTable(await clusters.open(request.scope.environment), request, signal);
      }),
    metadata: (one, { signal }) => change(one.scope.environment, [one], signal),
    applyMetadata: async ({ scope, sql }, { signal }) => {
      const { metadataChanges } = await import("@lakehelm/engine/metadata");
      return change(scope.environment, metadataChanges(scope, sql), signal);
    },
  };
}

const statementMs = 60_000;

function metadataAccess(cluster: Cluster, environment: string): MetadataAccess {
  const { catalog, schema } = cluster.configuration;
  const readOne = (name: FullName, signal: AbortSignal) =>
    cluster.read((session) => readTable(session, name, signal));
  const run = (sql: string) =>
    cluster.read((session) => rowsOf(session, sql, AbortSignal.timeout(statementMs)));
  return {
    readTable: readOne,
    async run(sql) {
      if (!tagStatement.test(sql)) return run(sql);
      const { metadataChanges } = await import("@lakehelm/engine/metadata");
      for (const change of metadataChanges({ environment, catalog, schema }, sql)) {
        const table = await readOne(change, AbortSignal.timeout(statementMs));
        if (table) await run(setTags(afterChange(table, change)));
      }
      return undefined;
    },
  };
}

/** Matches only the statements that change tags: the text of a `COMMENT ON` can contain the same words. */
const tagStatement = /^ALTER (?:TABLE|VIEW) .* (?:SET|UNSET) TAGS \(/s;
