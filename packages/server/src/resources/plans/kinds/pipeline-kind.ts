import { endpoints, type PipelineSpec } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import type { PipelineDocument } from "../../pipelines/document.ts";
import type { Pipelines } from "../../pipelines/pipelines.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

interface LivePipeline extends LiveResource {
  readonly stored: Stored<PipelineDocument>;
}

export function pipelineKind(pipelines: Pipelines): PlannedKind {
  const liveOf = (stored: Stored<PipelineDocument>): LivePipeline => ({
    id: stored.id,
    name: stored.doc.name,
    declared: pipelines.declared(stored),
    jobId: stored.doc.platform_reference,
    problem: stored.doc.error_message,
    stored,
  });
  return {
    kind: "pipeline",
    schema: endpoints.createPipeline.body,
    nameField: "name",
    fixed: ["id"],
    live: async (environmentId) => (await pipelines.inEnvironment(environmentId)).map(liveOf),
    async find(environmentId, name) {
      const stored = await pipelines.find(environmentId, name);
      return stored && liveOf(stored);
    },
    declare: (body, live) =>
      pipelines.declare(body as PipelineSpec, (live as LivePipeline | undefined)?.stored),
    async create(definition, env, { context }) {
      await pipelines.create(definition as PipelineSpec, env, { context, saveAnswer: () => [] });
    },
    async update({ id }, definition, _, { context }) {
      await pipelines.replace(id, definition as PipelineSpec, { context });
    },
    async remove({ id }, _, { context }) {
      await pipelines.remove(id, { context });
    },
  };
}
