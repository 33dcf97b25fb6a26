import type { Connector, ConnectorCreateRequest, Environment } from "@lakehelm/contract";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";
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

type FreeFormMaps = Readonly<Record<string, unknown>>;

/** The free-form maps of a connector, which may hold secrets. Datasets by id, because their order changes. */
const freeForm = (doc: Connector): FreeFormMaps => ({
  target_config: doc.target_config,
  table_update_config: doc.table_update_config,
  file_arrival_config: doc.file_arrival_config,
  cluster_config: doc.cluster_config,
  datasets: Object.fromEntries((doc.datasets ?? []).map(({ id, custom_config }) => [id, custom_config])),
});

function withFreeForm(doc: Connector, tree: FreeFormMaps): Connector {
  // Masking and restoring replace strings with strings: the shape stays the same.
  const { datasets, ...maps } = tree as ReturnType<typeof freeForm> & {
    datasets: Record<string, FreeFormMaps | null>;
  };
  return {
    ...doc,
    ...(maps as Pick<Connector, "target_config">),
    datasets:
      doc.datasets?.map((dataset) => ({ ...dataset, custom_config: datasets[dataset.id] ?? null })) ?? null,
  };
}

const freeFormKeys = [
  "target_config",
  "table_update_config",
  "file_arrival_config",
  "cluster_config",
  "datasets",
] as const;

/**
 * The connector with masked secrets, and the secrets separately; a mask in it keeps the secret of `before`. Most
 * changes leave all maps unchanged: then nothing is decrypted and encrypted again.
 */
export function sealConnector(
  maps: SealedMaps,
  doc: Connector,
  before?: { readonly doc: Connector; readonly sealed: string | null },
) {
  if (before && freeFormKeys.every((key) => doc[key] === before.doc[key])) {
    return { doc, sealed: before.sealed };
  }
  const { masked, sealed } = maps.seal(freeForm(doc), before?.sealed);
  return { doc: withFreeForm(doc, masked), sealed };
}

/** The connector with its secrets, for the platform. */
export const openConnector = (maps: SealedMaps, doc: Connector, sealed: string | null): Connector =>
  withFreeForm(doc, maps.open(freeForm(doc), sealed));
