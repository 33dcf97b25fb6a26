/** The built-in functions of Spark 4.1 and Databricks, in lower case. */
export const builtInFunctions: ReadonlySet<string> = new Set(
  `
  abs acos acosh add_months aes_decrypt aes_encrypt aggregate any any_value approx_count_distinct
  approx_percentile approx_top_k approx_top_k_accumulate approx_top_k_combine approx_top_k_estimate array
  array_agg array_append array_compact array_contains array_distinct array_except array_insert
  array_intersect array_join array_max array_min array_position array_prepend array_remove array_repeat
  array_size array_sort array_union arrays_overlap arrays_zip ascii asin asinh assert_true atan atan2 atanh
  avg base64 bigint bin binary bit_and bit_count bit_get bit_length bit_or bit_xor bitmap_and_agg
  bitmap_bit_position bitmap_bucket_number bitmap_construct_agg bitmap_count bitmap_or_agg bool_and bool_or
  boolean bround btrim byte cardinality cast cbrt ceil ceiling char char_length character character_length
  charindex chr coalesce collate collation collect_list collect_set concat concat_ws contains conv
  convert_timezone corr cos cosh cot count count_if count_min_sketch covar_pop covar_samp crc32 csc cube
  cume_dist curdate current_catalog current_database current_date current_metastore current_recipient
  current_schema current_time current_timestamp current_timezone current_user date date_add date_diff
  date_format date_from_unix_date date_part date_sub date_trunc dateadd datediff datepart day dayname
  dayofmonth dayofweek dayofyear dec decimal decode degrees dense_rank double e element_at elt encode
  endswith equal_null every exists exp explode explode_outer expm1 extract factorial filter find_in_set
  first first_value flatten float floor forall format_number format_string from_csv from_json from_unixtime
  from_utc_timestamp from_xml get get_json_object getbit getdate greatest grouping grouping_id hash hex
  histogram_numeric hll_sketch_agg hll_sketch_estimate hll_union hll_union_agg hour hypot if iff ifnull
  initcap inline inline_outer input_file_block_length input_file_block_start input_file_name instr int
  integer interval is_account_group_member is_member is_valid_utf8 is_variant_null isnan isnotnull isnull
  json_array_length json_object_keys json_tuple kll_merge_agg_bigint kll_merge_agg_double
  kll_merge_agg_float kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float
  kll_sketch_get_n_bigint kll_sketch_get_n_double kll_sketch_get_n_float kll_sketch_get_quantile_bigint
  kll_sketch_get_quantile_double kll_sketch_get_quantile_float kll_sketch_get_rank_bigint
  kll_sketch_get_rank_double kll_sketch_get_rank_float kll_sketch_merge_bigint kll_sketch_merge_double
  kll_sketch_merge_float kll_sketch_to_string_bigint kll_sketch_to_string_double kll_sketch_to_string_float
  kurtosis lag last last_day last_value lcase lead least left len length levenshtein listagg ln
  localtimestamp locate log log10 log1p log2 long lower lpad ltrim luhn_check make_date make_dt_interval
  make_interval make_time make_timestamp make_timestamp_ltz make_timestamp_ntz make_valid_utf8
  make_ym_interval map map_concat map_contains_key map_entries map_filter map_from_arrays map_from_entries
  map_keys map_values map_zip_with mask max max_by md5 mean measure median min min_by minute mod mode
  monotonically_increasing_id month monthname months_between named_struct nanvl negative next_day now
  nth_value ntile nullif nullifzero numeric nvl nvl2 octet_length overlay parse_json parse_url percent_rank
  percentile percentile_approx percentile_cont percentile_disc pi pmod posexplode posexplode_outer position
  positive pow power printf quarter quote radians raise_error rand randn random randstr rank real reduce
  regexp_count regexp_extract regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace
  reverse right rint rollup round row_number rpad rtrim schema_of_avro schema_of_csv schema_of_json
  schema_of_json_agg schema_of_variant schema_of_variant_agg schema_of_xml sec second sentences sequence
  session_user session_window sha sha1 sha2 shiftleft shiftright shiftrightunsigned short shuffle sign
  signum sin sinh size skewness slice smallint some sort_array soundex space spark_partition_id split
  split_part sqrt st_asbinary st_geogfromwkb st_geomfromwkb st_setsrid st_srid stack startswith std stddev
  stddev_pop stddev_samp str_to_map string string_agg struct substr substring substring_index sum tan tanh
  theta_difference theta_intersection theta_intersection_agg theta_sketch_agg theta_sketch_estimate
  theta_union theta_union_agg time time_diff time_trunc timediff timestamp timestamp_ltz timestamp_micros
  timestamp_millis timestamp_ntz timestamp_seconds timestampadd timestampdiff tinyint to_binary to_char
  to_csv to_date to_geography to_geometry to_json to_number to_time to_timestamp to_timestamp_ltz
  to_timestamp_ntz to_unix_timestamp to_utc_timestamp to_varchar to_variant_object to_xml transform
  transform_keys transform_values translate trim trunc try_add try_aes_decrypt try_avg try_cast try_divide
  try_element_at try_make_interval try_make_timestamp try_make_timestamp_ltz try_make_timestamp_ntz try_mod
  try_multiply try_parse_json try_parse_url try_subtract try_sum try_to_binary try_to_date try_to_geography
  try_to_geometry try_to_number try_to_time try_to_timestamp try_url_decode try_validate_utf8
  try_variant_get try_zstd_decompress typeof ucase unbase64 unhex uniform unix_date unix_micros unix_millis
  unix_seconds unix_timestamp upper url_decode url_encode user uuid validate_utf8 var_pop var_samp varchar
  variance variant variant_explode variant_explode_outer variant_get version weekday weekofyear width_bucket
  window window_time xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number
  xpath_short xpath_string xxhash64 year zeroifnull zip_with zstd_compress zstd_decompress
  `
    .trim()
    .split(/\s+/),
);

/** Families of built-in functions: H3 cells, geometry, bitmaps and sketches. */
export const functionFamilies = /^(?:h3|st|bitmap|hll|kll|theta|tuple)_/;

/**
 * Functions with side effects, or that read more than their arguments, and why they are not allowed. User-defined
 * functions are not allowed either, because their bodies can read any table.
 */
const reachOut: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:reflect|try_reflect|java_method)$/, "it calls Java code"],
  [/^(?:secret|try_secret|list_secrets)$/, "it reads secrets"],
  [/^(?:http_request|remote_query|vector_search|search)$/, "it calls another system"],
  [/^ai_/, "it sends data to a model"],
  [/^(?:from|to)_(?:avro|protobuf)$/, "it can read files and schema registries"],
  [
    /^(?:read_|cloud_files)|^(?:list_files|directory|volume)/,
    "it reads files or streams that are not declared as sources",
  ],
  [
    /^(?:table_changes|event_log|get_warehouse|sql_keywords|collations|python_worker_logs)/,
    "it reads something that is not declared as a source",
  ],
  [/^(?:table|stream)$/, "write the table name directly in FROM"],
  [
    /^identifier$/,
    "it builds a name from text, so the tables that are read are unknown: write the name itself",
  ],
];

/** Why a known function is not allowed. */
export const reasonAgainst = (name: string): string | undefined =>
  reachOut.find(([pattern]) => pattern.test(name))?.[1];

/** Why a function cannot be called; undefined if it can. `name` is in lower case. */
export function functionProblem(name: string, own: ReadonlySet<string>): string | undefined {
  if (builtInFunctions.has(name) || functionFamilies.test(name)) return undefined;
  const reason = reasonAgainst(name);
  if (reason !== undefined) return `${name}() is not allowed here: ${reason}.`;
  if (own.has(name)) return undefined;
  return `${name}() is not a built-in function. User-defined functions are not allowed, because they can read any table.`;
}

/** Functions allowed in FROM, with their columns if these are fixed. */
export const tableFunctions: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ["explode", undefined],
  ["explode_outer", undefined],
  ["posexplode", undefined],
  ["posexplode_outer", undefined],
  ["inline", undefined],
  ["inline_outer", undefined],
  ["stack", undefined],
  ["json_tuple", undefined],
  ["range", ["id"]],
  ["variant_explode", ["pos", "key", "value"]],
  ["variant_explode_outer", ["pos", "key", "value"]],
]);

/** Functions whose first argument can be a unit of time, which looks like a column. */
export const takesUnit: ReadonlySet<string> = new Set([
  "date_add",
  "date_diff",
  "dateadd",
  "datediff",
  "timestampadd",
  "timestampdiff",
  "timediff",
]);
