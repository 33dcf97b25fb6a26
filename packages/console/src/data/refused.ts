import { useConnectors } from "./connectors.ts";
import { useFlows } from "./flows.ts";

/** A connector or flow that the platform refused: it has no job, so it never runs. */
export interface RefusedResource {
  readonly kind: "connector" | "flow";
  readonly id: string;
  readonly name: string;
  /** Null: the API does not say it of connectors. */
  readonly environment_id: string | null;
  readonly cause: string;
}

/** Those of an environment, or of all. */
export function useRefused(environment: string | undefined): readonly RefusedResource[] {
  const filter = { environment, status: "failed" as const };
  const { connectors = [] } = useConnectors(filter).data ?? {};
  const { flows = [] } = useFlows(filter).data ?? {};
  const why = (message: string | null) => message ?? "The platform refused it and did not say why.";
  return [
    ...flows.map(({ id, name, environment_id, error_message }) => ({
      ...{ kind: "flow" as const, id, name, environment_id, cause: why(error_message) },
    })),
    ...connectors.map(({ id, name, error_message }) => ({
      ...{ kind: "connector" as const, id, name, environment_id: null, cause: why(error_message) },
    })),
  ];
}
