# Databricks notebook source
# Ingests from postgresql into the lakehouse: shop-postgresql.

# COMMAND ----------

# DBTITLE 1,Session
import os
import re
from pyspark.sql import SparkSession
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")


def secret(scope, key):
    """A secret's value: from the scope on Databricks, from the environment variable SCOPE_KEY elsewhere."""
    try:
        return dbutils.secrets.get(scope, key)
    except NameError:  # no dbutils: this is not Databricks
        return os.environ[re.sub(r"\W", "_", f"{scope}_{key}").upper()]

# COMMAND ----------

# DBTITLE 1,Tables
TABLES = [
    {
        "source": "\"public\".\"orders\"",
        "target": "shop.bronze.orders",
        "keys": ["order_id"],
        "watermark": "updated_at",
    },
]

for schema in ["shop.bronze", "shop.`default`"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")

# COMMAND ----------

# DBTITLE 1,Source
CONNECTION = {
    "url": "jdbc:postgresql://db.shop.example:5432/shop",
    "driver": "org.postgresql.Driver",
    "user": "reader",
    "password": secret("shop", "reader_password"),
    "fetchsize": "10000",
}


def source(table):
    return spark.read.format("jdbc").options(**CONNECTION, dbtable=table)


def source_rows(table, mark):
    """The rows to read. The source filters rows and columns."""
    rows = source(table["source"]).load()
    return since(rows, table, mark)

# COMMAND ----------

# DBTITLE 1,Watermarks
# The greatest watermark that was read for each target, as text, so that it is exact. A run writes the
# rows first and saves the watermark then. After a crash in between, the next run reads the same rows
# again, and finds them in the target.
STATE = "shop.`default`._shop_postgresql_f9429d9c_state"
spark.sql(
    "CREATE TABLE IF NOT EXISTS shop.`default`._shop_postgresql_f9429d9c_state\n"
    "(target STRING, mark STRING, updated_at TIMESTAMP) USING DELTA"
)


def mark_of(table):
    row = spark.table(STATE).where(F.col("target") == table["target"]).first()
    return row["mark"] if row else None


def type_of(rows, column):
    return rows.select(quoted(column)).schema[0].dataType


def since(rows, table, mark):
    """The rows from the watermark on. Rows at the watermark can be late; rows without one are always read."""
    if mark is None:
        return rows
    column = F.col(quoted(table["watermark"]))
    return rows.where((column >= F.lit(mark).cast(type_of(rows, table["watermark"]))) | column.isNull())


def newest_mark(table, rows):
    """The greatest watermark of the source. It is read before the rows: what is added in between is read again."""
    kind = type_of(rows, table["watermark"])
    if isinstance(kind, StringType):
        raise TypeError("the watermark is text, which databases order in different ways")
    name = next(name for name in rows.columns if name.lower() == table["watermark"].lower())
    column = "\"" + name.replace("\"", "\"\"") + "\""
    newest = source(f"(SELECT MAX({column}) AS newest FROM {table['source']}) newest_row").load()
    return newest.select(F.col(newest.columns[0]).cast(kind).cast("string")).first()[0]


def move_mark(table, mark):
    moved = spark.createDataFrame([(table["target"], mark)], "target string, mark string")
    moved.createOrReplaceTempView("moved_mark")
    spark.sql(
        "MERGE INTO shop.`default`._shop_postgresql_f9429d9c_state AS state USING moved_mark AS moved ON state.target = moved.target\n"
        "WHEN MATCHED THEN UPDATE SET mark = moved.mark, updated_at = current_timestamp()\n"
        "WHEN NOT MATCHED THEN INSERT (target, mark, updated_at)\n"
        "VALUES (moved.target, moved.mark, current_timestamp())"
    )

# COMMAND ----------

# DBTITLE 1,Writing
def quoted(name):
    if "${" in name:
        raise ValueError(f"Spark would replace a part of the column name {name!r}")
    return "`" + name.replace("`", "``") + "`"


def fit_target(table, rows):
    """Creates the target, or adds the columns that are new. A type that changed is an error."""
    fields = [StructField(field.name, field.dataType) for field in rows.schema]
    properties = {}
    if spark.catalog.tableExists(table["target"]):
        target = spark.table(table["target"]).schema
        known = {field.name.lower(): field.dataType.simpleString() for field in target}
        for field in fields:
            was, now = known.get(field.name.lower()), field.dataType.simpleString()
            if was not in (None, now):
                raise TypeError(f"the column {field.name} is {was} in the target, and {now} in the source")
        if all(field.name.lower() in known for field in fields):
            return
    elif any(set(field.name) & set(" ,;{}()\n\t=") for field in fields):
        # Delta allows such names only with column mapping.
        properties["delta.columnMapping.mode"] = "name"
    empty = spark.createDataFrame([], StructType(fields)).write.format("delta").options(**properties)
    empty.mode("append").option("mergeSchema", "true").saveAsTable(table["target"])


def merge(table, rows, condition, *clauses):
    """Runs one MERGE, which is one commit, and returns its row counts."""
    rows.createOrReplaceTempView("incoming_rows")
    head = f"MERGE INTO {table['target']} AS __target USING incoming_rows AS __source ON {condition}"
    return spark.sql(" ".join([head, *clauses])).first()


def insertion(columns):
    names = [quoted(name) for name in columns]
    values = [f"__source.{name}" for name in names]
    return f"THEN INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"


def news(table, rows, mark):
    """The rows that the target does not have. Equal rows are counted: of three, two of them known, one is left."""
    known = since(spark.table(table["target"]), table, mark)
    return rows.exceptAll(known.select(*[quoted(name) for name in rows.columns]))


def upserting(table, rows, columns):
    """Replaces rows with the same keys, and adds the others."""
    keys = [quoted(key) for key in table["keys"]]
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    values = ", ".join(f"{name} = __source.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED THEN UPDATE SET {values}"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(columns)}")


def first_of_each_key(table, rows, order):
    keys = [quoted(key) for key in table["keys"]]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place")


def upsert(table, rows, mark):
    """One row for each key: the newest, where the source has several."""
    fit_target(table, rows)
    order = [F.col(quoted(name)) for name in rows.columns]
    if table["watermark"]:
        order.insert(0, F.col(quoted(table["watermark"])).desc_nulls_last())
    # Only rows that differ are merged: a MERGE rewrites every file in which it finds a key.
    rows = news(table, first_of_each_key(table, rows, order), mark)
    return upserting(table, rows, rows.columns)


def ingest(table):
    mark = mark_of(table) if table["watermark"] else None
    rows = source_rows(table, mark)
    newest = newest_mark(table, rows) if table["watermark"] else None
    done = upsert(table, rows, mark)
    report = f"{done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"
    if newest not in (None, mark):
        move_mark(table, newest)
        report += f", mark {mark} -> {newest}"
    return report

# COMMAND ----------

# DBTITLE 1,Run
failures = []
for table in TABLES:
    try:
        print(f"{table['target']}: {ingest(table)}")
    except Exception as error:  # a failed table does not stop the others
        failures.append(f"{table['target']}: {error}")
        print(failures[-1])

if failures:
    raise RuntimeError(f"{len(failures)} of {len(TABLES)} tables failed:\n" + "\n".join(failures))
