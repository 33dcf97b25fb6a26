import { type Connector, type ConnectorCreateRequest, endpoints } from "@lakehelm/contract";
import type { Stored } from "../../../core/store/collection.ts";
import { writtenTargets } from "../../connectors/connector-changes.ts";
import type { Connectors } from "../../connectors/connectors.ts";
import type { DeclaredDefinition } from "../../planned-definition.ts";
import type { LiveResource, PlannedKind } from "../planned-kind.ts";

interface LiveConnector extends LiveResource {
  readonly stored: Stored<Connector>;
}

export function connectorKind(connectors: Connectors): PlannedKind {
  const liveOf = (stored: Stored<Connector>): LiveConnector => {
    let declared: DeclaredDefinition | undefined;
    let hasRun: ReturnType<typeof writtenTargets> | undefined;
    return {
      id: stored.id,
      name: stored.doc.name,
      // Decrypted on demand: a plan of one connector does not decrypt the secrets of all others.
      get declared() {
        declared ??= connectors.declared(stored);
        return declared;
      },
      owner: stored.doc.created_by,
      jobId: stored.doc.workflow_id,
      problem: stored.doc.status === "failed" ? (stored.doc.error_message ?? "It failed.") : null,
      // Only platforms that run connectors themselves record watermarks.
      hasRun(target) {
        hasRun ??= writtenTargets(stored.doc);
        return hasRun(target);
      },
      stored,
    };
  };
  return {
    kind: "connector",
    schema: endpoints.createConnector.body,
    nameField: "name",
    fixed: [],
    live: async (environmentId) => (await connectors.inEnvironment(environmentId)).map(liveOf),
    async find(environmentId, name) {
      const stored = await connectors.find(environmentId, name);
      return stored && liveOf(stored);
    },
    async byId(environmentId, id) {
      const stored = await connectors.get(id);
      return stored?.environmentId === environmentId ? liveOf(stored) : undefined;
    },
    declare: (body, live, context) =>
      connectors.declare(
        body as ConnectorCreateRequest,
        (live as LiveConnector | undefined)?.stored,
        context,
      ),
    async create(definition, env, { context }) {
      const body = { created_by: context.actor, ...definition } as ConnectorCreateRequest;
      await connectors.create(body, env, { context, saveAnswer: () => [] });
    },
    async update({ id }, definition, _, { context }) {
      await connectors.replace(id, { created_by: "", ...definition } as ConnectorCreateRequest, { context });
    },
    async remove({ id }, _, { context }) {
      await connectors.remove(id, { context });
    },
  };
}
