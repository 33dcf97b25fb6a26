import type { SqlToken } from "../lexer/token.ts";

/** The aggregate functions of Spark and Databricks. */
const aggregates: ReadonlySet<string> = new Set(
  `
  any any_value approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate approx_top_k_combine array_agg
  avg bit_and bit_or bit_xor bitmap_and_agg bitmap_construct_agg bitmap_or_agg bool_and bool_or collect_list collect_set corr
  count count_if count_min_sketch covar_pop covar_samp every first first_value grouping grouping_id histogram_numeric
  hll_sketch_agg hll_union_agg kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint
  kll_sketch_agg_double kll_sketch_agg_float kurtosis last last_value listagg max max_by mean measure median min min_by mode
  percentile percentile_approx percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope regr_sxx regr_sxy regr_syy schema_of_json_agg schema_of_variant_agg skewness some std stddev stddev_pop
  stddev_samp string_agg sum theta_intersection_agg theta_sketch_agg theta_union_agg try_avg try_sum var_pop var_samp variance
  `
    .trim()
    .split(/\s+/),
);

/** `= ANY (…)` and `LIKE ANY (…)` compare one row with a list. */
const compares = new Set(["=", "==", "<", ">", "<=", ">=", "<>", "!=", "<=>", "like", "ilike"]);

/** Whether the call that starts at a token is an aggregate function. */
export function isAggregate(tokens: readonly SqlToken[], index: number): boolean {
  const value = tokens[index]?.value ?? "";
  if (!aggregates.has(value)) return false;
  return !((value === "any" || value === "some") && compares.has(tokens[index - 1]?.value ?? ""));
}
