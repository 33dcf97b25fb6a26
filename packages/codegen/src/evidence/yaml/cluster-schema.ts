import { atMostOneOf, literal } from "@lakehelm/contract/schema";
import { anyText, fields, flag, map, text, whole } from "./schema-fields.ts";

/** Fields that the settings of all clouds have. */
const common = { availability: text, first_on_demand: whole(), zone_id: text };

/** A cluster of a job or pipeline. The platform has defaults for missing fields. */
export const clusterSchema = fields(
  {},
  {
    label: text,
    spark_version: text,
    node_type_id: text,
    driver_node_type_id: text,
    instance_pool_id: text,
    driver_instance_pool_id: text,
    policy_id: text,
    apply_policy_default_values: flag,
    num_workers: whole(),
    autoscale: fields(
      { min_workers: whole(), max_workers: whole(1) },
      { mode: literal("ENHANCED", "LEGACY") },
    ),
    custom_tags: map(anyText),
    spark_conf: map(anyText),
    spark_env_vars: map(anyText),
    data_security_mode: text,
    single_user_name: text,
    runtime_engine: literal("STANDARD", "PHOTON"),
    enable_elastic_disk: flag,
    enable_local_disk_encryption: flag,
    is_single_node: flag,
    kind: text,
    aws_attributes: fields(
      {},
      {
        ...common,
        instance_profile_arn: text,
        spot_bid_price_percent: whole(),
        ebs_volume_type: text,
        ebs_volume_count: whole(),
        ebs_volume_size: whole(),
      },
    ),
    azure_attributes: fields({}, { ...common, spot_bid_max_price: whole(-1) }),
    gcp_attributes: fields(
      {},
      { ...common, google_service_account: text, boot_disk_size: whole(), local_ssd_count: whole() },
    ),
  },
  [atMostOneOf("num_workers", "autoscale")],
);
