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


# Builds the table again from the SELECT. Of a history, that takes the consent to lose its versions.
full_refresh = parameter("full_refresh", "false").lower() == "true"
discard_history = parameter("discard_history", "false").lower() == "true"


# Without a date, the run is for all dates.
business_date = parameter("business_date", "")
if business_date and full_refresh:
    raise ValueError("full_refresh and business_date exclude each other.")
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

# COMMAND ----------

# DBTITLE 1,Change
# What this version of the flow makes of the table. The one that wrote it last is a property of the table.
SHAPE = {
    "strategy": "replace",
    "keys": [],
    "sequence": None,
    "columns": {"order_date": "date", "revenue": "decimal(18,2)"},
    "added": [],
}
NEW_COLUMNS = {
    "order_date": f"ALTER TABLE {CATALOG}.marts.revenue_by_day ADD COLUMNS (order_date DATE COMMENT 'The day of the orders')",
    "revenue": f"ALTER TABLE {CATALOG}.marts.revenue_by_day ADD COLUMNS (revenue DECIMAL(18, 2) COMMENT 'What they come to')",
}
EQUALS_SELECT = ["replace", "merge_and_delete"]
properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.revenue_by_day").first()["properties"]
last = json.loads(properties.get("lakehelm.flow.shape", "null"))
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("lakehelm_rows").schema}


def names_of(shape):
    return [name.lower() for name in [*shape["columns"], *shape["added"]]]


def keys_of(shape):
    return sorted(name.lower() for name in shape["keys"])


def why_not():
    """Why the table cannot stay as it is."""
    wrong = [
        f"{name} is {there[name.lower()]} instead of {kind}"
        for name, kind in made.items()
        if there.get(name.lower(), kind) != kind
    ]
    is_history = SHAPE["strategy"] == "history"
    is_keyed = SHAPE["strategy"] != "replace"
    if last and (last["strategy"] == "history") != is_history:
        latest, versions = "the latest row of each key", "a history"
        has, wanted = (latest, versions) if is_history else (versions, latest)
        return wrong + [f"it has {has}, and is to have {wanted}"]
    if last and is_keyed and keys_of(last) != keys_of(SHAPE):
        wrong.append(f"its key is {', '.join(last['keys']) or 'none'} instead of {', '.join(SHAPE['keys'])}")
    elif last and is_keyed and last["strategy"] == "replace":
        wrong.append("its rows were replaced as a whole, so a key may be there more than once")
    if last and is_history and last["sequence"] != SHAPE["sequence"]:
        before, after = (one["sequence"] or "the time of the run" for one in (last, SHAPE))
        wrong.append(f"its versions are ordered by {before} instead of {after}")
    needed = [*(SHAPE["keys"] if is_keyed else []), *SHAPE["added"]]
    return wrong + [f"{name} is missing" for name in needed if name.lower() not in there]


wrong = [] if is_new else why_not()
rebuild = False
if not is_new and (full_refresh or wrong):
    # A table that keeps more than the SELECT returns is built again only if that is asked for.
    is_empty = spark.table(TARGET).limit(1).count() == 0
    had_history = last["strategy"] == "history" if last else {"valid_from", "valid_to", "is_current"} <= set(there)
    loses_rows = not is_empty and not (last and last["strategy"] in EQUALS_SELECT)
    if had_history and not is_empty:
        rebuild = full_refresh and discard_history
    else:
        rebuild = full_refresh or (last is not None and (not loses_rows or SHAPE["strategy"] in EQUALS_SELECT))
    rebuild = rebuild and not business_date
    if not rebuild:
        raise ValueError(
            f"{CATALOG_NAME}.marts.revenue_by_day"
            + " does not fit the flow: " + ("; ".join(wrong) or "it has a history") + ". Nothing was written. "
            + "To build it again from its SELECT, without the rows and versions that the SELECT does not return, "
            + "run the job once with the parameters full_refresh = true and, for a history, discard_history = true: "
            + ("lakehelm flows run revenue_by_day --set parameters.full_refresh=true --set parameters.discard_history=true" if had_history else "lakehelm flows run revenue_by_day --set parameters.full_refresh=true")
        )
elif not is_new:
    gone = [] if last is None else [name for name in names_of(last) if name in there and name not in names_of(SHAPE)]
    if gone:
        # Delta drops a column only from a table that maps its columns by name, and that is not clustered by it.
        spark.sql(f"ALTER TABLE {CATALOG}.marts.revenue_by_day SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
        spark.sql(f"ALTER TABLE {CATALOG}.marts.revenue_by_day CLUSTER BY (order_date)")
        columns = ", ".join("`" + name.replace("`", "``") + "`" for name in gone)
        spark.sql(f"ALTER TABLE {TARGET} DROP COLUMNS ({columns})")
        print(f"dropped {', '.join(gone)}: the flow no longer has it")
    for name, statement in NEW_COLUMNS.items():
        if name not in there:
            spark.sql(statement)

# COMMAND ----------

# DBTITLE 1,Publish
# A rebuild fills a new table first: no reader sees the table without its rows, and after a crash it is the old
# or the new one.
TABLE = "revenue_by_day_rebuilt" if rebuild else "revenue_by_day"
DROP_REBUILT = f"DROP TABLE IF EXISTS {CATALOG}.marts.revenue_by_day_rebuilt"
CREATE_REBUILT = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.revenue_by_day_rebuilt (
  order_date DATE NOT NULL COMMENT 'The day of the orders',
  revenue DECIMAL(18, 2) COMMENT 'What they come to'
)
USING DELTA
CLUSTER BY (order_date)
COMMENT 'Revenue by day'"""
if rebuild:
    spark.sql(DROP_REBUILT)
    spark.sql(CREATE_REBUILT)

if "DATABRICKS_RUNTIME_VERSION" in os.environ:
    # An overwrite, which keeps the clustering here. Columns that the flow does not have are null.
    rows = spark.table("lakehelm_rows")
    given = {name.lower(): name for name in rows.columns}
    columns = []
    for field in spark.table(f"{CATALOG}.marts.{TABLE}").schema:
        name = given.get(field.name.lower())
        value = rows["`" + name.replace("`", "``") + "`"] if name else F.lit(None).cast(field.dataType)
        columns.append(value.alias(field.name))
    rows.select(*columns).createOrReplaceTempView("lakehelm_changes")
    if business_date:
        replaced = "order_date" + f" = DATE '{date.fromisoformat(business_date)}'"
        spark.sql(f"INSERT INTO {TARGET} REPLACE WHERE {replaced} SELECT * FROM lakehelm_changes")
    else:
        spark.sql(f"INSERT OVERWRITE {CATALOG}.marts.{TABLE} SELECT * FROM lakehelm_changes")
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
            f"MERGE INTO {CATALOG}.marts.{TABLE} AS target\n"
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
            f"MERGE INTO {CATALOG}.marts.{TABLE} AS target\n"
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

# One commit, which also records the version of the flow.
REPLACE_TARGET = f"""\
CREATE OR REPLACE TABLE {CATALOG}.marts.revenue_by_day
USING DELTA
CLUSTER BY (order_date)
COMMENT 'Revenue by day'
TBLPROPERTIES ('lakehelm.flow.shape' = '{{"strategy":"replace","keys":[],"sequence":null,"columns":{{"order_date":"date","revenue":"decimal(18,2)"}},"added":[]}}')
AS SELECT * FROM {CATALOG}.marts.revenue_by_day_rebuilt"""
if rebuild:
    spark.sql(REPLACE_TARGET)
    spark.sql(DROP_REBUILT)
    outcome = "the table was built again"

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

# DBTITLE 1,Version
if last != SHAPE:
    spark.sql(f"ALTER TABLE {CATALOG}.marts.revenue_by_day SET TBLPROPERTIES ('lakehelm.flow.shape' = '{{\"strategy\":\"replace\",\"keys\":[],\"sequence\":null,\"columns\":{{\"order_date\":\"date\",\"revenue\":\"decimal(18,2)\"}},\"added\":[]}}')")

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.revenue_by_day: "
    f"{outcome}"
)
