import type { Connector, ConnectorCreateRequest, Environment } from "@lakehelm/contract";
import {
  type CredentialPath,
  connectionKind,
  credentialFieldNames,
  isCredential,
  isMap,
  isTargetCredential,
  targetHosts,
} from "@lakehelm/contract/connections";
import { encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import type { SealedMaps } from "../../core/secrets/encrypted-map.ts";
import { type CredentialFields, misplacedReferences, pathText } from "../../core/secrets/references.ts";
import {
  type DestinationAt,
  destinationOf as hostDestination,
} from "../../core/secrets/secret-destination.ts";
import type { FreeFormMap } from "../../core/secrets/secret-path.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { jobPolicyOf } from "./policy.ts";

/** A connector as it was declared, before any request to the platform. */
export function declaredConnector(
  id: string,
  body: ConnectorCreateRequest,
  context: ChangeContext,
  status: "created" | "paused" = "created",
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
    status,
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

export const isSupported = (env: EnvironmentContext, doc: Connector) =>
  supportProblem(env, doc) === undefined;

function supportProblem(
  { platform: { name, capabilities } }: EnvironmentContext,
  { target_type, target_config: { connection } }: Connector,
): string | undefined {
  if (!capabilities.connectorTargets.includes(target_type))
    return `The platform ${name} does not run targets of type "${target_type}".`;
  if (target_type !== "warehouse" || !isMap(connection)) return undefined;
  return capabilities.sourceProblem?.(String(connection.type));
}

/** The job of a connector for the platform: its trigger, and its settings. Secrets are masked. */
export const jobOf = (doc: Connector, { configuration }: Environment) => ({
  name: doc.name,
  execution_mode: doc.execution_mode,
  schedule_cron: doc.schedule_cron,
  timezone: configuration.timezone ?? null,
  // Catalog and schema complete the names of the tables that the job waits for.
  catalog: configuration.catalog ?? null,
  schema: configuration.schema ?? null,
  table_update_config: doc.table_update_config,
  file_arrival_config: doc.file_arrival_config,
  target_type: doc.target_type,
  target_config: doc.target_config,
  datasets: doc.datasets,
  policy: jobPolicyOf(doc.policy),
});

/** A target or source that the platform does not support keeps the status "created", with the reason. */
export function withSupportProblem(doc: Connector, env: EnvironmentContext): Connector {
  const reason = supportProblem(env, doc);
  return reason === undefined ? doc : { ...doc, status: "created", error_message: reason };
}

/** The credential fields of a connector, as its kind declares them. */
export const credentialFields =
  ({ target_type, target_config }: Connector): CredentialFields =>
  ([root, ...path]) =>
    root === "target_config" && isTargetCredential(target_type, target_config, path);

/**
 * Throws 409 for a reference outside a credential field, which would show its secret as a path, a name or data. Returns
 * whether the connector has references.
 */
export function requireReferencesInCredentials(connector: Connector): boolean {
  // The error message is from the platform, not from the caller.
  const doc: Connector = { ...connector, error_message: null };
  // Most connectors have no references, which one native search shows.
  if (!encodeJson(doc).includes("{{secrets/")) return false;
  const [misplaced] = misplacedReferences(doc, credentialFields(doc));
  if (!misplaced) return true;
  const names = credentialFieldNames(doc.target_type, doc.target_config);
  throw conflict(
    `${pathText(misplaced)}: A reference to a secret is accepted only in a credential field. ${
      names.length === 0 ? "This kind of connection has none." : `Here these are: ${names.join(", ")}.`
    }`,
  );
}

/** The hosts that each credential of a connector is sent to. */
export const secretDestinations =
  ({ target_type, target_config }: Pick<Connector, "target_type" | "target_config">): DestinationAt =>
  ([, ...path]) =>
    hostDestination(targetHosts(target_type, target_config, path));

/** The fields that decide where a connector sends its credentials. */
export const destinationOf = ({ target_type, target_config }: Connector) => ({ target_type, target_config });

/**
 * The free-form maps of a connector, which may hold secrets. Datasets are keyed by id, because their order may change.
 */
const freeForm = (doc: Connector): FreeFormMap => ({
  target_config: doc.target_config,
  table_update_config: doc.table_update_config,
  file_arrival_config: doc.file_arrival_config,
  cluster_config: doc.cluster_config,
  datasets: Object.fromEntries((doc.datasets ?? []).map(({ id, custom_config }) => [id, custom_config])),
});

function withFreeForm(doc: Connector, tree: FreeFormMap): Connector {
  // Masking and restoring replace strings with strings: the shape stays the same.
  const { datasets, ...maps } = tree as ReturnType<typeof freeForm> & {
    datasets: Record<string, FreeFormMap | null>;
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
  const isSameType = doc.target_type === before?.doc.target_type;
  if (before && isSameType && freeFormKeys.every((key) => doc[key] === before.doc[key])) {
    const { sealed } = before;
    return { doc, sealed, open: () => openConnector(maps, doc, sealed) };
  }
  const stored = before && { masked: freeForm(before.doc), sealed: before.sealed };
  const { masked, sealed, open } = maps.seal(freeForm(doc), stored, {
    keyed: ["datasets"],
    isSameDestination: () => isSameType,
    isCredential: declaredCredentials(doc),
  });
  return { doc: withFreeForm(doc, masked), sealed, open: () => withFreeForm(doc, open()) };
}

/** The stored connector, masked by the current rules. */
export function resealConnector(maps: SealedMaps, doc: Connector, before: string | null) {
  const options = { keyed: ["datasets"], isCredential: declaredCredentials(doc) };
  const { masked, sealed } = maps.reseal({ masked: freeForm(doc), sealed: before }, options);
  return { doc: withFreeForm(doc, masked), sealed };
}

/** Whether the schema of the connector's kind declares the field at a path as a credential. */
function declaredCredentials({ target_type, target_config }: Connector) {
  const { connection } = target_config;
  const isInbound = target_type === "warehouse" && isMap(connection);
  const kind = isInbound ? String(connection.type) : target_type;
  const isKnown = connectionKind(kind) !== undefined;
  const depth = isInbound ? 4 : 2;
  return (path: CredentialPath) =>
    isKnown &&
    path.length === depth &&
    path[0] === "target_config" &&
    (!isInbound || (path[1] === "connection" && path[2] === "config")) &&
    isCredential(kind, path.slice(-1));
}

/** The connector with its secrets, for the platform. */
export const openConnector = (maps: SealedMaps, doc: Connector, sealed: string | null): Connector =>
  withFreeForm(doc, maps.open(freeForm(doc), sealed));
