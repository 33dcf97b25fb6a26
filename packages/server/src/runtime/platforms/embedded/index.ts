import { type Engine, type FolderAccess, generatedOnlyProblem } from "@lakehelm/engine";
import type { Dependencies } from "../../../core/dependencies.ts";
import type { JobSteps } from "../../jobs/job-steps.ts";
import { watchedPathProblem } from "../../jobs/watched-path.ts";
import type { Processes } from "../../processes/processes.ts";
import { resourcesOf, targetsOf } from "../capabilities.ts";
import type { Platform } from "../platform.ts";
import { createServerComponents } from "../server-components.ts";
import { createServerJobs } from "../server-jobs.ts";
import { checkEmbedded } from "./check.ts";
import { limitedWarehouse } from "./engine-limits.ts";

/**
 * The embedded platform. Its state is in our own store, so requests are part of the requesting transaction: they are
 * done with it or not at all, and survive a restart. Its data belongs to the engine. Only processes are started and
 * stopped after the transaction.
 */
export function createEmbeddedPlatform(
  { settings, system }: Pick<Dependencies, "settings" | "system">,
  jobs: JobSteps,
  engine: Engine,
  processes: Pick<Processes, "deploy" | "stop">,
  folders: FolderAccess,
): Platform {
  const pathProblem = (path: string) => watchedPathProblem(path, folders);
  const serverJobs = createServerJobs("embedded", { settings, system }, jobs, pathProblem);
  const components = createServerComponents("embedded", processes);

  return {
    name: "embedded",
    capabilities: {
      resources: resourcesOf.embedded,
      sourceProblem: generatedOnlyProblem,
      connectorTargets: targetsOf("byEngine"),
    },
    warehouse: limitedWarehouse(engine, settings),
    expectsTables: true,
    check: (environment, signal) => checkEmbedded(environment, settings, engine, signal),
    needsData: true,
    pathProblem,
    within: (request) => serverJobs.within(request) ?? components.within(request),
    perform: components.perform,
  };
}
