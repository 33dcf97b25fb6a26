# Databricks notebook source
# Flow customer_history: publishes shop.marts.customer_history.

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

# COMMAND ----------

# DBTITLE 1,Table
TARGET = f"{CATALOG}.marts.customer_history"

CREATE_TARGET = (
    f"CREATE TABLE IF NOT EXISTS {CATALOG}.marts.customer_history (\n"
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
for schema in [f"{CATALOG}.marts"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
is_new = not spark.catalog.tableExists(TARGET)
spark.sql(CREATE_TARGET)

# COMMAND ----------

# DBTITLE 1,Read
# The rows to publish: matched_sql of the flow.
MATCHED_SQL = f"""\
SELECT customer_id, email, country, updated_at
FROM {CATALOG}.sales.customers"""
spark.sql(MATCHED_SQL).createOrReplaceTempView("lakehelm_matched")

# The rows of this run: columns chosen by name, with the types of the target.
ROWS = """\
SELECT
  CAST(customer_id AS BIGINT) AS customer_id,
  CAST(email AS STRING) AS email,
  CAST(country AS STRING) AS country,
  CAST(updated_at AS TIMESTAMP) AS updated_at
FROM lakehelm_matched"""
spark.sql(ROWS).createOrReplaceTempView("lakehelm_rows")

# COMMAND ----------

# DBTITLE 1,Change
# What this version of the flow makes of the table. The one that wrote it last is a property of the table.
SHAPE = {
    "strategy": "history",
    "keys": ["customer_id"],
    "sequence": "updated_at",
    "columns": {
        "customer_id": "bigint",
        "email": "string",
        "country": "string",
        "updated_at": "timestamp",
    },
    "added": ["customer_history_sk", "valid_from", "valid_to", "is_current"],
}
NEW_COLUMNS = {
    "email": f"ALTER TABLE {CATALOG}.marts.customer_history ADD COLUMNS (email STRING COMMENT 'How to reach them')",
    "country": f"ALTER TABLE {CATALOG}.marts.customer_history ADD COLUMNS (country STRING COMMENT 'Where they live')",
    "updated_at": f"ALTER TABLE {CATALOG}.marts.customer_history ADD COLUMNS (updated_at TIMESTAMP COMMENT 'Since when it was so')",
}
EQUALS_SELECT = ["replace", "merge_and_delete"]
properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.customer_history").first()["properties"]
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
    if not rebuild:
        raise ValueError(
            f"{CATALOG_NAME}.marts.customer_history"
            + " does not fit the flow: " + ("; ".join(wrong) or "it has a history") + ". Nothing was written. "
            + "To build it again from its SELECT, without the rows and versions that the SELECT does not return, "
            + "run the job once with the parameters full_refresh = true and, for a history, discard_history = true: "
            + ("lakehelm flows run customer_history --set parameters.full_refresh=true --set parameters.discard_history=true" if had_history else "lakehelm flows run customer_history --set parameters.full_refresh=true")
        )
elif not is_new:
    gone = [] if last is None else [name for name in names_of(last) if name in there and name not in names_of(SHAPE)]
    if gone:
        # Delta drops a column only from a table that maps its columns by name, and that is not clustered by it.
        spark.sql(f"ALTER TABLE {CATALOG}.marts.customer_history SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
        spark.sql(f"ALTER TABLE {CATALOG}.marts.customer_history CLUSTER BY NONE")
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
TABLE = "customer_history_rebuilt" if rebuild else "customer_history"
DROP_REBUILT = f"DROP TABLE IF EXISTS {CATALOG}.marts.customer_history_rebuilt"
CREATE_REBUILT = (
    f"CREATE TABLE IF NOT EXISTS {CATALOG}.marts.customer_history_rebuilt (\n"
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
if rebuild:
    spark.sql(DROP_REBUILT)
    spark.sql(CREATE_REBUILT)

# A version begins at its sequence, so every row needs one.
WITHOUT_SEQUENCE = """\
SELECT count(*) AS found
FROM lakehelm_rows
WHERE updated_at IS NULL"""
found = spark.sql(WITHOUT_SEQUENCE).first()[0]
if found:
    raise ValueError(f"{found} rows have no updated_at, which orders the history of {CATALOG_NAME}.marts.{TABLE}. Nothing was written.")

# Rows of matched_sql that are not published, because another row of their key outranks them.
DUPLICATES = f"""\
WITH versions AS (
  SELECT
    1 AS lakehelm_age,
    customer_id,
    email,
    country,
    updated_at,
    CAST(NULL AS TIMESTAMP) AS lakehelm_ended
  FROM lakehelm_rows
  UNION ALL
  SELECT
    3 AS lakehelm_age,
    customer_id,
    email,
    country,
    updated_at,
    valid_to AS lakehelm_ended
  FROM {CATALOG}.marts.{TABLE} AS kept
  WHERE EXISTS (
    SELECT 1 FROM lakehelm_rows AS incoming
    WHERE incoming.customer_id <=> kept.customer_id
  )
),
ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY customer_id, updated_at
      ORDER BY
        email DESC NULLS LAST,
        country DESC NULLS LAST,
        lakehelm_age
    ) AS lakehelm_rank
  FROM versions
)
SELECT count(*) AS found
FROM ranked
WHERE lakehelm_rank > 1
  AND lakehelm_age = 1"""
duplicates = spark.sql(DUPLICATES).first()[0]
if duplicates:
    print(f"{duplicates} rows have the key and the updated_at of another row: the greatest by its other columns, in their order, is the version, in whatever run it comes. Give every change its own updated_at.")

# The timeline of each key in the run. Of two rows with the same sequence, the greatest by its other
# columns wins. Rows that the table already has are left out.
CHANGES = f"""\
WITH versions AS (
  SELECT
    1 AS lakehelm_age,
    customer_id,
    email,
    country,
    updated_at,
    CAST(NULL AS TIMESTAMP) AS lakehelm_ended
  FROM lakehelm_rows
  UNION ALL
  SELECT
    3 AS lakehelm_age,
    customer_id,
    email,
    country,
    updated_at,
    valid_to AS lakehelm_ended
  FROM {CATALOG}.marts.{TABLE} AS kept
  WHERE EXISTS (
    SELECT 1 FROM lakehelm_rows AS incoming
    WHERE incoming.customer_id <=> kept.customer_id
  )
),
ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY customer_id, updated_at
      ORDER BY
        email DESC NULLS LAST,
        country DESC NULLS LAST,
        lakehelm_age
    ) AS lakehelm_rank
  FROM versions
),
ends AS (
  SELECT
    customer_id,
    email,
    country,
    updated_at,
    lakehelm_rank,
    max(lakehelm_ended) OVER (PARTITION BY customer_id, updated_at) AS lakehelm_ended
  FROM ranked
),
time_line AS (
  SELECT
    customer_id,
    email,
    country,
    updated_at,
    lakehelm_ended,
    updated_at AS valid_from,
    lead(updated_at) OVER (PARTITION BY customer_id ORDER BY updated_at) AS lakehelm_next
  FROM ends
  WHERE lakehelm_rank = 1
),
marked AS (
  SELECT
    customer_id,
    email,
    country,
    updated_at,
    valid_from,
    CASE WHEN lakehelm_next IS NOT NULL THEN least(lakehelm_next, lakehelm_ended) END AS valid_to,
    lakehelm_next IS NULL AS is_current
  FROM time_line
)
SELECT
  sha2(to_json(array(CAST(customer_id AS STRING), CAST(unix_micros(valid_from) AS STRING))), 256) AS customer_history_sk,
  customer_id,
  email,
  country,
  updated_at,
  valid_from,
  valid_to,
  is_current
FROM marked AS incoming
WHERE NOT EXISTS (
  SELECT 1 FROM {CATALOG}.marts.{TABLE} AS kept
  WHERE kept.customer_id <=> incoming.customer_id
    AND kept.valid_from <=> incoming.valid_from
    AND (
      kept.email,
      kept.country,
      kept.updated_at,
      kept.valid_to,
      kept.is_current
    ) <=> (
      incoming.email,
      incoming.country,
      incoming.updated_at,
      incoming.valid_to,
      incoming.is_current
    )
)"""
spark.sql(CHANGES).createOrReplaceTempView("lakehelm_changes")

# Only rows that differ are merged: a run without changes commits nothing.
PUBLISH = f"""\
MERGE INTO {CATALOG}.marts.{TABLE} AS target
USING lakehelm_changes AS source
ON target.customer_id <=> source.customer_id
  AND target.valid_from <=> source.valid_from
WHEN MATCHED THEN UPDATE SET
  email = source.email,
  country = source.country,
  updated_at = source.updated_at,
  valid_to = source.valid_to,
  is_current = source.is_current
WHEN NOT MATCHED THEN INSERT (
  customer_history_sk, customer_id, email, country, updated_at, valid_from, valid_to, is_current
) VALUES (
  source.customer_history_sk,
  source.customer_id,
  source.email,
  source.country,
  source.updated_at,
  source.valid_from,
  source.valid_to,
  source.is_current
)"""
published = spark.sql(PUBLISH).first()

# One commit, which also records the version of the flow.
REPLACE_TARGET = (
    f"CREATE OR REPLACE TABLE {CATALOG}.marts.customer_history\n"
    "USING DELTA\n"
    "COMMENT 'Every state that a customer\\'s record was in'\n"
    "TBLPROPERTIES ('lakehelm.flow.shape' = '{\"strategy\":\"history\",\"keys\":[\"customer_id\"],\"sequence\":\"updated_at\",\"columns\":{\"customer_id\":\"bigint\",\"email\":\"string\",\"country\":\"string\",\"updated_at\":\"timestamp\"},\"added\":[\"customer_history_sk\",\"valid_from\",\"valid_to\",\"is_current\"]}')\n"
    f"AS SELECT * FROM {CATALOG}.marts.customer_history_rebuilt"
)
if rebuild:
    spark.sql(REPLACE_TARGET)
    spark.sql(DROP_REBUILT)

# COMMAND ----------

# DBTITLE 1,Metadata
# What this version of the flow sets. A table of an earlier version is altered once. The record is
# written last: after a crash the next run alters the table again, which changes nothing more.
RECORD = {
    "version": "2b771c7df1c294bc",
    "described": [
        "customer_history_sk",
        "customer_id",
        "email",
        "country",
        "updated_at",
        "valid_from",
        "valid_to",
        "is_current",
    ],
    "is_described": True,
    "is_clustered": False,
    "properties": [],
    "tags": [["email", "pii"]],
}
METADATA = [
    f"COMMENT ON TABLE {CATALOG}.marts.customer_history IS 'Every state that a customer\\'s record was in'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN customer_history_sk COMMENT 'Surrogate key: a hash of the key and valid_from'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN customer_id COMMENT 'The customer'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN email COMMENT 'How to reach them'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN country COMMENT 'Where they live'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN updated_at COMMENT 'Since when it was so'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN valid_from COMMENT 'Start of validity'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN valid_to COMMENT 'End of validity; null for the current row'",
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN is_current COMMENT 'Whether the row is current'",
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


properties = spark.sql(f"DESCRIBE DETAIL {CATALOG}.marts.customer_history").first()["properties"]
earlier = json.loads(properties.get("lakehelm.flow", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(f"ALTER TABLE {CATALOG}.marts.customer_history SET TBLPROPERTIES ('lakehelm.flow' = '{{\"version\":\"2b771c7df1c294bc\",\"described\":[\"customer_history_sk\",\"customer_id\",\"email\",\"country\",\"updated_at\",\"valid_from\",\"valid_to\",\"is_current\"],\"is_described\":true,\"is_clustered\":false,\"properties\":[],\"tags\":[[\"email\",\"pii\"]]}}')")

# COMMAND ----------

# DBTITLE 1,Keys and tags
KNOWN_KEYS = f"""\
SELECT lower(constraint_name) AS name
FROM {CATALOG}.information_schema.table_constraints
WHERE table_schema = 'marts' AND table_name = 'customer_history'"""
KEYS = {
    "customer_history_pk": f"ALTER TABLE {CATALOG}.marts.customer_history ADD CONSTRAINT customer_history_pk PRIMARY KEY (customer_id, valid_from)",
    "customer_history_fk_country": f"ALTER TABLE {CATALOG}.marts.customer_history ADD CONSTRAINT customer_history_fk_country FOREIGN KEY (country) REFERENCES {CATALOG}.marts.countries (code)",
}
TAGS = [
    f"ALTER TABLE {CATALOG}.marts.customer_history ALTER COLUMN email SET TAGS ('pii' = 'true')",
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
    spark.sql(f"ALTER TABLE {CATALOG}.marts.customer_history SET TBLPROPERTIES ('lakehelm.flow.shape' = '{{\"strategy\":\"history\",\"keys\":[\"customer_id\"],\"sequence\":\"updated_at\",\"columns\":{{\"customer_id\":\"bigint\",\"email\":\"string\",\"country\":\"string\",\"updated_at\":\"timestamp\"}},\"added\":[\"customer_history_sk\",\"valid_from\",\"valid_to\",\"is_current\"]}}')")

# COMMAND ----------

# DBTITLE 1,Summary
print(
    f"{CATALOG_NAME}.marts.customer_history: "
    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"
)
