import type { Connector, ConnectorCreateRequest, Environment } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";

/** A connector as it was declared, before any request to the platform. */
export function declaredConnector(
  id: string,
  body: ConnectorCreateRequest,
  context: ChangeContext,
): Connector {
  return {
    id,
    name: body.name,
    target_type: body.target_type,
    target_config: body.target_config ?? {},
    execution_mode: body.execution_mode,
    schedule_cron: body.schedule_cron ?? null,
    table_update_config: body.table_update_config ?? null,
    file_arrival_config: body.file_arrival_config ?? null,
    compute_type: "serverless",
    cluster_config: null,
    status: "created",
    git_commit_id: null,
    git_branch: null,
    workflow_id: null,
    artifacts_path: null,
    error_message: null,
    created_at: context.time,
    updated_at: context.time,
    created_by: body.created_by,
    updated_by: null,
    datasets: null,
  };
}

export const isSupported = ({ platform }: EnvironmentContext, { target_type }: Connector) =>
  platform.capabilities.connectorTargets.includes(target_type);

/** The job of a connector for the platform: its trigger, and its settings. Secrets are masked. */
export const jobOf = (doc: Connector, { configuration }: Environment) => ({
  name: doc.name,
  execution_mode: doc.execution_mode,
  schedule_cron: doc.schedule_cron,
  timezone: configuration.timezone ?? null,
  // Completes the names of the tables that it waits for.
  catalog: configuration.catalog ?? null,
  schema: configuration.schema ?? null,
  table_update_config: doc.table_update_config,
  file_arrival_config: doc.file_arrival_config,
  target_type: doc.target_type,
  target_config: doc.target_config,
  datasets: doc.datasets,
});

/** A target that the platform does not support keeps the status "created", with the reason. */
export function withSupportProblem(doc: Connector, env: EnvironmentContext): Connector {
  if (isSupported(env, doc)) return doc;
  const reason = `The platform ${env.platform.name} does not run targets of type "${doc.target_type}".`;
  return { ...doc, status: "created", error_message: reason };
}
