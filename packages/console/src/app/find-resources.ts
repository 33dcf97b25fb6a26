import { api } from "./client.ts";

export interface Finding {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

const most = 5;

/** Resources whose name contains a text. A kind whose list cannot be read is left out. */
export async function findResources(
  text: string,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const query = { search: text, limit: most, ...(environment !== undefined && { environment }) };
  const lists = await Promise.allSettled([
    api
      .listConnectors({ query, signal })
      .then(({ connectors }) =>
        connectors.map(({ id, name }) => ({ kind: "Connector", name, path: `/connectors/${id}` })),
      ),
    api.listAutomations({ query: { search: text, limit: most }, signal }).then(({ automations }) =>
      automations.map(({ alias }) => ({
        kind: "Automation",
        name: alias,
        path: `/automations/${encodeURIComponent(alias)}`,
      })),
    ),
    api
      .listAgents({ query: { search: text, limit: most }, signal })
      .then(({ agents }) => agents.map(({ id, name }) => ({ kind: "Agent", name, path: `/agents/${id}` }))),
    api
      .listApps({ query, signal })
      .then(({ apps }) => apps.map(({ id, name }) => ({ kind: "App", name, path: `/apps/${id}` }))),
    api
      .listEnvironments({ query: { search: text, limit: most }, signal })
      .then(({ environments }) =>
        environments.map(({ id, name }) => ({ kind: "Environment", name, path: `/environments/${id}` })),
      ),
    api.listPlans({ query, signal }).then(({ plans }) =>
      plans.map(({ id, project_name, environment }) => ({
        kind: "Plan",
        name: `${project_name} in ${environment}`,
        path: `/plans/${id}`,
      })),
    ),
    api.listDeployments({ query, signal }).then(({ deployments }) =>
      deployments.map(({ id, deployment_name }) => ({
        kind: "Deployment",
        name: deployment_name ?? id,
        path: `/deployments/${id}`,
      })),
    ),
    api
      .readCatalog({
        query: { search: text, limit: most },
        ...(environment !== undefined && { environment }),
        signal,
      })
      .then(({ tables }) =>
        tables.map(({ catalog, schema, name }) => ({
          kind: "Table",
          name: `${schema}.${name}`,
          path: `/catalog/${[catalog, schema, name].map(encodeURIComponent).join("/")}`,
        })),
      ),
    api
      .listFlows({ query, signal })
      .then(({ flows }) => flows.map(({ id, name }) => ({ kind: "Flow", name, path: `/flows/${id}` }))),
    api.listPipelines({ query, signal }).then(({ pipelines }) =>
      pipelines.map(({ pipeline_id, name }) => ({
        kind: "Pipeline",
        name,
        path: `/pipelines/${pipeline_id}`,
      })),
    ),
  ]);
  return lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
}
