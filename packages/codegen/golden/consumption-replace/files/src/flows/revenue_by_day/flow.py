# Databricks notebook source
# Flow revenue_by_day: publishes shop.marts.revenue_by_day.

# COMMAND ----------

# DBTITLE 1,Parameters
import argparse
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
TARGET = "shop.marts.revenue_by_day"

CREATE_TARGET = (
    "CREATE TABLE IF NOT EXISTS shop.marts.revenue_by_day (\n"
    "  order_date DATE NOT NULL COMMENT 'The day of the orders',\n"
    "  revenue DECIMAL(18, 2) COMMENT 'What they come to'\n"
    ")\n"
    "USING DELTA\n"
    "CLUSTER BY (order_date)\n"
    "COMMENT 'Revenue by day'"
)
for schema in ["shop.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
spark.sql(CREATE_TARGET)

# Adds new columns to the table of an earlier version of the flow.
NEW_COLUMNS = {
    "order_date": "ALTER TABLE shop.marts.revenue_by_day ADD COLUMNS (order_date DATE COMMENT 'The day of the orders')",
    "revenue": "ALTER TABLE shop.marts.revenue_by_day ADD COLUMNS (revenue DECIMAL(18, 2) COMMENT 'What they come to')",
}
there = {field.name.lower() for field in spark.table(TARGET).schema}
for name, statement in NEW_COLUMNS.items():
    if name not in there:
        spark.sql(statement)

# Shorter names in the flow's SQL are names of this schema.
spark.sql("USE shop.sales")

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = (
    "SELECT\n"
    "  CAST(ordered_at AS DATE) AS order_date,\n"
    "  SUM(amount) AS revenue\n"
    "FROM shop.sales.orders\n"
    "GROUP BY CAST(ordered_at AS DATE)"
)
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = (
    "SELECT\n"
    "  CAST(order_date AS DATE) AS order_date,\n"
    "  CAST(revenue AS DECIMAL(18, 2)) AS revenue\n"
    "FROM lakehelm_matched"
)
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
    raise ValueError("shop.marts.revenue_by_day does not have the columns of the flow: " + "; ".join(wrong))

# COMMAND ----------

# DBTITLE 1,Publish
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
        "MERGE INTO shop.marts.revenue_by_day AS target\n"
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
        "MERGE INTO shop.marts.revenue_by_day AS target\n"
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

# COMMAND ----------

# DBTITLE 1,Summary
print(
    "shop.marts.revenue_by_day: "
    f"{published.num_inserted_rows} rows inserted, {published.num_deleted_rows} deleted"
)
