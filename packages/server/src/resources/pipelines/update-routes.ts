import { type endpoints, StartUpdateRequest } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { requestWarehouse } from "../../runtime/platforms/warehouse.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { ReadPipelineCode } from "./pipeline-code.ts";
import type { PipelineStatus } from "./pipeline-status.ts";
import type { Pipelines } from "./pipelines.ts";
import { unknownOptionProblem } from "./update-request.ts";
import type { Updates } from "./updates.ts";

type Routes =
  | "startPipelineUpdate"
  | "listPipelineUpdates"
  | "getPipelineUpdate"
  | "stopPipeline"
  | "listPipelineEvents"
  | "getPipelineGraph";

export function updateHandlers(
  updates: Updates,
  pipelines: Pick<Pipelines, "text" | "read">,
  environments: Pick<Environments, "actIn">,
  status: PipelineStatus,
  read: ReadPipelineCode,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async startPipelineUpdate(call) {
      const request = call.body ?? StartUpdateRequest.check({}, [], []);
      const unknown = unknownOptionProblem(request);
      if (unknown !== undefined) throw conflict(unknown);
      return { body: await updates.start(call.params.pipeline_id, request, call) };
    },
    async listPipelineUpdates({ params, query }) {
      return { body: await updates.page(params.pipeline_id, query) };
    },
    async getPipelineUpdate({ params }) {
      return { body: await updates.read(params.pipeline_id, params.update_id) };
    },
    async stopPipeline({ params, body, context }) {
      await updates.stop(params.pipeline_id, body?.reason ?? null, context);
      const { text, version } = await pipelines.text(params.pipeline_id);
      return { text: await status.of(text), version };
    },
    async listPipelineEvents({ params, query }) {
      return { body: await updates.events(params.pipeline_id, query) };
    },
    async getPipelineGraph({ params, query, signal }) {
      const { doc } = await pipelines.read(params.pipeline_id);
      const { platform } = await environments.actIn(doc.environment_id);
      if (platform.pipelineGraph && doc.platform_reference !== null) {
        return { body: await platform.pipelineGraph(doc.environment_id, doc.platform_reference) };
      }
      const { env, code, problems, redaction } = await read(params.pipeline_id);
      const plan =
        code.sources.length > 0 &&
        requestWarehouse(env, "pipelinePlan", { ...code, types: query.types }, signal);
      const planned = redaction.tree((await plan) || { problems: [], tables: [] });
      return {
        body: {
          problems: [...problems, ...planned.problems],
          tables: planned.tables.map((table) => ({
            ...table,
            reads: [...table.reads],
            streams: [...table.streams],
            columns: table.columns.map((column) => ({
              ...column,
              from: column.from.map(({ table, column }) => ({ table, column })),
            })),
            expectations: table.expectations.map((expectation) => ({ ...expectation })),
          })),
        },
      };
    },
  };
}
