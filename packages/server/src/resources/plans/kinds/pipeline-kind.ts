import { endpoints, type PipelineSpec } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import type { PipelineDocument } from "../../pipelines/document.ts";
import type { Pipelines } from "../../pipelines/pipelines.ts";
import type { DeclaredDefinition } from "../../planned-definition.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

interface LivePipeline extends LiveResource {
  readonly stored: Stored<PipelineDocument>;
}

export function pipelineKind(pipelines: Pipelines): PlannedKind {
  const liveOf = (stored: Stored<PipelineDocument>): LivePipeline => {
    let declared: DeclaredDefinition | undefined;
    return {
      id: stored.id,
      name: stored.doc.name,
      // Decrypted on demand, as for connectors.
      get declared() {
        declared ??= pipelines.declared(stored);
        return declared;
      },
      owner: stored.doc.created_by,
      jobId: stored.doc.platform_reference,
      problem: stored.doc.error_message,
      stored,
    };
  };
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
    async byId(environmentId, id) {
      const stored = await pipelines.get(id);
      return stored?.environmentId === environmentId ? liveOf(stored) : undefined;
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
