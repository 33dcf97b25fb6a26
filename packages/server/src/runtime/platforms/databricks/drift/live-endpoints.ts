import { readEndpoint, sharedTags, type WorkspaceEndpoint } from "../components/workspace-endpoints.ts";
import { createTurns, type LiveKind } from "./live-kind.ts";
import { fieldName } from "./settings-difference.ts";

/** The fields that we declare of a served model. The service adds its state, its creator and more. */
const declarable = [
  "name",
  "entity_name",
  "entity_version",
  "workload_size",
  "workload_type",
  "scale_to_zero_enabled",
];

/** The list of endpoints has no sizes and no variables, so endpoints are read one by one. */
export function liveEndpoints(now: () => number): LiveKind {
  const turns = createTurns(now);
  return {
    shape: {
      watched: new Set(["suspend"]),
      defaults: { workload_type: ["CPU"] },
      itemKeys: { served_entities: "name" },
      mayBeHidden: new Set(),
    },
    adoption: (_, difference) => ({
      problem:
        fieldName(difference) === "suspend"
          ? "Somebody stopped the endpoint. Stop it here, which deletes it there; to start it again, revert."
          : `An endpoint serves what the version of its agent says, so ${fieldName(difference)} cannot be adopted. Register and activate a version with this in its metadata, or revert it.`,
    }),
    goneAdvice: ({ name }) => `To have none, stop the endpoint of "${name}" here; to have it again, revert.`,
    async open(client, things) {
      const isNext = turns(things);
      return async (thing) => {
        if (!isNext(thing)) return undefined;
        const endpoint = await readEndpoint(client, thing.reference);
        if (!endpoint) return null;
        // Before the endpoint serves anything for the first time, there is nothing to compare.
        if (!endpoint.config) return undefined;
        return { declared: thing.settings, live: liveSettings(endpoint) };
      };
    },
  };
}

function liveSettings(endpoint: WorkspaceEndpoint) {
  const entities = (endpoint.config?.served_entities ?? []) as readonly Readonly<Record<string, unknown>>[];
  return {
    served_entities: entities.map((entity) => ({
      ...Object.fromEntries(
        declarable.flatMap((key) => (entity[key] === undefined ? [] : [[key, entity[key]]])),
      ),
      environment_vars: entity.environment_vars,
    })),
    tags: sharedTags(endpoint),
    suspend: endpoint.state?.suspend === "STOPPED" ? "STOPPED" : undefined,
  };
}
