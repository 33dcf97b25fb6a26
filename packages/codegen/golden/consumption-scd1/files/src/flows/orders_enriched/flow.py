# Databricks notebook source
# Flow orders_enriched: publishes shop.marts.orders_enriched.

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


# Builds the table again from the SELECT. Of a history, that takes the consent to lose its versions.
full_refresh = parameter("full_refresh", "false").lower() == "true"
discard_history = parameter("discard_history", "false").lower() == "true"


def add_new_columns(table, view):
    """Adds columns that the table does not have yet, by an append of no rows."""
    there = {field.name.lower() for field in spark.table(table).schema}
    if any(field.name.lower() not in there for field in spark.table(view).schema):
        nothing = spark.table(view).limit(0)
        nothing.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(table)

# COMMAND ----------

# DBTITLE 1,Table
TARGET = f"{CATALOG}.marts.orders_enriched"

CREATE_TARGET = (
    f"CREATE TABLE IF NOT EXISTS {CATALOG}.marts.orders_enriched (\n"
    "  orders_enriched_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key',\n"
    "  order_id BIGINT NOT NULL COMMENT 'The order',\n"
    "  amount DECIMAL(18, 2) COMMENT 'What it cost',\n"
    "  country STRING COMMENT 'Where the customer lives',\n"
    "  updated_at TIMESTAMP COMMENT 'When the order last changed'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Orders with their customer\\'s country'"
)
for schema in [f"{CATALOG}.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
is_new = not spark.catalog.tableExists(TARGET)
spark.sql(CREATE_TARGET)

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = f"""\
SELECT o.order_id, o.amount, c.country, o.updated_at
FROM {CATALOG}.sales.orders AS o
JOIN {CATALOG}.sales.customers AS c ON c.customer_id = o.customer_id"""
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# Rows without a match.
UNMATCHED_SQL = f"""\
SELECT o.order_id, o.customer_id, o.amount, o.updated_at
FROM {CATALOG}.sales.orders AS o
LEFT JOIN {CATALOG}.sales.customers AS c ON c.customer_id = o.customer_id
WHERE c.customer_id IS NULL"""
spark.sql(UNMATCHED_SQL).createOrReplaceTempView("lakehelm_unmatched")

# The table that keeps them. Its columns and their types come from the SELECT.
CREATE_UNMATCHED = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.marts.orders_enriched_unmatched (
  first_seen_at TIMESTAMP COMMENT 'When a run first found the row without a match'
)
USING DELTA
COMMENT 'Rows without a match for orders_enriched'
TBLPROPERTIES ('delta.feature.timestampNtz' = 'supported')"""
spark.sql(CREATE_UNMATCHED)
add_new_columns(f"{CATALOG}.marts.orders_enriched_unmatched", "lakehelm_unmatched")

# Rows that were unmatched and match now.
RECHECK_SQL = f"""\
SELECT u.order_id, u.amount, c.country, u.updated_at
FROM {CATALOG}.marts.orders_enriched_unmatched AS u
JOIN {CATALOG}.sales.customers AS c ON c.customer_id = u.customer_id"""
spark.sql(RECHECK_SQL).createOrReplaceTempView("lakehelm_recheck")

# The same rows with the types of the target.
RECHECKED = """\
SELECT
  CAST(order_id AS BIGINT) AS order_id,
  CAST(amount AS DECIMAL(18, 2)) AS amount,
  CAST(country AS STRING) AS country,
  CAST(updated_at AS TIMESTAMP) AS updated_at
FROM lakehelm_recheck"""
spark.sql(RECHECKED).createOrReplaceTempView("lakehelm_rechecked")

# They are stored, so that exactly the published rows are removed from the unmatched table.
CLEAR_RECHECKED = f"""\
CREATE OR REPLACE TABLE {CATALOG}.marts.orders_enriched_rechecked (
  order_id BIGINT,
  amount DECIMAL(18, 2),
  country STRING,
  updated_at TIMESTAMP
)
USING DELTA
COMMENT 'Rows that the last run rechecked and published to orders_enriched'"""
spark.sql(CLEAR_RECHECKED)

# A MERGE that matches nothing inserts all rows.
STAGE = f"""\
MERGE INTO {CATALOG}.marts.orders_enriched_rechecked AS target
USING lakehelm_rechecked AS source
ON false
WHEN NOT MATCHED THEN INSERT (
  order_id, amount, country, updated_at
) VALUES (
  source.order_id, source.amount, source.country, source.updated_at
)"""
spark.sql(STAGE)

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = f"""\
SELECT
  1 AS lakehelm_age,
  CAST(order_id AS BIGINT) AS order_id,
  CAST(amount AS DECIMAL(18, 2)) AS amount,
  CAST(country AS STRING) AS country,
  CAST(updated_at AS TIMESTAMP) AS updated_at
FROM lakehelm_matched
UNION ALL
SELECT
  2 AS lakehelm_age,
  order_id,
  amount,
  country,
  updated_at
FROM {CATALOG}.marts.orders_enriched_rechecked"""
spark.sql(ROWS).createOrReplaceTempView("lakehelm_rows")

# COMMAND ----------

# DBTITLE 1,Change
# What this version of the flow makes of the table. The one that wrote it last is a property of the table.
SHAPE = {
    "strategy": "merge",
    "keys": ["order_id"],
    "sequence": "updated_at",
    "columns": {
        "order_id": "bigint",
        "amount": "decimal(18,2)",
        "country": "string",
        "updated_at": "timestamp",
    },
    "added": ["orders_enriched_sk"],
}
NEW_COLUMNS = {
    "amount": f"ALTER TABLE {CATALOG}.marts.orders_enriched ADD COLUMNS (amount DECIMAL(18, 2) COMMENT 'What it cost')",
    "country": f"ALTER TABLE {CATALOG}.marts.orders_enriched ADD COLUMNS (country STRING COMMENT 'Where the customer lives')",
    "updated_at": f"ALTER TABLE {CATALOG}.marts.orders_enriched ADD COLUMNS (updated_at TIMESTAMP COMMENT 'When the order last changed')",
}
EQUALS_SELECT = ["replace", "merge_and_delete"]
properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.orders_enriched").first()["properties"]
last = json.loads(properties.get("lakehelm.flow.shape", "null"))
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("lakehelm_rows").schema}
del made["lakehelm_age"]  # the order of the rows, not a column of the table


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
    if not rebuild:
        raise ValueError(
            f"{CATALOG_NAME}.marts.orders_enriched"
            + " does not fit the flow: " + ("; ".join(wrong) or "it has a history") + ". Nothing was written. "
            + "To build it again from its SELECT, without the rows and versions that the SELECT does not return, "
            + "run the job once with the parameters full_refresh = true and, for a history, discard_history = true: "
            + ("lakehelm flows run orders_enriched --set parameters.full_refresh=true --set parameters.discard_history=true" if had_history else "lakehelm flows run orders_enriched --set parameters.full_refresh=true")
        )
elif not is_new:
    gone = [] if last is None else [name for name in names_of(last) if name in there and name not in names_of(SHAPE)]
    if gone:
        # Delta drops a column only from a table that maps its columns by name, and that is not clustered by it.
        spark.sql(f"ALTER TABLE {CATALOG}.marts.orders_enriched SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
        spark.sql(f"ALTER TABLE {CATALOG}.marts.orders_enriched CLUSTER BY NONE")
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
TABLE = "orders_enriched_rebuilt" if rebuild else "orders_enriched"
DROP_REBUILT = f"DROP TABLE IF EXISTS {CATALOG}.marts.orders_enriched_rebuilt"
CREATE_REBUILT = (
    f"CREATE TABLE IF NOT EXISTS {CATALOG}.marts.orders_enriched_rebuilt (\n"
    "  orders_enriched_sk STRING NOT NULL COMMENT 'Surrogate key: a hash of the key',\n"
    "  order_id BIGINT NOT NULL COMMENT 'The order',\n"
    "  amount DECIMAL(18, 2) COMMENT 'What it cost',\n"
    "  country STRING COMMENT 'Where the customer lives',\n"
    "  updated_at TIMESTAMP COMMENT 'When the order last changed'\n"
    ")\n"
    "USING DELTA\n"
    "COMMENT 'Orders with their customer\\'s country'"
)
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
        updated_at DESC NULLS LAST,
        lakehelm_age,
        amount DESC NULLS LAST,
        country DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
)
SELECT count(*) AS found
FROM ranked
WHERE lakehelm_rank > 1
  AND lakehelm_age = 1"""
duplicates = spark.sql(DUPLICATES).first()[0]
if duplicates:
    print(f"{duplicates} rows are older than another row of their key in this run, or have the same updated_at.")

# One row for each key. The other columns break ties, so that every run chooses the same row. Rows
# that the table already has are left out.
CHANGES = f"""\
WITH ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY order_id
      ORDER BY
        updated_at DESC NULLS LAST,
        lakehelm_age,
        amount DESC NULLS LAST,
        country DESC NULLS LAST
    ) AS lakehelm_rank
  FROM lakehelm_rows
)
SELECT
  sha2(to_json(array(CAST(order_id AS STRING))), 256) AS orders_enriched_sk,
  order_id,
  amount,
  country,
  updated_at
FROM ranked AS incoming
WHERE lakehelm_rank = 1
  AND NOT EXISTS (
    SELECT 1 FROM {CATALOG}.marts.{TABLE} AS kept
    WHERE kept.order_id <=> incoming.order_id
      AND (
        NOT coalesce(incoming.updated_at >= kept.updated_at, kept.updated_at IS NULL)
        OR (
          kept.amount,
          kept.country,
          kept.updated_at
        ) <=> (
          incoming.amount,
          incoming.country,
          incoming.updated_at
        )
      )
  )"""
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Only rows that differ are merged: a run without changes commits nothing.
PUBLISH = f"""\
MERGE INTO {CATALOG}.marts.{TABLE} AS target
USING lakehelm_changes AS source
ON target.order_id <=> source.order_id
WHEN MATCHED THEN UPDATE SET
  amount = source.amount,
  country = source.country,
  updated_at = source.updated_at
WHEN NOT MATCHED THEN INSERT (
  orders_enriched_sk, order_id, amount, country, updated_at
) VALUES (
  source.orders_enriched_sk, source.order_id, source.amount, source.country, source.updated_at
)"""
published = spark.sql(PUBLISH).first()

# One commit, which also records the version of the flow.
REPLACE_TARGET = (
    f"CREATE OR REPLACE TABLE {CATALOG}.marts.orders_enriched\n"
    "USING DELTA\n"
    "COMMENT 'Orders with their customer\\'s country'\n"
    "TBLPROPERTIES ('lakehelm.flow.shape' = '{\"strategy\":\"merge\",\"keys\":[\"order_id\"],\"sequence\":\"updated_at\",\"columns\":{\"order_id\":\"bigint\",\"amount\":\"decimal(18,2)\",\"country\":\"string\",\"updated_at\":\"timestamp\"},\"added\":[\"orders_enriched_sk\"]}')\n"
    f"AS SELECT * FROM {CATALOG}.marts.orders_enriched_rebuilt"
)
if rebuild:
    spark.sql(REPLACE_TARGET)
    spark.sql(DROP_REBUILT)

# COMMAND ----------

# DBTITLE 1,Unmatched rows
# Removes rows that were rechecked and published, by key.
LEAVE = f"""\
MERGE INTO {CATALOG}.marts.orders_enriched_unmatched AS target
USING (
  SELECT DISTINCT order_id
  FROM {CATALOG}.marts.orders_enriched_rechecked
) AS source
ON try_cast(target.order_id AS BIGINT) <=> source.order_id
WHEN MATCHED THEN DELETE"""
left = spark.sql(LEAVE).first()

# Each unmatched row once, if it is not kept yet.
NEW_UNMATCHED = f"""\
WITH incoming AS (
  SELECT
    *,
    to_json(named_struct('order_id', order_id, 'customer_id', customer_id, 'amount', amount, 'updated_at', updated_at), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) AS lakehelm_row
  FROM lakehelm_unmatched
),
kept AS (
  SELECT
    to_json(named_struct('order_id', order_id, 'customer_id', customer_id, 'amount', amount, 'updated_at', updated_at), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) AS lakehelm_row
  FROM {CATALOG}.marts.orders_enriched_unmatched
),
ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY lakehelm_row
      ORDER BY lakehelm_row
    ) AS lakehelm_rank
  FROM incoming
)
SELECT
  order_id,
  customer_id,
  amount,
  updated_at
FROM ranked
WHERE lakehelm_rank = 1
  AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.lakehelm_row = ranked.lakehelm_row)"""
spark.sql(NEW_UNMATCHED).createOrReplaceTempView("lakehelm_new_unmatched")

# Inserts them with the time of this run.
KEEP = f"""\
MERGE INTO {CATALOG}.marts.orders_enriched_unmatched AS target
USING lakehelm_new_unmatched AS source
ON false
WHEN NOT MATCHED THEN INSERT (
  order_id, customer_id, amount, updated_at, first_seen_at
) VALUES (
  source.order_id, source.customer_id, source.amount, source.updated_at, now()
)"""
kept = spark.sql(KEEP).first()

# COMMAND ----------

# DBTITLE 1,Metadata
# What this version of the flow sets. A table of an earlier version is altered once. The record is
# written last: after a crash the next run alters the table again, which changes nothing more.
RECORD = {
    "version": "7198045b1f6242d4",
    "described": ["orders_enriched_sk", "order_id", "amount", "country", "updated_at"],
    "is_described": True,
    "is_clustered": False,
    "properties": [],
    "tags": [["amount", "glossary_terms"], ["country", "pii"]],
}
METADATA = [
    f"COMMENT ON TABLE {CATALOG}.marts.orders_enriched IS 'Orders with their customer\\'s country'",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN orders_enriched_sk COMMENT 'Surrogate key: a hash of the key'",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN order_id COMMENT 'The order'",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN amount COMMENT 'What it cost'",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN country COMMENT 'Where the customer lives'",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN updated_at COMMENT 'When the order last changed'",
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


properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.orders_enriched").first()["properties"]
earlier = json.loads(properties.get("lakehelm.flow", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(f"ALTER TABLE {CATALOG}.marts.orders_enriched SET TBLPROPERTIES ('lakehelm.flow' = '{{\"version\":\"7198045b1f6242d4\",\"described\":[\"orders_enriched_sk\",\"order_id\",\"amount\",\"country\",\"updated_at\"],\"is_described\":true,\"is_clustered\":false,\"properties\":[],\"tags\":[[\"amount\",\"glossary_terms\"],[\"country\",\"pii\"]]}}')")

# COMMAND ----------

# DBTITLE 1,Keys and tags
KNOWN_KEYS = f"""\
SELECT lower(constraint_name) AS name
FROM {CATALOG}.information_schema.table_constraints
WHERE table_schema = 'marts' AND table_name = 'orders_enriched'"""
KEYS = {
    "orders_enriched_pk": f"ALTER TABLE {CATALOG}.marts.orders_enriched ADD CONSTRAINT orders_enriched_pk PRIMARY KEY (order_id)",
}
TAGS = [
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN amount SET TAGS ('glossary_terms' = 'Revenue')",
    f"ALTER TABLE {CATALOG}.marts.orders_enriched ALTER COLUMN country SET TAGS ('pii' = 'true')",
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

# DBTITLE 1,Version
if last != SHAPE:
    spark.sql(f"ALTER TABLE {CATALOG}.marts.orders_enriched SET TBLPROPERTIES ('lakehelm.flow.shape' = '{{\"strategy\":\"merge\",\"keys\":[\"order_id\"],\"sequence\":\"updated_at\",\"columns\":{{\"order_id\":\"bigint\",\"amount\":\"decimal(18,2)\",\"country\":\"string\",\"updated_at\":\"timestamp\"}},\"added\":[\"orders_enriched_sk\"]}}')")

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.orders_enriched: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
    f"; {left.num_deleted_rows} were unmatched and match now"
    f"; {kept.num_inserted_rows} newly kept as unmatched"
)
