import { type Config, isMap } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";

/** The settings of a job cluster, which has no autotermination. */
const clusterKeys = [
  "spark_version",
  "node_type_id",
  "driver_node_type_id",
  "instance_pool_id",
  "driver_instance_pool_id",
  "policy_id",
  "apply_policy_default_values",
  "num_workers",
  "autoscale",
  "is_single_node",
  "kind",
  "spark_conf",
  "spark_env_vars",
  "custom_tags",
  "data_security_mode",
  "single_user_name",
  "runtime_engine",
  "enable_elastic_disk",
  "enable_local_disk_encryption",
  "aws_attributes",
  "azure_attributes",
  "gcp_attributes",
];

/** Where a connector's job runs: its own cluster, or `undefined` for serverless compute. */
export function computeOf(request: {
  readonly compute_type?: string | undefined;
  readonly cluster_config?: Config | undefined;
}): { readonly cluster: Config | undefined; readonly problems: readonly string[] } {
  const { compute_type: type, cluster_config: cluster } = request;
  const hasCluster = cluster !== undefined && Object.keys(cluster).length > 0;
  if (type === "serverless" || (type === undefined && !hasCluster)) {
    const problems = hasCluster
      ? ['cluster_config: serverless compute has no cluster. Leave it out, or set compute_type to "cluster".']
      : [];
    return { cluster: undefined, problems };
  }
  if (!hasCluster) {
    const problem = `compute_type ${shown(type ?? "")} needs a cluster_config. Add one, or set compute_type to "serverless".`;
    return { cluster: undefined, problems: [problem] };
  }
  return { cluster: withCatalogAccess(cluster), problems: clusterProblems(cluster) };
}

/**
 * Without an access mode, a job cluster cannot reach Unity Catalog. A policy or a kind of cluster sets the mode itself.
 */
const withCatalogAccess = (cluster: Config): Config =>
  ["data_security_mode", "policy_id", "kind"].some((key) => cluster[key] !== undefined)
    ? cluster
    : { ...cluster, data_security_mode: "SINGLE_USER" };

function clusterProblems(cluster: Config): string[] {
  const problems = Object.keys(cluster)
    .filter((key) => !clusterKeys.includes(key))
    .map((key) => `cluster_config: the key ${shown(key)} is not known. Expected ${clusterKeys.join(", ")}.`);
  const has = (...keys: string[]) => keys.some((key) => cluster[key] !== undefined && cluster[key] !== null);
  // A policy can set all of these.
  if (!has("policy_id")) {
    if (!has("spark_version")) problems.push("cluster_config.spark_version: it is required.");
    if (!has("node_type_id", "instance_pool_id"))
      problems.push("cluster_config: node_type_id or instance_pool_id is required.");
    if (!has("num_workers", "autoscale", "is_single_node"))
      problems.push("cluster_config: num_workers or autoscale is required.");
  }
  if (textsIn(cluster).some((text) => text.includes("${")))
    problems.push('cluster_config: it contains "${", which a bundle would replace.');
  return problems;
}

/** All strings in the value, including keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isMap(value)) return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
  return [];
}
