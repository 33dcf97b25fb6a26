# Databricks notebook source
# Flow customer_history: publishes shop.marts.customer_history.

# COMMAND ----------

# DBTITLE 1,Parameters
import os
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")

# COMMAND ----------

# DBTITLE 1,Table
TARGET = "shop.marts.customer_history"

CREATE_TARGET = (
    "CREATE TABLE IF NOT EXISTS shop.marts.customer_history (\n"
    "  customer_history_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key and valid_from',\n"
    "  customer_id BIGINT NOT NULL COMMENT 'The customer',\n"
    "  email STRING COMMENT 'How to reach them',\n"
    "  country STRING COMMENT 'Where they live',\n"
    "  updated_at TIMESTAMP NOT NULL COMMENT 'Since when it was so',\n"
    "  valid_from TIMESTAMP NOT NULL COMMENT 'Start of validity',\n"
    "  valid_to TIMESTAMP COMMENT 'End of validity; null for the current row',\n"
    "  is_current BOOLEAN NOT NULL COMMENT 'Whether the row is current'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Every state that a customer\\'s record was in'"
)
for schema in ["shop.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "email": "ALTER TABLE shop.marts.customer_history ADD COLUMNS (email STRING COMMENT 'How to reach them')",
    "country": "ALTER TABLE shop.marts.customer_history ADD COLUMNS (country STRING COMMENT 'Where they live')",
    "updated_at": "ALTER TABLE shop.marts.customer_history ADD COLUMNS (updated_at TIMESTAMP COMMENT 'Since when it was so')",
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
    "WHERE table_schema = 'marts' AND table_name = 'customer_history'"
)
KEYS = {
    "customer_history_pk": "ALTER TABLE shop.marts.customer_history ADD CONSTRAINT customer_history_pk PRIMARY KEY (customer_id, valid_from)",
    "customer_history_fk_country": "ALTER TABLE shop.marts.customer_history ADD CONSTRAINT customer_history_fk_country FOREIGN KEY (country) REFERENCES shop.marts.countries (code)",
}
TAGS = [
    "ALTER TABLE shop.marts.customer_history ALTER COLUMN email SET TAGS ('pii' = 'true')",
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
    "SELECT customer_id, email, country, updated_at\n"
    "FROM shop.sales.customers"
)
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = (
    "SELECT\n"
    "  CAST(customer_id AS BIGINT) AS customer_id,\n"
    "  CAST(email AS STRING) AS email,\n"
    "  CAST(country AS STRING) AS country,\n"
    "  CAST(updated_at AS TIMESTAMP) AS updated_at\n"
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
wrong += [f"{name} is missing" for name in ["customer_history_sk", "valid_from", "valid_to", "is_current"] if name not in there]
if wrong:
    raise ValueError("shop.marts.customer_history does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
# A version begins at its sequence, so every row needs one.
WITHOUT_SEQUENCE = (
    "SELECT count(*) AS found\n"
    "FROM lakehelm_rows\n"
    "WHERE updated_at IS NULL"
)
found = spark.sql(WITHOUT_SEQUENCE).first()[0]
if found:
    raise ValueError(f"{found} " + "rows have no updated_at, which orders the history of shop.marts.customer_history. Nothing was written.")

# The timeline of each key in the run. Of two rows with the same sequence, the run's row wins. Rows
# that the table already has are left out.
CHANGES = (
    "WITH versions AS (\n"
    "  SELECT\n"
    "    1 AS lakehelm_age,\n"
    "    customer_id,\n"
    "    email,\n"
    "    country,\n"
    "    updated_at\n"
    "  FROM lakehelm_rows\n"
    "  UNION ALL\n"
    "  SELECT\n"
    "    3 AS lakehelm_age,\n"
    "    customer_id,\n"
    "    email,\n"
    "    country,\n"
    "    updated_at\n"
    "  FROM shop.marts.customer_history AS kept\n"
    "  WHERE EXISTS (\n"
    "    SELECT 1 FROM lakehelm_rows AS incoming\n"
    "    WHERE incoming.customer_id <=> kept.customer_id\n"
    "  )\n"
    "),\n"
    "ranked AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    row_number() OVER (\n"
    "      PARTITION BY customer_id, updated_at\n"
    "      ORDER BY\n"
    "        lakehelm_age,\n"
    "        email DESC NULLS LAST,\n"
    "        country DESC NULLS LAST\n"
    "    ) AS lakehelm_rank\n"
    "  FROM versions\n"
    "),\n"
    "time_line AS (\n"
    "  SELECT\n"
    "    customer_id,\n"
    "    email,\n"
    "    country,\n"
    "    updated_at,\n"
    "    updated_at AS valid_from,\n"
    "    lead(updated_at) OVER (PARTITION BY customer_id ORDER BY updated_at) AS valid_to\n"
    "  FROM ranked\n"
    "  WHERE lakehelm_rank = 1\n"
    "),\n"
    "marked AS (\n"
    "  SELECT\n"
    "    *,\n"
    "    valid_to IS NULL AS is_current\n"
    "  FROM time_line\n"
    ")\n"
    "SELECT\n"
    "  sha2(to_json(array(CAST(customer_id AS STRING), CAST(unix_micros(valid_from) AS STRING))), 256) AS customer_history_sk,\n"
    "  customer_id,\n"
    "  email,\n"
    "  country,\n"
    "  updated_at,\n"
    "  valid_from,\n"
    "  valid_to,\n"
    "  is_current\n"
    "FROM marked AS incoming\n"
    "WHERE NOT EXISTS (\n"
    "  SELECT 1 FROM shop.marts.customer_history AS kept\n"
    "  WHERE kept.customer_id <=> incoming.customer_id\n"
    "    AND kept.valid_from <=> incoming.valid_from\n"
    "    AND (\n"
    "      kept.email,\n"
    "      kept.country,\n"
    "      kept.updated_at,\n"
    "      kept.valid_to,\n"
    "      kept.is_current\n"
    "    ) <=> (\n"
    "      incoming.email,\n"
    "      incoming.country,\n"
    "      incoming.updated_at,\n"
    "      incoming.valid_to,\n"
    "      incoming.is_current\n"
    "    )\n"
    ")"
)
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Only rows that differ are merged: a run without changes commits nothing.
PUBLISH = (
    "MERGE INTO shop.marts.customer_history AS target\n"
    "USING lakehelm_changes AS source\n"
    "ON target.customer_id <=> source.customer_id\n"
    "  AND target.valid_from <=> source.valid_from\n"
    "WHEN MATCHED THEN UPDATE SET\n"
    "  email = source.email,\n"
    "  country = source.country,\n"
    "  updated_at = source.updated_at,\n"
    "  valid_to = source.valid_to,\n"
    "  is_current = source.is_current\n"
    "WHEN NOT MATCHED THEN INSERT (\n"
    "  customer_history_sk, customer_id, email, country, updated_at, valid_from, valid_to, is_current\n"
    ") VALUES (\n"
    "  source.customer_history_sk,\n"
    "  source.customer_id,\n"
    "  source.email,\n"
    "  source.country,\n"
    "  source.updated_at,\n"
    "  source.valid_from,\n"
    "  source.valid_to,\n"
    "  source.is_current\n"
    ")"
)
published = spark.sql(PUBLISH).first()

# COMMAND ----------

# DBTITLE 1,Summary
print(
    "shop.marts.customer_history: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
)
