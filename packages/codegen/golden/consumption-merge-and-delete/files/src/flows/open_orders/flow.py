# Databricks notebook source
# Flow open_orders: publishes shop.marts.open_orders.

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


def of_date(rows, row_date):
    """With a business date, only the rows of that date. `row_date` is the expression for it."""
    if not business_date:
        return rows
    return rows.where(F.expr(row_date) == F.lit(business_date).cast("date"))

# COMMAND ----------

# DBTITLE 1,Table
TARGET = f"{CATALOG}.marts.open_orders"

CREATE_TARGET = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.open_orders (
  order_id BIGINT NOT NULL,
  customer_id BIGINT,
  ordered_on DATE NOT NULL
)
USING DELTA
COMMENT 'Orders that are open'"""
for schema in [f"{CATALOG}.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
is_new = not spark.catalog.tableExists(TARGET)
spark.sql(CREATE_TARGET)

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = f"SELECT order_id, customer_id, ordered_on FROM {CATALOG}.sales.orders WHERE status = 'open'"
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = """\
SELECT
  CAST(order_id AS BIGINT) AS order_id,
  CAST(customer_id AS BIGINT) AS customer_id,
  CAST(ordered_on AS DATE) AS ordered_on
FROM lakehelm_matched"""
of_date(spark.sql(ROWS), "ordered_on").createOrReplaceTempView("lakehelm_rows")

# COMMAND ----------

# DBTITLE 1,Change
# What this version of the flow makes of the table. The one that wrote it last is a property of the table.
SHAPE = {
    "strategy": "merge_and_delete",
    "keys": ["order_id"],
    "sequence": None,
    "columns": {"order_id": "bigint", "customer_id": "bigint", "ordered_on": "date"},
    "added": [],
}
NEW_COLUMNS = {
    "customer_id": f"ALTER TABLE {CATALOG}.marts.open_orders ADD COLUMNS (customer_id BIGINT)",
    "ordered_on": f"ALTER TABLE {CATALOG}.marts.open_orders ADD COLUMNS (ordered_on DATE)",
}
EQUALS_SELECT = ["replace", "merge_and_delete"]
properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.open_orders").first()["properties"]
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
            f"{CATALOG_NAME}.marts.open_orders"
            + " does not fit the flow: " + ("; ".join(wrong) or "it has a history") + ". Nothing was written. "
            + "To build it again from its SELECT, without the rows and versions that the SELECT does not return, "
            + "run the job once with the parameters full_refresh = true and, for a history, discard_history = true: "
            + ("lakehelm flows run open_orders --set parameters.full_refresh=true --set parameters.discard_history=true" if had_history else "lakehelm flows run open_orders --set parameters.full_refresh=true")
        )
elif not is_new:
    gone = [] if last is None else [name for name in names_of(last) if name in there and name not in names_of(SHAPE)]
    if gone:
        # Delta drops a column only from a table that maps its columns by name, and that is not clustered by it.
        spark.sql(f"ALTER TABLE {CATALOG}.marts.open_orders SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
        spark.sql(f"ALTER TABLE {CATALOG}.marts.open_orders CLUSTER BY NONE")
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
TABLE = "open_orders_rebuilt" if rebuild else "open_orders"
DROP_REBUILT = f"DROP TABLE IF EXISTS {CATALOG}.marts.open_orders_rebuilt"
CREATE_REBUILT = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.open_orders_rebuilt (
  order_id BIGINT NOT NULL,
  customer_id BIGINT,
  ordered_on DATE NOT NULL
)
USING DELTA
COMMENT 'Orders that are open'"""
if rebuild:
    spark.sql(DROP_REBUILT)
    spark.sql(CREATE_REBUILT)

# Rows of matched_sql that are not published, because another row of their key outranks them.
DUPLICATES = """\
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY order_id
      ORDER BY
        customer_id DESC NULLS LAST,
        ordered_on DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
)
SELECT count(*) AS found
FROM ranked
WHERE lakehelm_rank > 1"""
duplicates = spark.sql(DUPLICATES).first()[0]
if duplicates:
    print(f"{duplicates} rows have the key of another row: the greatest by its other columns, in their order, was published. Let matched_sql return each key once, or name the column that orders its rows in sequence_by.")

# The rows of the table, and whether the run does not bring their key.
STORED = f"""\
SELECT
  kept.order_id,
  kept.customer_id,
  kept.ordered_on,
  incoming.lakehelm_found IS NULL AS lakehelm_gone
FROM {CATALOG}.marts.{TABLE} AS kept
LEFT JOIN (
  SELECT DISTINCT order_id, true AS lakehelm_found
  FROM lakehelm_rows
) AS incoming
  ON kept.order_id <=> incoming.order_id"""
of_date(spark.sql(STORED), "ordered_on").createOrReplaceTempView("lakehelm_stored")

# A source that has lost its rows must not empty the table.
GONE = """\
SELECT CASE
    WHEN count(*) >= 10 AND count_if(lakehelm_gone) > count(*) * 0.8 THEN count_if(lakehelm_gone)
    ELSE 0
  END AS found
FROM lakehelm_stored"""
found = spark.sql(GONE).first()[0]
if found:
    raise ValueError(f"{found} rows of {CATALOG_NAME}.marts.{TABLE} would be deleted, more than the 80 % that max_delete_share allows. Nothing was written. Check whether the tables that matched_sql reads have lost their rows. If they are meant to go, set max_delete_share to 1 for one run.")

# One row for each key. The other columns break ties, so that every run chooses the same row. Rows
# that the table already has are left out. Then the keys that are gone.
CHANGES = f"""\
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY order_id
      ORDER BY
        customer_id DESC NULLS LAST,
        ordered_on DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
)
SELECT
  order_id,
  customer_id,
  ordered_on,
  false AS lakehelm_deleted
FROM ranked AS incoming
WHERE lakehelm_rank = 1
  AND NOT EXISTS (
    SELECT 1 FROM {CATALOG}.marts.{TABLE} AS kept
    WHERE kept.order_id <=> incoming.order_id
      AND (
        (kept.customer_id, kept.ordered_on) <=> (incoming.customer_id, incoming.ordered_on)
      )
  )
UNION ALL
SELECT
  order_id,
  customer_id,
  ordered_on,
  true AS lakehelm_deleted
FROM lakehelm_stored
WHERE lakehelm_gone"""
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Only rows that differ are merged: a run without changes commits nothing.
PUBLISH = f"""\
MERGE INTO {CATALOG}.marts.{TABLE} AS target
USING lakehelm_changes AS source
ON target.order_id <=> source.order_id
WHEN MATCHED AND source.lakehelm_deleted THEN DELETE
WHEN MATCHED THEN UPDATE SET
  customer_id = source.customer_id,
  ordered_on = source.ordered_on
WHEN NOT MATCHED THEN INSERT (
  order_id, customer_id, ordered_on
) VALUES (
  source.order_id, source.customer_id, source.ordered_on
)"""
published = spark.sql(PUBLISH).first()

# One commit, which also records the version of the flow.
REPLACE_TARGET = f"""\
CREATE OR REPLACE TABLE {CATALOG}.marts.open_orders
USING DELTA
COMMENT 'Orders that are open'
TBLPROPERTIES ('lakehelm.flow.shape' = '{{"strategy":"merge_and_delete","keys":["order_id"],"sequence":null,"columns":{{"order_id":"bigint","customer_id":"bigint","ordered_on":"date"}},"added":[]}}')
AS SELECT * FROM {CATALOG}.marts.open_orders_rebuilt"""
if rebuild:
    spark.sql(REPLACE_TARGET)
    spark.sql(DROP_REBUILT)

# COMMAND ----------

# DBTITLE 1,Metadata
# What this version of the flow sets. A table of an earlier version is altered once. The record is
# written last: after a crash the next run alters the table again, which changes nothing more.
RECORD = {
    "version": "32900ef6d4e7e9d7",
    "described": [],
    "is_described": True,
    "is_clustered": False,
    "properties": [],
    "tags": [],
}
METADATA = [
    f"COMMENT ON TABLE {CATALOG}.marts.open_orders IS 'Orders that are open'",
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


properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.open_orders").first()["properties"]
earlier = json.loads(properties.get("lakehelm.flow", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(f"ALTER TABLE {CATALOG}.marts.open_orders SET TBLPROPERTIES ('lakehelm.flow' = '{{\"version\":\"32900ef6d4e7e9d7\",\"described\":[],\"is_described\":true,\"is_clustered\":false,\"properties\":[],\"tags\":[]}}')")

# COMMAND ----------

# DBTITLE 1,Keys and tags
KNOWN_KEYS = f"""\
SELECT lower(constraint_name) AS name
FROM {CATALOG}.information_schema.table_constraints
WHERE table_schema = 'marts' AND table_name = 'open_orders'"""
KEYS = {
    "open_orders_pk": f"ALTER TABLE {CATALOG}.marts.open_orders ADD CONSTRAINT open_orders_pk PRIMARY KEY (order_id)",
    "open_orders_fk_customer_id": f"ALTER TABLE {CATALOG}.marts.open_orders ADD CONSTRAINT open_orders_fk_customer_id FOREIGN KEY (customer_id) REFERENCES {CATALOG}.sales.customers (customer_id)",
}

# Keys and tags exist only on Databricks.
if "DATABRICKS_RUNTIME_VERSION" in os.environ:
    known = {row.name for row in spark.sql(KNOWN_KEYS).collect()}
    for name, statement in KEYS.items():
        if name not in known:
            spark.sql(statement)

# COMMAND ----------

# DBTITLE 1,Version
if last != SHAPE:
    spark.sql(f"ALTER TABLE {CATALOG}.marts.open_orders SET TBLPROPERTIES ('lakehelm.flow.shape' = '{{\"strategy\":\"merge_and_delete\",\"keys\":[\"order_id\"],\"sequence\":null,\"columns\":{{\"order_id\":\"bigint\",\"customer_id\":\"bigint\",\"ordered_on\":\"date\"}},\"added\":[]}}')")

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.open_orders: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
    f", {published.num_deleted_rows} deleted"
)
