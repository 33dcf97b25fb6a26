import { type ConsumptionFlowInput, endpoints, type Flow } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import type { Flows } from "../../flows/flows.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

const liveOf = ({ id, doc }: Stored<Flow>): LiveResource => ({
  id,
  name: doc.name,
  declared: { open: doc.definition, masked: doc.definition },
  owner: doc.definition.requested_by ?? doc.created_by,
  jobId: doc.workflow_id,
  problem: doc.status === "failed" ? (doc.error_message ?? "It failed.") : null,
});

export function flowKind(flows: Flows): PlannedKind {
  return {
    kind: "flow",
    schema: endpoints.createFlow.body,
    nameField: "flow_name",
    fixed: [],
    live: async (environmentId) => (await flows.inEnvironment(environmentId)).map(liveOf),
    async find(environmentId, name) {
      const stored = await flows.find(environmentId, name);
      return stored && liveOf(stored);
    },
    async byId(environmentId, id) {
      const stored = await flows.get(id);
      return stored?.environmentId === environmentId ? liveOf(stored) : undefined;
    },
    declare({ paused: _, ...definition }) {
      return { open: definition, masked: definition };
    },
    async create(definition, env, { context }) {
      await flows.create(definition as ConsumptionFlowInput, env, { context, saveAnswer: () => [] });
    },
    async update({ id }, definition, _, { context }) {
      await flows.update(id, definition as ConsumptionFlowInput, { context });
    },
    async remove({ id }, _, { context }) {
      await flows.remove(id, { context });
    },
  };
}
