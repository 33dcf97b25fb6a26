# Databricks notebook source
# Data quality of shop.marts.price_history, after flow price_history.

# COMMAND ----------

# DBTITLE 1,Parameters
import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")


def parameter(name, default):
    """A job parameter: a widget on Databricks, `--name value` on the command line elsewhere."""
    try:
        dbutils.widgets.text(name, default)
        return dbutils.widgets.get(name)
    except NameError:  # no dbutils: this is not Databricks
        parser = argparse.ArgumentParser()
        parser.add_argument(f"--{name}", default=default)
        return getattr(parser.parse_known_args()[0], name)


def identifier(name):
    """The name in SQL: in backticks, unless it is a plain word."""
    return name if name.isascii() and name.isidentifier() else "`" + name.replace("`", "``") + "`"


# Where the tables are: variables of the bundle.
CATALOG_NAME = parameter("catalog", "shop")
CATALOG = identifier(CATALOG_NAME)

# 0.5 allows half to twice the rows of the last good run; an empty text turns the check off.
max_row_count_drift = parameter("max_row_count_drift", "0.5")
allowed = float(max_row_count_drift) if max_row_count_drift else None

# COMMAND ----------

# DBTITLE 1,Rows
# Each SELECT returns violations: none of them may return a row. "warn" reports them, "fail" fails the job.
CHECKS = [
    (
        "keys are unique",
        (
            "SELECT sku, valid_from, count(*) AS times\n"
            f"FROM {CATALOG}.marts.price_history\n"
            "GROUP BY sku, valid_from\n"
            "HAVING count(*) > 1"
        ),
        "keys occur more than once",
        "fail",
    ),
    (
        "one current row a key",
        (
            "SELECT sku, count(*) AS times\n"
            f"FROM {CATALOG}.marts.price_history\n"
            "WHERE is_current\n"
            "GROUP BY sku\n"
            "HAVING count(*) > 1"
        ),
        "keys have more than one current row",
        "fail",
    ),
    (
        "no value is missing",
        (
            "WITH looked_at AS (\n"
            "  SELECT\n"
            "    sku,\n"
            "    valid_from,\n"
            "    concat_ws(', ',\n"
            "      CASE WHEN sku IS NULL THEN 'sku' END,\n"
            "      CASE WHEN price IS NULL THEN 'price' END,\n"
            "      CASE WHEN valid_from IS NULL THEN 'valid_from' END,\n"
            "      CASE WHEN is_current IS NULL THEN 'is_current' END\n"
            "    ) AS missing\n"
            f"  FROM {CATALOG}.marts.price_history\n"
            ")\n"
            "SELECT *\n"
            "FROM looked_at\n"
            "WHERE missing <> ''"
        ),
        "rows have no value where one is needed",
        "fail",
    ),
]

failures, warnings = [], []
for name, statement, failure, severity in CHECKS:
    wrong = spark.sql(statement)
    count = wrong.count()
    print(f"{name}: {count} found")
    if count:
        found = failures if severity == "fail" else warnings
        rows = [row.asDict() for row in wrong.limit(3).collect()]
        examples = "; ".join(", ".join(f"{k} = {v}" for k, v in row.items()) for row in rows)
        found.append(f"{count} {failure}, for example {examples}.")

# COMMAND ----------

# DBTITLE 1,Row count
CREATE_QUALITY = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.price_history_quality (
  run_at TIMESTAMP NOT NULL COMMENT 'When the checks ran',
  row_count BIGINT NOT NULL COMMENT 'Rows in the table at that time',
  passed BOOLEAN NOT NULL COMMENT 'Whether every check passed',
  failures STRING COMMENT 'The checks that failed, one per line'
)
USING DELTA
COMMENT 'Data quality of price_history'"""
ROW_COUNT = f"""\
SELECT count(*) AS row_count
FROM {CATALOG}.marts.price_history"""
LAST_PASSED = f"""\
SELECT row_count
FROM {CATALOG}.marts.price_history_quality
WHERE passed
ORDER BY run_at DESC
LIMIT 1"""

spark.sql(CREATE_QUALITY)
row_count = spark.sql(ROW_COUNT).first().row_count
last = spark.sql(LAST_PASSED).first()
# A small table can double easily.
if allowed is not None and last and abs(row_count - last.row_count) > 100:
    fewest = last.row_count * (1 - allowed)
    most = last.row_count / (1 - allowed) if allowed < 1 else float("inf")
    if not fewest <= row_count <= most:
        failures.append(
            f"There are {row_count} rows after {last.row_count}, where {fewest:.0f} to {most:.0f} are allowed."
            " If this is expected, run this once with a greater max_row_count_drift."
        )

# COMMAND ----------

# DBTITLE 1,Result
result = spark.range(1).select(
    F.current_timestamp().alias("run_at"),
    F.lit(row_count).cast("bigint").alias("row_count"),
    F.lit(not failures + warnings).alias("passed"),
    F.lit("\n".join(failures + warnings) or None).cast("string").alias("failures"),
)
result.write.format("delta").mode("append").saveAsTable(f"{CATALOG}.marts.price_history_quality")
for warning in warnings:
    print(f"Warning: {warning}")
if failures:
    raise ValueError("\n".join([f"{CATALOG_NAME}.marts.price_history did not pass its checks:", *failures]))
outcome = f"{len(warnings)} checks failed" if warnings else "all checks passed"
print(f"{CATALOG_NAME}.marts.price_history: " + f"{row_count} rows, {outcome}")
