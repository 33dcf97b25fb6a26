# Databricks notebook source
# Flow price_history: publishes shop.marts.price_history.

# COMMAND ----------

# DBTITLE 1,Parameters
import os
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")

# COMMAND ----------

# DBTITLE 1,Table
TARGET = "shop.marts.price_history"

CREATE_TARGET = (
    "CREATE TABLE IF NOT EXISTS shop.marts.price_history (\n"
    "  sku STRING NOT NULL,\n"
    "  price DECIMAL(10, 2) NOT NULL,\n"
    "  valid_from TIMESTAMP NOT NULL COMMENT 'Start of validity',\n"
    "  valid_to TIMESTAMP COMMENT 'End of validity; null for the current row',\n"
    "  is_current BOOLEAN NOT NULL COMMENT 'Whether the row is current'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Prices as each run found them'"
)
for schema in ["shop.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "price": "ALTER TABLE shop.marts.price_history ADD COLUMNS (price DECIMAL(10, 2))",
}
there = {field.name.lower() for field in spark.table(TARGET).schema}
for name, statement in NEW_COLUMNS.items():
    if name not in there:
        spark.sql(statement)

# Shorter names in the flow's SQL are names of this schema.
spark.sql("USE shop.sales")

# COMMAND ----------

# DBTITLE 1,Keys and tags
KNOWN_KEYS = (
    "SELECT lower(constraint_name) AS name\n"
    "FROM shop.information_schema.table_constraints\n"
    "WHERE table_schema = 'marts' AND table_name = 'price_history'"
)
KEYS = {
    "price_history_pk": "ALTER TABLE shop.marts.price_history ADD CONSTRAINT price_history_pk PRIMARY KEY (sku, valid_from)",
}

# Keys and tags exist only on Databricks.
if "DATABRICKS_RUNTIME_VERSION" in os.environ:
    known = {row.name for row in spark.sql(KNOWN_KEYS).collect()}
    for name, statement in KEYS.items():
        if name not in known:
            spark.sql(statement)

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = "SELECT sku, price FROM sales.prices"
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = (
    "SELECT\n"
    "  CAST(sku AS STRING) AS sku,\n"
    "  CAST(price AS DECIMAL(10, 2)) AS price\n"
    "FROM lakehelm_matched"
)
spark.sql(ROWS).createOrReplaceTempView("lakehelm_rows")

# Nothing is written to a table without the columns of the flow.
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("lakehelm_rows").schema}
wrong = [
    f"{name} is {there.get(name.lower(), 'missing')} and not {kind}"
    for name, kind in made.items()
    if there.get(name.lower()) != kind
]
wrong += [f"{name} is missing" for name in ["valid_from", "valid_to", "is_current"] if name not in there]
if wrong:
    raise ValueError("shop.marts.price_history does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
# Keys that are new or differ from their current version, each twice: to close that version, and as
# the next one.
CHANGES = (
    "WITH ranked AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    row_number() OVER (\n"
    "      PARTITION BY sku\n"
    "      ORDER BY price DESC NULLS LAST\n"
    "    ) AS lakehelm_rank\n"
    "  FROM lakehelm_rows\n"
    "),\n"
    "versions AS (\n"
    "  SELECT\n"
    "    sku,\n"
    "    price,\n"
    "    current_timestamp AS valid_from\n"
    "  FROM ranked AS incoming\n"
    "  WHERE lakehelm_rank = 1\n"
    "    AND NOT EXISTS (\n"
    "      SELECT 1 FROM shop.marts.price_history AS kept\n"
    "      WHERE kept.sku <=> incoming.sku\n"
    "        AND kept.is_current\n"
    "        AND kept.price <=> incoming.price\n"
    "    )\n"
    ")\n"
    "SELECT\n"
    "  sku,\n"
    "  price,\n"
    "  valid_from,\n"
    "  lakehelm_closes\n"
    "FROM versions\n"
    "CROSS JOIN (VALUES (true), (false)) AS twice (lakehelm_closes)"
)
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Closes the versions that changed and inserts the new ones, in one commit.
PUBLISH = (
    "MERGE INTO shop.marts.price_history AS target\n"
    "USING lakehelm_changes AS source\n"
    "ON target.sku <=> source.sku\n"
    "  AND target.is_current\n"
    "  AND source.lakehelm_closes\n"
    "WHEN MATCHED THEN UPDATE SET\n"
    "  valid_to = source.valid_from,\n"
    "  is_current = false\n"
    "WHEN NOT MATCHED AND NOT source.lakehelm_closes THEN INSERT (\n"
    "  sku, price, valid_from, valid_to, is_current\n"
    ") VALUES (\n"
    "  source.sku, source.price, source.valid_from, CAST(NULL AS TIMESTAMP), true\n"
    ")"
)
published = spark.sql(PUBLISH).first()

# COMMAND ----------

# DBTITLE 1,Summary
print(
    "shop.marts.price_history: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
)
