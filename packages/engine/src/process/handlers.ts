import { once } from "node:events";
import { readCatalog } from "../warehouse/catalog/catalog.ts";
import { changeMetadata } from "../warehouse/catalog/metadata.ts";
import { applyMetadata } from "../warehouse/catalog/metadata-script.ts";
import { readVersions } from "../warehouse/catalog/table-versions.ts";
import { runQuery } from "../warehouse/queries/query.ts";
import type { RequestHandlers } from "./request-handlers.ts";

/** Transfers need database drivers, and pipelines need the SQL library: both are loaded with the first such request. */
const transfer = async () => (await import("./transfer-handlers.ts")).transferHandlers;
const pipelines = async () => (await import("./pipeline-handlers.ts")).pipelineHandlers;

export const handlers: RequestHandlers = {
  query: async (query, { warehouse, signal }) =>
    runQuery(await warehouse(query.scope.environment), query, signal),
  catalog: async (request, { warehouse }) => readCatalog(await warehouse(request.scope.environment), request),
  metadata: async (change, { warehouse }) =>
    changeMetadata(await warehouse(change.scope.environment), change),
  applyMetadata: async ({ scope, sql }, { warehouse }) =>
    applyMetadata(await warehouse(scope.environment), scope, sql),
  alterTable: async (request, context) => {
    const { alterTable } = await import("../alteration/alter-table.ts");
    return alterTable(await context.warehouse(request.scope.environment), request, context);
  },
  versions: async ({ scope }, { warehouse }) => readVersions(await warehouse(scope.environment)),
  check: async (request, context) => (await transfer()).check(request, context),
  discover: async (request, context) => (await transfer()).discover(request, context),
  listFiles: async (request, context) => (await transfer()).listFiles(request, context),
  preview: async (request, context) => (await transfer()).preview(request, context),
  transfer: async (request, context) => (await transfer()).transfer(request, context),
  capture: async (request, context) => (await transfer()).capture(request, context),
  endCapture: async (request, context) => (await transfer()).endCapture(request, context),
  rejects: async (request, context) => (await transfer()).rejects(request, context),
  flow: async (request, context) => {
    const { runFlow } = await import("../flows/flow-run.ts");
    return runFlow(await context.warehouse(request.scope.environment), request, context);
  },
  flowPlan: async (request, { warehouse }) => {
    const { planFlowRun } = await import("../flows/flow-plan.ts");
    return planFlowRun(await warehouse(request.scope.environment), request);
  },
  pipelinePlan: async (request, context) => (await pipelines()).pipelinePlan(request, context),
  pipeline: async (request, context) => (await pipelines()).pipeline(request, context),
  removePipeline: async (request, context) => (await pipelines()).removePipeline(request, context),
  script: async (request, context) => (await pipelines()).script(request, context),
  scriptPlan: async (request, context) => (await pipelines()).scriptPlan(request, context),
  holdCommits: async ({ environment }, { holdCommits, signal, progress }) => {
    await holdCommits(environment, async () => {
      progress({ held: true });
      if (!signal.aborted) await once(signal, "abort");
    });
    return null;
  },
  dropWarehouse: async ({ environment }, { drop }) => {
    await drop(environment);
    return null;
  },
};
