import { readCatalog } from "../warehouse/catalog/catalog.ts";
import { changeMetadata } from "../warehouse/catalog/metadata.ts";
import { applyMetadata } from "../warehouse/catalog/metadata-script.ts";
import { readVersions } from "../warehouse/catalog/table-versions.ts";
import { runQuery } from "../warehouse/queries/query.ts";
import type { RequestHandlers } from "../warehouse/request-context.ts";

/** What moves data brings its drivers along: it is loaded when data is first moved. */
const moving = async () => (await import("../transfer/connection-check.ts")).movementHandlers;

const pipelines = async () => (await import("./pipeline-handlers.ts")).pipelineHandlers;

/** Who answers what. */
export const handlers: RequestHandlers = {
  query: async (query, { warehouse, signal }) =>
    runQuery(await warehouse(query.scope.environment), query, signal),
  catalog: async (asked, { warehouse }) => readCatalog(await warehouse(asked.scope.environment), asked),
  metadata: async (change, { warehouse }) =>
    changeMetadata(await warehouse(change.scope.environment), change),
  applyMetadata: async ({ scope, sql }, { warehouse }) =>
    applyMetadata(await warehouse(scope.environment), scope, sql),
  versions: async ({ scope }, { warehouse }) => readVersions(await warehouse(scope.environment)),
  check: async (asked, handling) => (await moving()).check(asked, handling),
  discover: async (asked, handling) => (await moving()).discover(asked, handling),
  preview: async (movement, handling) => (await moving()).preview(movement, handling),
  transfer: async (movement, handling) => (await moving()).transfer(movement, handling),
  rejects: async (asked, handling) => (await moving()).rejects(asked, handling),
  flow: async (run, handling) => {
    const { runFlow } = await import("../flows/flow-run.ts");
    return runFlow(await handling.warehouse(run.scope.environment), run, handling);
  },
  pipelinePlan: async (code, handling) => (await pipelines()).pipelinePlan(code, handling),
  pipeline: async (update, handling) => (await pipelines()).pipeline(update, handling),
  removePipeline: async (gone, handling) => (await pipelines()).removePipeline(gone, handling),
  script: async (script, handling) => (await pipelines()).script(script, handling),
  scriptPlan: async (script, handling) => (await pipelines()).scriptPlan(script, handling),
  dropWarehouse: async ({ environment }, { drop }) => {
    await drop(environment);
    return null;
  },
};
