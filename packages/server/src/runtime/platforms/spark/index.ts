import { subjectKind } from "../../../core/store/store.ts";
import type { Settings } from "../../../settings.ts";
import type { Platform, Warehouse } from "../platform.ts";
import type { ClustersOptions } from "./clusters.ts";

export interface SparkPlatform extends Platform {
  close(): Promise<void>;
}

/** Runs an environment on a Spark cluster, through its Spark Connect server. */
export function createSparkPlatform(options: ClustersOptions, settings: Settings): SparkPlatform {
  /** Loaded when it is needed: most servers have no cluster. */
  let loading: ReturnType<typeof load> | undefined;
  async function load() {
    const { createClusters } = await import("./clusters.ts");
    const { createWarehouse, describeTable } = await import("./warehouse/index.ts");
    const { checkCluster } = await import("./check.ts");
    const clusters = createClusters(options);
    return {
      clusters,
      warehouse: createWarehouse(clusters, settings),
      describe: describeTable(clusters),
      check: (...[environment, signal]: Parameters<NonNullable<Platform["check"]>>) =>
        checkCluster(clusters, environment, signal),
    };
  }
  function loaded() {
    loading ??= load();
    return loading;
  }
  const warehouse: Warehouse = {
    query: async (...request) => (await loaded()).warehouse.query(...request),
    catalog: async (...request) => (await loaded()).warehouse.catalog(...request),
    metadata: async (...request) => (await loaded()).warehouse.metadata(...request),
    applyMetadata: async (...request) => (await loaded()).warehouse.applyMetadata(...request),
  };
  return {
    name: "spark",
    capabilities: { connectorTargets: [] },
    warehouse,
    describeTable: async (...request) => (await loaded()).describe(...request),
    check: async (...request) => (await loaded()).check(...request),
    // Nothing was made there, so nothing is left there.
    perform: async ({ kind, subject }) =>
      kind.endsWith(".remove") || kind === "component.stop"
        ? { done: true, reference: null }
        : {
            done: false,
            reason: `The platform spark answers queries; it cannot run a ${subjectKind(subject)}.`,
          },
    async close() {
      await (await loading)?.clusters.close();
    },
  };
}
