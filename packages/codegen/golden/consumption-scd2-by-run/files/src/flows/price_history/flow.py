# Databricks notebook source
# Flow price_history: publishes shop.marts.price_history.

# COMMAND ----------

# DBTITLE 1,Parameters
import argparse
import json
import os

from pyspark.sql import SparkSession

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

# COMMAND ----------

# DBTITLE 1,Table
TARGET = f"{CATALOG}.marts.price_history"

CREATE_TARGET = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.price_history (
  sku STRING NOT NULL,
  price DECIMAL(10, 2) NOT NULL,
  valid_from TIMESTAMP NOT NULL COMMENT 'Start of validity',
  valid_to TIMESTAMP COMMENT 'End of validity; null for the current row',
  is_current BOOLEAN NOT NULL COMMENT 'Whether the row is current'
)
USING DELTA
COMMENT 'Prices as each run found them'"""
for schema in [f"{CATALOG}.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
is_new = not spark.catalog.tableExists(TARGET)
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "price": f"ALTER TABLE {CATALOG}.marts.price_history ADD COLUMNS (price DECIMAL(10, 2))",
}
there = {field.name.lower() for field in spark.table(TARGET).schema}
for name, statement in NEW_COLUMNS.items():
    if name not in there:
        spark.sql(statement)

# COMMAND ----------

# DBTITLE 1,Metadata
# What this version of the flow sets. A table of an earlier version is altered once. The record is
# written last: after a crash the next run alters the table again, which changes nothing more.
RECORD = {
    "version": "31a27fef0a5bc9ab",
    "described": ["valid_from", "valid_to", "is_current"],
    "is_described": True,
    "is_clustered": False,
    "properties": [],
    "tags": [],
}
METADATA = [
    f"COMMENT ON TABLE {CATALOG}.marts.price_history IS 'Prices as each run found them'",
    f"ALTER TABLE {CATALOG}.marts.price_history ALTER COLUMN valid_from COMMENT 'Start of validity'",
    f"ALTER TABLE {CATALOG}.marts.price_history ALTER COLUMN valid_to COMMENT 'End of validity; null for the current row'",
    f"ALTER TABLE {CATALOG}.marts.price_history ALTER COLUMN is_current COMMENT 'Whether the row is current'",
]


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def text(value):
    return value.replace("\\", "\\\\").replace("'", "\\'")


def remove_dropped(earlier):
    """Removes what an earlier version of the flow has set and this one does not."""
    columns = {field.name.lower(): field.name for field in spark.table(TARGET).schema}
    if earlier["is_described"] and not RECORD["is_described"]:
        spark.sql(f"COMMENT ON TABLE {TARGET} IS NULL")
    for name in earlier["described"]:
        if name in columns and name not in RECORD["described"]:
            spark.sql(f"ALTER TABLE {TARGET} ALTER COLUMN {quoted(columns[name])} COMMENT ''")
    for key in earlier["properties"]:
        # Features of a table cannot be taken back.
        if key not in RECORD["properties"] and not key.startswith(("delta.feature", "delta.columnMapping")):
            spark.sql(f"ALTER TABLE {TARGET} UNSET TBLPROPERTIES IF EXISTS ('{text(key)}')")
    if earlier["is_clustered"] and not RECORD["is_clustered"]:
        spark.sql(f"ALTER TABLE {TARGET} CLUSTER BY NONE")
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:  # tags exist only there
        for name, tag in earlier["tags"]:
            if name in columns and [name, tag] not in RECORD["tags"]:
                spark.sql(f"ALTER TABLE {TARGET} ALTER COLUMN {quoted(columns[name])} UNSET TAGS ('{tag}')")


properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.price_history").first()["properties"]
earlier = json.loads(properties.get("lakehelm.flow", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(f"ALTER TABLE {CATALOG}.marts.price_history SET TBLPROPERTIES ('lakehelm.flow' = '{{\"version\":\"31a27fef0a5bc9ab\",\"described\":[\"valid_from\",\"valid_to\",\"is_current\"],\"is_described\":true,\"is_clustered\":false,\"properties\":[],\"tags\":[]}}')")

# COMMAND ----------

# DBTITLE 1,Keys and tags
KNOWN_KEYS = f"""\
SELECT lower(constraint_name) AS name
FROM {CATALOG}.information_schema.table_constraints
WHERE table_schema = 'marts' AND table_name = 'price_history'"""
KEYS = {
    "price_history_pk": f"ALTER TABLE {CATALOG}.marts.price_history ADD CONSTRAINT price_history_pk PRIMARY KEY (sku, valid_from)",
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
MATCHED_SQL = f"SELECT sku, price FROM {CATALOG}.sales.prices"
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = """\
SELECT
  CAST(sku AS STRING) AS sku,
  CAST(price AS DECIMAL(10, 2)) AS price
FROM lakehelm_matched"""
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
    raise ValueError(f"{CATALOG_NAME}.marts.price_history does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
# Rows of matched_sql that are not published, because another row of their key outranks them.
DUPLICATES = """\
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY sku
      ORDER BY price DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
)
SELECT count(*) AS found
FROM ranked
WHERE lakehelm_rank > 1"""
duplicates = spark.sql(DUPLICATES).first()[0]
if duplicates:
    print(f"{duplicates} rows have the key of another row: the greatest by its other columns, in their order, was published. Let matched_sql return each key once, or name the column that orders its rows in sequence_by.")

# Keys that are new or differ from their current version, each twice: to close that version, and as
# the next one.
CHANGES = f"""\
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY sku
      ORDER BY price DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
),
versions AS (
  SELECT
    sku,
    price,
    current_timestamp AS valid_from
  FROM ranked AS incoming
  WHERE lakehelm_rank = 1
    AND NOT EXISTS (
      SELECT 1 FROM {CATALOG}.marts.price_history AS kept
      WHERE kept.sku <=> incoming.sku
        AND kept.is_current
        AND kept.price <=> incoming.price
    )
)
SELECT
  sku,
  price,
  valid_from,
  lakehelm_closes
FROM versions
CROSS JOIN (VALUES (true), (false)) AS twice (lakehelm_closes)"""
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Closes the versions that changed and inserts the new ones, in one commit.
PUBLISH = f"""\
MERGE INTO {CATALOG}.marts.price_history AS target
USING lakehelm_changes AS source
ON target.sku <=> source.sku
  AND target.is_current
  AND source.lakehelm_closes
WHEN MATCHED THEN UPDATE SET
  valid_to = source.valid_from,
  is_current = false
WHEN NOT MATCHED AND NOT source.lakehelm_closes THEN INSERT (
  sku, price, valid_from, valid_to, is_current
) VALUES (
  source.sku, source.price, source.valid_from, CAST(NULL AS TIMESTAMP), true
)"""
published = spark.sql(PUBLISH).first()

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.price_history: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
)
