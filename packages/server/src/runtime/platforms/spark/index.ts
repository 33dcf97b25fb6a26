import { type Engine, type FolderAccess, generatedOnlyProblem } from "@lakehelm/engine";
import type { Dependencies } from "../../../core/dependencies.ts";
import type { JobSteps } from "../../jobs/job-steps.ts";
import type { TaskProcesses } from "../../processes/tasks/task-processes.ts";
import { resourcesOf, targetsOf } from "../capabilities.ts";
import { limitedWarehouse } from "../embedded/engine-limits.ts";
import type { Platform, Warehouse } from "../platform.ts";
import { isComponentRequest } from "../platform-request.ts";
import type { ServerComponents } from "../server-components.ts";
import { createServerJobs } from "../server-jobs.ts";
import type { ClustersOptions } from "./clusters.ts";
import { clusterCredentialHost, clusterKeys } from "./configuration.ts";

export interface SparkPlatform extends Platform {
  close(): Promise<void>;
}

/** What this server does itself for environments on Spark. */
interface ServerParts {
  readonly jobs: JobSteps;
  /** Reads the sources of connectors. */
  readonly engine: Pick<Engine, "request">;
  /** Where rows may be staged. */
  readonly folders: FolderAccess;
  readonly components: ServerComponents;
  readonly pipelineExists: (id: string) => Promise<boolean>;
  /** Runs Python libraries of pipelines. */
  readonly taskProcesses: Pick<TaskProcesses, "run" | "abandon">;
  /** Why a job could never wait for files at a path. */
  readonly pathProblem: (path: string) => string | undefined;
}

/**
 * Runs an environment on a Spark cluster, through its Spark Connect server. Jobs are triggered and run by this server;
 * the cluster has the tables and executes statements.
 */
export function createSparkPlatform(
  options: ClustersOptions,
  { settings, system }: Pick<Dependencies, "settings" | "system">,
  { jobs, engine, folders, components, pathProblem, pipelineExists, taskProcesses }: ServerParts,
): SparkPlatform {
  const serverJobs = createServerJobs("spark", { settings, system }, jobs, pathProblem);
  /** Loaded when it is needed: most servers have no cluster. */
  let loading: ReturnType<typeof load> | undefined;
  async function load() {
    const { createClusters } = await import("./clusters.ts");
    const { createWarehouse } = await import("./warehouse/index.ts");
    const { checkCluster } = await import("./check.ts");
    const { accessOf, checkTables, withTransfers } = await import("./transfers.ts");
    const { createClusterEngine } = await import("./work/index.ts");
    const clusters = createClusters(options);
    const warehouse = createWarehouse(clusters, settings);
    const statements = createClusterEngine(clusters, {
      ...{ ...warehouse, now: system.now, pipelineExists },
      python: { programs: settings.PLATFORM_SPARK_PYTHON, processes: taskProcesses },
    });
    return {
      clusters,
      warehouse,
      engine: withTransfers(clusters, engine, statements),
      checkTables: checkTables(clusters),
      accessOf: async (environment: string) => accessOf(await clusters.open(environment)),
      check: (...[environment, signal]: Parameters<NonNullable<Platform["check"]>>) =>
        checkCluster(
          { clusters, folders, egress: options.rules, pythons: settings.PLATFORM_SPARK_PYTHON },
          environment,
          signal,
        ),
    };
  }
  function loaded() {
    loading ??= load();
    return loading;
  }
  const { discover, listFiles, rejects, endCapture, check, preview } = limitedWarehouse(engine, settings);
  const warehouse: Warehouse = {
    // The sources of connectors are read by this server.
    ...{ discover, listFiles, rejects, endCapture },
    async check(body, options) {
      const { checkTables } = await loaded();
      return [
        ...(await check({ ...body, hasOtherTables: true }, options)),
        ...(body.direction === "out" ? await checkTables(body, options.signal) : []),
      ];
    },
    preview: async (body, given) =>
      preview({ ...body, cluster: await (await loaded()).accessOf(body.scope.environment) }, given),
    query: async (...request) => (await loaded()).warehouse.query(...request),
    catalog: async (...request) => (await loaded()).warehouse.catalog(...request),
    metadata: async (...request) => (await loaded()).warehouse.metadata(...request),
    scriptPlan: async (body, given) => (await loaded()).engine.request("scriptPlan", body, given),
    pipelinePlan: async (body, given) => (await loaded()).engine.request("pipelinePlan", body, given),
    flowPlan: async (body, given) => (await loaded()).engine.request("flowPlan", body, given),
    applyMetadata: async (...request) => (await loaded()).warehouse.applyMetadata(...request),
    alterTable: async (...request) => (await loaded()).warehouse.alterTable(...request),
  };
  return {
    name: "spark",
    configurationKeys: clusterKeys,
    credentialHost: clusterCredentialHost,
    capabilities: {
      resources: resourcesOf.spark,
      sourceProblem: generatedOnlyProblem,
      connectorTargets: targetsOf("byEngine"),
    },
    warehouse,
    engine: {
      request: async (...request) => (await loaded()).engine.request(...request),
    },
    check: async (...request) => (await loaded()).check(...request),
    pathProblem,
    // Only processes are started after the transaction, by the holder of the data folder.
    needsData: isComponentRequest,
    within: (request) => serverJobs.within(request) ?? components.within(request),
    perform: components.perform,
    async close() {
      await (await loading)?.clusters.close();
    },
  };
}
