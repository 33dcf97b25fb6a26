const split = (text: string) => text.split(/\s+/);

/** Keywords of statements that read. */
export const keywords = split(
  `SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET DISTINCT AS AND OR NOT IN IS NULL LIKE ILIKE RLIKE BETWEEN EXISTS
  CASE WHEN THEN ELSE END CAST JOIN INNER LEFT RIGHT FULL OUTER CROSS LATERAL ON USING UNION ALL EXCEPT INTERSECT WITH
  RECURSIVE VALUES OVER PARTITION ROWS RANGE PRECEDING FOLLOWING UNBOUNDED CURRENT ROW FILTER QUALIFY WINDOW ASC DESC
  NULLS FIRST LAST TRUE FALSE INTERVAL DATE TIMESTAMP PIVOT UNPIVOT TABLESAMPLE`.trim(),
);

/** Frequently used functions. The engine has more. */
export const functions = split(
  `abs any_value approx_count_distinct array array_agg array_contains array_join array_sort avg bool_and bool_or ceil
  coalesce collect_list collect_set concat concat_ws contains corr count count_if current_date current_timestamp date_add
  date_diff date_format date_sub date_trunc day dense_rank endswith exp explode extract first_value floor from_json
  get_json_object greatest hour if ifnull initcap instr lag last_day last_value lead least left length ln locate log lower
  lpad ltrim make_date max max_by md5 median min min_by minute mod month months_between ntile nullif nvl percent_rank
  percentile pow power quarter rank regexp_extract regexp_replace repeat replace reverse right round row_number rpad rtrim
  second sequence sha2 sign size split sqrt startswith stddev struct substring sum to_date to_json to_timestamp transform
  trim trunc try_cast upper variance weekofyear year`.trim(),
);
