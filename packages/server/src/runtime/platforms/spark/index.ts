import type { Settings } from "../../../settings.ts";
import { resourcesOf } from "../capabilities.ts";
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
    capabilities: { resources: resourcesOf.spark, connectorTargets: [] },
    warehouse,
    describeTable: async (...request) => (await loaded()).describe(...request),
    check: async (...request) => (await loaded()).check(...request),
    // It runs no resources, so there is nothing to do for them.
    perform: async () => ({ done: true, reference: null }),
    async close() {
      await (await loading)?.clusters.close();
    },
  };
}
