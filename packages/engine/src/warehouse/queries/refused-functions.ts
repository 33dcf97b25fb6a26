import { functionFamilies } from "@lakehelm/sql";

/**
 * Functions of Databricks that the embedded platform does not have. They are refused by name, because DuckDB may have
 * another function of that name, now or in a later version. Each function of the vocabulary is here, or is compared
 * with Spark.
 */
export const refusedFunctions: ReadonlySet<string> = new Set(
  `
  aes_decrypt aes_encrypt approx_top_k approx_top_k_accumulate approx_top_k_combine approx_top_k_estimate
  array_insert arrays_zip assert_true binary bit_get collate collation conv count_min_sketch crc32 csc
  current_catalog current_database current_metastore current_recipient current_schema current_time
  current_timezone current_user elt format_number format_string from_csv from_xml getbit
  histogram_numeric input_file_block_length input_file_block_start input_file_name
  is_account_group_member is_member is_valid_utf8 is_variant_null json_tuple luhn_check
  make_dt_interval make_interval make_time make_timestamp_ltz make_timestamp_ntz make_valid_utf8
  make_ym_interval map_zip_with mask measure monotonically_increasing_id parse_url posexplode_outer
  quote randn randstr regexp_instr schema_of_avro schema_of_csv schema_of_json schema_of_json_agg
  schema_of_variant schema_of_variant_agg schema_of_xml sec sentences session_user session_window
  shiftrightunsigned shuffle skewness soundex spark_partition_id str_to_map time time_diff time_trunc
  timediff to_binary to_char to_csv to_geography to_geometry to_number to_time to_timestamp_ltz
  to_timestamp_ntz to_varchar to_variant_object to_xml try_aes_decrypt try_avg try_make_interval
  try_make_timestamp try_make_timestamp_ltz try_make_timestamp_ntz try_parse_json try_parse_url
  try_sum try_to_binary try_to_geography try_to_geometry try_to_number try_to_time try_url_decode
  try_validate_utf8 try_variant_get try_zstd_decompress uniform user validate_utf8 variant_explode
  variant_explode_outer variant_get version width_bucket window window_time xpath xpath_boolean
  xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string zstd_compress
  zstd_decompress
  `
    .trim()
    .split(/\s+/),
);

/**
 * Functions that are refused with this number of arguments: with a seed, which gives the same numbers in Spark, or with
 * a custom order.
 */
const refusedWith: ReadonlySet<string> = new Set(["array_sort/2", "rand/1", "random/1", "random/2"]);

/** Why a call cannot be made here; undefined if it can. The name is in lower case. */
export function callRefusal(name: string, argumentCount: number): string | undefined {
  if (refusedFunctions.has(name) || functionFamilies.test(name))
    return `there is no function ${name}() on the embedded platform.`;
  return refusedWith.has(`${name}/${argumentCount}`)
    ? `${name}() with ${argumentCount} ${argumentCount === 1 ? "argument" : "arguments"} is not supported on the embedded platform.`
    : undefined;
}
