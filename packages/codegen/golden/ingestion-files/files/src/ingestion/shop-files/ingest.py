# Databricks notebook source
# Ingests from files into the lakehouse: shop-files.

# COMMAND ----------

# DBTITLE 1,Session
import functools
import re
from pyspark.sql import SparkSession
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")

# COMMAND ----------

# DBTITLE 1,Tables
TABLES = [
    {
        "source": "/Volumes/shop/landing/exports/customers",
        "target": "shop.bronze.customers",
        "strategy": "append",
        "keys": [],
        "left_out": ["email"],
    },
    {
        "source": "/Volumes/shop/landing/exports/orders/*.csv",
        "target": "shop.bronze.orders_files",
        "strategy": "upsert",
        "keys": ["order_id"],
        "left_out": [],
    },
]

for schema in ["shop.bronze", "shop.`default`"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")

# COMMAND ----------

# DBTITLE 1,Files
OPTIONS = {
    "header": "true",
    "escape": "\"",
    "multiLine": "true",
    "enforceSchema": "false",
    "mode": "FAILFAST",
}


def listed_files(table):
    """Every file's path, its name in the rows, and its time. No content is read."""
    files = spark.read.format("binaryFile").options(**{"recursiveFileLookup": "true"})
    return files.load(table["source"]).select(
        "path",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
    )


def exact(path):
    """Escapes a path, which readers take for a pattern."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", path)


def with_origin(rows):
    return rows.select(
        "*",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
        # The order of the rows in a file: the last one wins.
        F.struct(F.col("_metadata.file_block_start"), F.monotonically_increasing_id()).alias("__line"),
    )


def columns_of(path):
    # Line by line: Spark cannot look for the columns of a multi-line file with brackets in its name.
    return spark.read.format("csv").options(**OPTIONS).option("multiLine", "false").load(path).schema


def source_rows(table, files):
    """Reads files with different columns separately: a reader uses the columns of one file for all."""
    groups = {}
    for path in (exact(file["path"]) for file in files):
        columns = columns_of(path)
        groups.setdefault(columns.json(), (columns, []))[1].append(path)
    reader = spark.read.format("csv").options(**OPTIONS)
    parts = [with_origin(reader.schema(columns).load(paths)) for columns, paths in groups.values()]
    rows = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    return typed(table, rows.drop(*table["left_out"]))


def typed(table, rows):
    """Casts CSV text to the types of the target. Text that cannot be cast is an error."""
    if not spark.catalog.tableExists(table["target"]):
        return rows
    known = {field.name.lower(): field.dataType for field in spark.table(table["target"]).schema}
    columns = []
    for field in rows.schema:
        column, wanted = F.col(quoted(field.name)), known.get(field.name.lower())
        is_text = field.dataType.simpleString() == "string"
        columns.append(column.cast(wanted).alias(field.name) if is_text and wanted else column)
    return rows.select(*columns)

# COMMAND ----------

# DBTITLE 1,Ledger
# The files that were merged into each target. It is written after the rows: after a crash in between,
# the next run merges the same files again, which changes nothing.
LEDGER = "shop.`default`._shop_files_f86032de_state"
spark.sql(
    "CREATE TABLE IF NOT EXISTS shop.`default`._shop_files_f86032de_state\n"
    "(target STRING, _source_file STRING, _source_file_time TIMESTAMP, updated_at TIMESTAMP) USING DELTA"
)


def enter_files(table, files):
    entries = [(table["target"], file["_source_file"], file["_source_file_time"]) for file in files]
    loaded = spark.createDataFrame(entries, "target string, _source_file string, _source_file_time timestamp")
    loaded.createOrReplaceTempView("loaded_files")
    spark.sql(
        "MERGE INTO shop.`default`._shop_files_f86032de_state AS ledger USING loaded_files AS loaded\n"
        "ON ledger.target = loaded.target AND ledger._source_file = loaded._source_file\n"
        "WHEN MATCHED THEN UPDATE SET _source_file_time = loaded._source_file_time, updated_at = current_timestamp()\n"
        "WHEN NOT MATCHED THEN INSERT (target, _source_file, _source_file_time, updated_at)\n"
        "VALUES (loaded.target, loaded._source_file, loaded._source_file_time, current_timestamp())"
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


def new_files(table, loaded):
    """The files that are not among the loaded ones, or have changed since."""
    loaded = loaded.groupBy("_source_file").agg(F.max("_source_file_time").alias("loaded_time"))
    files = listed_files(table).join(loaded, "_source_file", "left")
    return files.where("loaded_time IS NULL OR loaded_time <> _source_file_time").collect()


def with_all_columns(table, rows):
    """Columns that the source does not have are null."""
    given = [name.lower() for name in rows.columns]
    missing = [field for field in spark.table(table["target"]).schema if field.name.lower() not in given]
    return rows.select("*", *[F.lit(None).cast(field.dataType).alias(field.name) for field in missing])


def append(table):
    """The rows of the target name their files, so one commit writes the rows and the progress."""
    if spark.catalog.tableExists(table["target"]):
        files = new_files(table, spark.table(table["target"]))
    else:
        files = listed_files(table).withColumn("loaded_time", F.lit(None)).collect()
    if not files:
        return "no new files"
    rows = source_rows(table, files).drop("__line")
    fit_target(table, rows)
    insert = insertion(rows.columns)
    changed = [(file["_source_file"],) for file in files if file["loaded_time"]]
    if changed:
        # The rows of a changed file replace its earlier rows.
        rows = rows.unionByName(spark.createDataFrame(changed, "__replaces string"), allowMissingColumns=True)
        condition, delete = "__target._source_file = __source.__replaces", "WHEN MATCHED THEN DELETE"
        done = merge(table, rows, condition, delete, f"WHEN NOT MATCHED AND __replaces IS NULL {insert}")
    else:
        done = merge(table, rows, "false", f"WHEN NOT MATCHED {insert}")
    return f"{len(files)} files, {done['num_inserted_rows']} inserted, {done['num_deleted_rows']} deleted"


def upserting(table, rows, columns, condition):
    """Replaces rows with the same keys, and adds the others."""
    keys = [quoted(key) for key in table["keys"]]
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    values = ", ".join(f"{name} = __source.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED AND {condition} THEN UPDATE SET {values}"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(columns)}")


def first_of_each_key(table, rows, order):
    keys = [quoted(key) for key in table["keys"]]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place")


def upsert(table):
    """One row for each key: that of the newest file. An older one never replaces it."""
    files = new_files(table, spark.table(LEDGER).where(F.col("target") == table["target"]))
    if not files:
        return "no new files"
    rows = source_rows(table, files)
    fit_target(table, rows.drop("__line"))
    # Columns that a file does not have are null in its rows.
    rows = with_all_columns(table, rows)
    columns = [name for name in rows.columns if name != "__line"]
    age = ["_source_file_time", "_source_file"]
    newest = [F.col(name).desc_nulls_last() for name in [*age, "__line"]]
    source, target = (", ".join(f"{side}.{name}" for name in age) for side in ("__source", "__target"))
    rows = first_of_each_key(table, rows, newest)
    done = upserting(table, rows, columns, f"struct({source}) > struct({target})")
    enter_files(table, files)
    return f"{len(files)} files, {done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"


def ingest(table):
    if table["strategy"] == "upsert":
        return upsert(table)
    return append(table)

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
