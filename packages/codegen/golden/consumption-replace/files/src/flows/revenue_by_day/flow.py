# Databricks notebook source
# Flow revenue_by_day: publishes shop.marts.revenue_by_day.

# COMMAND ----------

# DBTITLE 1,Parameters
import argparse
import json
import os
from datetime import date

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


# Without a date, the run is for all dates.
business_date = parameter("business_date", "")
if business_date:
    date.fromisoformat(business_date)  # fails for anything else
    today = spark.range(1).select(F.lit(business_date).cast("date").alias("business_date"))
    today.createOrReplaceTempView("lakehelm_run")


def of_date(rows, row_date):
    """With a business date, only the rows of that date. `row_date` is the expression for it."""
    if not business_date:
        return rows
    return rows.where(F.expr(row_date) == F.lit(business_date).cast("date"))

# COMMAND ----------

# DBTITLE 1,Table
TARGET = f"{CATALOG}.marts.revenue_by_day"

CREATE_TARGET = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.revenue_by_day (
  order_date DATE NOT NULL COMMENT 'The day of the orders',
  revenue DECIMAL(18, 2) COMMENT 'What they come to'
)
USING DELTA
CLUSTER BY (order_date)
COMMENT 'Revenue by day'"""
for schema in [f"{CATALOG}.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
is_new = not spark.catalog.tableExists(TARGET)
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "order_date": f"ALTER TABLE {CATALOG}.marts.revenue_by_day ADD COLUMNS (order_date DATE COMMENT 'The day of the orders')",
    "revenue": f"ALTER TABLE {CATALOG}.marts.revenue_by_day ADD COLUMNS (revenue DECIMAL(18, 2) COMMENT 'What they come to')",
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
    "version": "5095fa9775a4b3a7",
    "described": ["order_date", "revenue"],
    "is_described": True,
    "is_clustered": True,
    "properties": [],
    "tags": [],
}
METADATA = [
    f"COMMENT ON TABLE {CATALOG}.marts.revenue_by_day IS 'Revenue by day'",
    f"ALTER TABLE {CATALOG}.marts.revenue_by_day ALTER COLUMN order_date COMMENT 'The day of the orders'",
    f"ALTER TABLE {CATALOG}.marts.revenue_by_day ALTER COLUMN revenue COMMENT 'What they come to'",
    f"ALTER TABLE {CATALOG}.marts.revenue_by_day CLUSTER BY (order_date)",
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


properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.revenue_by_day").first()["properties"]
earlier = json.loads(properties.get("lakehelm.flow", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(f"ALTER TABLE {CATALOG}.marts.revenue_by_day SET TBLPROPERTIES ('lakehelm.flow' = '{{\"version\":\"5095fa9775a4b3a7\",\"described\":[\"order_date\",\"revenue\"],\"is_described\":true,\"is_clustered\":true,\"properties\":[],\"tags\":[]}}')")

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = f"""\
SELECT
  CAST(ordered_at AS DATE) AS order_date,
  SUM(amount) AS revenue
FROM {CATALOG}.sales.orders
GROUP BY CAST(ordered_at AS DATE)"""
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = """\
SELECT
  CAST(order_date AS DATE) AS order_date,
  CAST(revenue AS DECIMAL(18, 2)) AS revenue
FROM lakehelm_matched"""
of_date(spark.sql(ROWS), "order_date").createOrReplaceTempView("lakehelm_rows")

# Nothing is written to a table without the columns of the flow.
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("lakehelm_rows").schema}
wrong = [
    f"{name} is {there.get(name.lower(), 'missing')} and not {kind}"
    for name, kind in made.items()
    if there.get(name.lower()) != kind
]
if wrong:
    raise ValueError(f"{CATALOG_NAME}.marts.revenue_by_day does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
if "DATABRICKS_RUNTIME_VERSION" in os.environ:
    # An overwrite, which keeps the clustering here. Columns that the flow does not have are null.
    rows = spark.table("lakehelm_rows")
    given = {name.lower(): name for name in rows.columns}
    columns = []
    for field in spark.table(TARGET).schema:
        name = given.get(field.name.lower())
        value = rows["`" + name.replace("`", "``") + "`"] if name else F.lit(None).cast(field.dataType)
        columns.append(value.alias(field.name))
    rows.select(*columns).createOrReplaceTempView("lakehelm_changes")
    if business_date:
        replaced = "order_date" + f" = DATE '{date.fromisoformat(business_date)}'"
        spark.sql(f"INSERT INTO {TARGET} REPLACE WHERE {replaced} SELECT * FROM lakehelm_changes")
    else:
        spark.sql(f"INSERT OVERWRITE {CATALOG}.marts.revenue_by_day SELECT * FROM lakehelm_changes")
    outcome = "the rows were replaced"
else:
    if business_date:
        # A MERGE, because an overwrite would lose the table's clustering on open-source Delta. The new rows
        # are followed by 200 marker rows: each row that the table has for the date matches one of them by
        # its hash and is deleted.
        CHANGES_OF_DATE = (
            "SELECT\n"
            "  -1 - pmod(hash(order_date, revenue), 200) AS lakehelm_part,\n"
            "  CAST(NULL AS DATE) AS lakehelm_replaced,\n"
            "  order_date,\n"
            "  revenue\n"
            "FROM lakehelm_rows\n"
            "UNION ALL\n"
            "SELECT\n"
            "  lakehelm_part,\n"
            "  business_date AS lakehelm_replaced,\n"
            "  CAST(NULL AS DATE) AS order_date,\n"
            "  CAST(NULL AS DECIMAL(18, 2)) AS revenue\n"
            "FROM range(200) AS parts (lakehelm_part)\n"
            "CROSS JOIN lakehelm_run"
        )
        spark.sql(CHANGES_OF_DATE).createOrReplaceTempView("lakehelm_changes")

        # Deletes the rows that the table has for the date and inserts the rows of the run, in one commit.
        PUBLISH_DATE = (
            f"MERGE INTO {CATALOG}.marts.revenue_by_day AS target\n"
            "USING lakehelm_changes AS source\n"
            "ON pmod(hash(target.order_date, target.revenue), 200) = source.lakehelm_part\n"
            "  AND target.order_date = source.lakehelm_replaced\n"
            "WHEN MATCHED THEN DELETE\n"
            "WHEN NOT MATCHED AND source.lakehelm_part < 0 THEN INSERT (\n"
            "  order_date, revenue\n"
            ") VALUES (\n"
            "  source.order_date, source.revenue\n"
            ")"
        )
        published = spark.sql(PUBLISH_DATE).first()
    else:
        # A MERGE, because an overwrite would lose the table's clustering on open-source Delta. The new rows
        # are followed by 200 marker rows: each row that the table has matches one of them by its hash and
        # is deleted.
        CHANGES = (
            "SELECT\n"
            "  -1 - pmod(hash(order_date, revenue), 200) AS lakehelm_part,\n"
            "  order_date,\n"
            "  revenue\n"
            "FROM lakehelm_rows\n"
            "UNION ALL\n"
            "SELECT\n"
            "  lakehelm_part,\n"
            "  CAST(NULL AS DATE) AS order_date,\n"
            "  CAST(NULL AS DECIMAL(18, 2)) AS revenue\n"
            "FROM range(200) AS parts (lakehelm_part)"
        )
        spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

        # Deletes the rows that the table has and inserts the rows of the run, in one commit.
        PUBLISH = (
            f"MERGE INTO {CATALOG}.marts.revenue_by_day AS target\n"
            "USING lakehelm_changes AS source\n"
            "ON pmod(hash(target.order_date, target.revenue), 200) = source.lakehelm_part\n"
            "WHEN MATCHED THEN DELETE\n"
            "WHEN NOT MATCHED AND source.lakehelm_part < 0 THEN INSERT (\n"
            "  order_date, revenue\n"
            ") VALUES (\n"
            "  source.order_date, source.revenue\n"
            ")"
        )
        published = spark.sql(PUBLISH).first()
    outcome = f"{published.num_inserted_rows} rows inserted, {published.num_deleted_rows} deleted"

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.revenue_by_day: "
    f"{outcome}"
)
