import { subjectKind } from "../../../core/store/store.ts";
import type { Settings } from "../../../settings.ts";
import type { Platform } from "../platform.ts";
import { checkCluster } from "./check.ts";
import type { Clusters } from "./clusters.ts";
import { createWarehouse, describeTable } from "./warehouse/index.ts";

/** Runs an environment on a Spark cluster, through its Spark Connect server. */
export function createSparkPlatform(clusters: Clusters, settings: Settings): Platform {
  return {
    name: "spark",
    capabilities: { connectorTargets: [] },
    warehouse: createWarehouse(clusters, settings),
    describeTable: describeTable(clusters),
    check: (environment, signal) => checkCluster(clusters, environment, signal),
    // Nothing was made there, so nothing is left there.
    perform: async ({ kind, subject }) =>
      kind.endsWith(".remove")
        ? { done: true, reference: null }
        : {
            done: false,
            reason: `The platform spark answers queries; it cannot run a ${subjectKind(subject)}.`,
          },
  };
}
