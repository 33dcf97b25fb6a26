import type { RefusedResource } from "@lakehelm/contract";
import type { JoinedPage, Scope } from "../../core/store/collection.ts";
import type { Connectors } from "../connectors/connectors.ts";
import type { Flows } from "../flows/flows.ts";

const most = 50;

export interface RefusedResources {
  readonly refused: RefusedResource[];
  readonly refused_total: number;
}

/**
 * The connectors and flows that the platform refused. No run shows the refusal: a refused flow has no job, and a
 * refused connector keeps its former job.
 */
export async function refusedResources(
  connectors: Pick<Connectors, "page" | "environmentsOf">,
  flows: Pick<Flows, "page">,
  scope: Scope,
): Promise<RefusedResources> {
  const failed = { skip: 0, limit: most, status: "failed" };
  const [someFlows, someConnectors] = await Promise.all([
    flows.page(scope, failed),
    connectors.page(scope, failed),
  ]);
  const refused: RefusedResource[] = docsOf(someFlows).map(({ id, name, environment_id, error_message }) => ({
    kind: "flow",
    ...{ id, name, environment_id, error_message },
  }));
  for (const { id, name, error_message } of docsOf(someConnectors)) {
    // The connector may have been deleted meanwhile.
    const [environment_id] = (await connectors.environmentsOf(id)) ?? [];
    if (environment_id !== undefined)
      refused.push({ kind: "connector", id, name, environment_id, error_message });
  }
  return { refused, refused_total: someFlows.total + someConnectors.total };
}

const docsOf = <T>({ joined }: JoinedPage<T>): T[] => JSON.parse(`[${joined}]`) as T[];
