# Databricks notebook source
# Flow orders_enriched: publishes shop.marts.orders_enriched.

# COMMAND ----------

# DBTITLE 1,Parameters
import os
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")


def add_new_columns(table, view):
    """Adds columns that the table does not have yet, by an append of no rows."""
    there = {field.name.lower() for field in spark.table(table).schema}
    if any(field.name.lower() not in there for field in spark.table(view).schema):
        nothing = spark.table(view).limit(0)
        nothing.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(table)

# COMMAND ----------

# DBTITLE 1,Table
TARGET = "shop.marts.orders_enriched"

CREATE_TARGET = (
    "CREATE TABLE IF NOT EXISTS shop.marts.orders_enriched (\n"
    "  orders_enriched_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key',\n"
    "  order_id BIGINT NOT NULL COMMENT 'The order',\n"
    "  amount DECIMAL(18, 2) COMMENT 'What it cost',\n"
    "  country STRING COMMENT 'Where the customer lives',\n"
    "  updated_at TIMESTAMP COMMENT 'When the order last changed'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Orders with their customer\\'s country'"
)
for schema in ["shop.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "amount": "ALTER TABLE shop.marts.orders_enriched ADD COLUMNS (amount DECIMAL(18, 2) COMMENT 'What it cost')",
    "country": "ALTER TABLE shop.marts.orders_enriched ADD COLUMNS (country STRING COMMENT 'Where the customer lives')",
    "updated_at": "ALTER TABLE shop.marts.orders_enriched ADD COLUMNS (updated_at TIMESTAMP COMMENT 'When the order last changed')",
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
    "WHERE table_schema = 'marts' AND table_name = 'orders_enriched'"
)
KEYS = {
    "orders_enriched_pk": "ALTER TABLE shop.marts.orders_enriched ADD CONSTRAINT orders_enriched_pk PRIMARY KEY (order_id)",
}
TAGS = [
    "ALTER TABLE shop.marts.orders_enriched ALTER COLUMN amount SET TAGS ('glossary_terms' = 'Revenue')",
    "ALTER TABLE shop.marts.orders_enriched ALTER COLUMN country SET TAGS ('pii' = 'true')",
]

# Keys and tags exist only on Databricks.
if "DATABRICKS_RUNTIME_VERSION" in os.environ:
    known = {row.name for row in spark.sql(KNOWN_KEYS).collect()}
    for name, statement in KEYS.items():
        if name not in known:
            spark.sql(statement)
    for statement in TAGS:
        spark.sql(statement)

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = (
    "SELECT o.order_id, o.amount, c.country, o.updated_at\n"
    "FROM shop.sales.orders AS o\n"
    "JOIN shop.sales.customers AS c ON c.customer_id = o.customer_id"
)
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# Rows without a match.
UNMATCHED_SQL = (
    "SELECT o.order_id, o.customer_id, o.amount, o.updated_at\n"
    "FROM shop.sales.orders AS o\n"
    "LEFT JOIN shop.sales.customers AS c ON c.customer_id = o.customer_id\n"
    "WHERE c.customer_id IS NULL"
)
spark.sql(UNMATCHED_SQL).createOrReplaceTempView("lakehelm_unmatched")

# The table that keeps them. Its columns and their types come from the SELECT.
CREATE_UNMATCHED = (
    "CREATE TABLE IF NOT EXISTS shop.marts.orders_enriched_unmatched (\n"
    "  first_seen_at TIMESTAMP COMMENT 'When a run first found the row without a match'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Rows without a match for shop.marts.orders_enriched'\n"
    "TBLPROPERTIES ('delta.feature.timestampNtz' = 'supported')"
)
spark.sql(CREATE_UNMATCHED)
add_new_columns("shop.marts.orders_enriched_unmatched", "lakehelm_unmatched")

# Rows that were unmatched and match now.
RECHECK_SQL = (
    "SELECT u.order_id, u.amount, c.country, u.updated_at\n"
    "FROM shop.marts.orders_enriched_unmatched AS u\n"
    "JOIN shop.sales.customers AS c ON c.customer_id = u.customer_id"
)
spark.sql(RECHECK_SQL).createOrReplaceTempView("lakehelm_recheck")

# The same rows with the types of the target.
RECHECKED = (
    "SELECT\n"
    "  CAST(order_id AS BIGINT) AS order_id,\n"
    "  CAST(amount AS DECIMAL(18, 2)) AS amount,\n"
    "  CAST(country AS STRING) AS country,\n"
    "  CAST(updated_at AS TIMESTAMP) AS updated_at\n"
    "FROM lakehelm_recheck"
)
spark.sql(RECHECKED).createOrReplaceTempView("lakehelm_rechecked")

# They are stored, so that exactly the published rows are removed from the unmatched table.
CLEAR_RECHECKED = (
    "CREATE OR REPLACE TABLE shop.marts.orders_enriched_rechecked (\n"
    "  order_id BIGINT,\n"
    "  amount DECIMAL(18, 2),\n"
    "  country STRING,\n"
    "  updated_at TIMESTAMP\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Rows that the last run rechecked and published to shop.marts.orders_enriched'"
)
spark.sql(CLEAR_RECHECKED)

# A MERGE that matches nothing inserts all rows.
STAGE = (
    "MERGE INTO shop.marts.orders_enriched_rechecked AS target\n"
    "USING lakehelm_rechecked AS source\n"
    "ON false\n"
    "WHEN NOT MATCHED THEN INSERT (\n"
    "  order_id, amount, country, updated_at\n"
    ") VALUES (\n"
    "  source.order_id, source.amount, source.country, source.updated_at\n"
    ")"
)
spark.sql(STAGE)

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = (
    "SELECT\n"
    "  1 AS lakehelm_age,\n"
    "  CAST(order_id AS BIGINT) AS order_id,\n"
    "  CAST(amount AS DECIMAL(18, 2)) AS amount,\n"
    "  CAST(country AS STRING) AS country,\n"
    "  CAST(updated_at AS TIMESTAMP) AS updated_at\n"
    "FROM lakehelm_matched\n"
    "UNION ALL\n"
    "SELECT\n"
    "  2 AS lakehelm_age,\n"
    "  order_id,\n"
    "  amount,\n"
    "  country,\n"
    "  updated_at\n"
    "FROM shop.marts.orders_enriched_rechecked"
)
spark.sql(ROWS).createOrReplaceTempView("lakehelm_rows")

# Nothing is written to a table without the columns of the flow.
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("lakehelm_rows").schema}
del made["lakehelm_age"]  # the order of the rows, not a column of the table
wrong = [
    f"{name} is {there.get(name.lower(), 'missing')} and not {kind}"
    for name, kind in made.items()
    if there.get(name.lower()) != kind
]
wrong += [f"{name} is missing" for name in ["orders_enriched_sk"] if name not in there]
if wrong:
    raise ValueError("shop.marts.orders_enriched does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
# One row for each key. The other columns break ties, so that every run chooses the same row. Rows
# that the table already has are left out.
CHANGES = (
    "WITH ranked AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    row_number() OVER (\n"
    "      PARTITION BY order_id\n"
    "      ORDER BY\n"
    "        updated_at DESC NULLS LAST,\n"
    "        lakehelm_age,\n"
    "        amount DESC NULLS LAST,\n"
    "        country DESC NULLS LAST\n"
    "    ) AS lakehelm_rank\n"
    "  FROM lakehelm_rows\n"
    ")\n"
    "SELECT\n"
    "  sha2(to_json(array(CAST(order_id AS STRING))), 256) AS orders_enriched_sk,\n"
    "  order_id,\n"
    "  amount,\n"
    "  country,\n"
    "  updated_at\n"
    "FROM ranked AS incoming\n"
    "WHERE lakehelm_rank = 1\n"
    "  AND NOT EXISTS (\n"
    "    SELECT 1 FROM shop.marts.orders_enriched AS kept\n"
    "    WHERE kept.order_id <=> incoming.order_id\n"
    "      AND (\n"
    "        NOT coalesce(incoming.updated_at >= kept.updated_at, kept.updated_at IS NULL)\n"
    "        OR (\n"
    "          kept.amount,\n"
    "          kept.country,\n"
    "          kept.updated_at\n"
    "        ) <=> (\n"
    "          incoming.amount,\n"
    "          incoming.country,\n"
    "          incoming.updated_at\n"
    "        )\n"
    "      )\n"
    "  )"
)
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Only rows that differ are merged: a run without changes commits nothing.
PUBLISH = (
    "MERGE INTO shop.marts.orders_enriched AS target\n"
    "USING lakehelm_changes AS source\n"
    "ON target.order_id <=> source.order_id\n"
    "WHEN MATCHED THEN UPDATE SET\n"
    "  amount = source.amount,\n"
    "  country = source.country,\n"
    "  updated_at = source.updated_at\n"
    "WHEN NOT MATCHED THEN INSERT (\n"
    "  orders_enriched_sk, order_id, amount, country, updated_at\n"
    ") VALUES (\n"
    "  source.orders_enriched_sk, source.order_id, source.amount, source.country, source.updated_at\n"
    ")"
)
published = spark.sql(PUBLISH).first()

# COMMAND ----------

# DBTITLE 1,Unmatched rows
# Removes rows that were rechecked and published, by key.
LEAVE = (
    "MERGE INTO shop.marts.orders_enriched_unmatched AS target\n"
    "USING (\n"
    "  SELECT DISTINCT order_id\n"
    "  FROM shop.marts.orders_enriched_rechecked\n"
    ") AS source\n"
    "ON try_cast(target.order_id AS BIGINT) <=> source.order_id\n"
    "WHEN MATCHED THEN DELETE"
)
left = spark.sql(LEAVE).first()

# Each unmatched row once, if it is not kept yet.
NEW_UNMATCHED = (
    "WITH incoming AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    to_json(named_struct('order_id', order_id, 'customer_id', customer_id, 'amount', amount, 'updated_at', updated_at), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) AS lakehelm_row\n"
    "  FROM lakehelm_unmatched\n"
    "),\n"
    "kept AS (\n"
    "  SELECT\n"
    "    to_json(named_struct('order_id', order_id, 'customer_id', customer_id, 'amount', amount, 'updated_at', updated_at), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) AS lakehelm_row\n"
    "  FROM shop.marts.orders_enriched_unmatched\n"
    "),\n"
    "ranked AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    row_number() OVER (\n"
    "      PARTITION BY lakehelm_row\n"
    "      ORDER BY lakehelm_row\n"
    "    ) AS lakehelm_rank\n"
    "  FROM incoming\n"
    ")\n"
    "SELECT\n"
    "  order_id,\n"
    "  customer_id,\n"
    "  amount,\n"
    "  updated_at\n"
    "FROM ranked\n"
    "WHERE lakehelm_rank = 1\n"
    "  AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.lakehelm_row = ranked.lakehelm_row)"
)
spark.sql(NEW_UNMATCHED).createOrReplaceTempView("lakehelm_new_unmatched")

# Inserts them with the time of this run.
KEEP = (
    "MERGE INTO shop.marts.orders_enriched_unmatched AS target\n"
    "USING lakehelm_new_unmatched AS source\n"
    "ON false\n"
    "WHEN NOT MATCHED THEN INSERT (\n"
    "  order_id, customer_id, amount, updated_at, first_seen_at\n"
    ") VALUES (\n"
    "  source.order_id, source.customer_id, source.amount, source.updated_at, current_timestamp\n"
    ")"
)
kept = spark.sql(KEEP).first()

# COMMAND ----------

# DBTITLE 1,Summary
print(
    "shop.marts.orders_enriched: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
    f"; {left.num_deleted_rows} were unmatched and match now"
    f"; {kept.num_inserted_rows} newly kept as unmatched"
)
