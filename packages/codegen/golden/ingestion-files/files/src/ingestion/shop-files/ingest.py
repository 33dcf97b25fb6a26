# Databricks notebook source
# Ingests from files into the lakehouse: shop-files.
# Auto Loader (cloudFiles) reads the files: they are in a volume, and the notebook runs on Databricks.

# COMMAND ----------

# DBTITLE 1,Session
import argparse
import json
import os
import re
import traceback

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

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
SCHEMA_NAME = parameter("schema", "default")
SCHEMA = identifier(SCHEMA_NAME)

# COMMAND ----------

# DBTITLE 1,Tables
TABLES = [
    {
        "name": "bronze.customers",
        "source": "/Volumes/shop/landing/exports/customers",
        "target": f"{CATALOG}.bronze.customers",
        "strategy": "append",
        "keys": [],
        "left_out": ["email"],
        "types": {},
        "checkpoint": f"/Volumes/{CATALOG_NAME}/{SCHEMA_NAME}/_shop_files_f86032de_checkpoints/bronze-customers-b66443f0",
    },
    {
        "name": "bronze.orders_files",
        "source": "/Volumes/shop/landing/exports/orders/*.csv",
        "target": f"{CATALOG}.bronze.orders_files",
        "strategy": "upsert",
        "keys": ["order_id"],
        "left_out": [],
        "types": {},
        "checkpoint": f"/Volumes/{CATALOG_NAME}/{SCHEMA_NAME}/_shop_files_f86032de_checkpoints/bronze-orders-files-2aefaee7",
    },
]

for schema in [f"{CATALOG}.bronze", f"{CATALOG}.{SCHEMA}"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")

# COMMAND ----------

# DBTITLE 1,This run
# A run reads the files that are new. With reset_watermark it reads all files again; with full_refresh it also
# deletes the rows that the files no longer have.
RESET_WATERMARK = parameter("reset_watermark", "false") == "true"
FULL_REFRESH = parameter("full_refresh", "false") == "true"
READS_ALL = RESET_WATERMARK or FULL_REFRESH

# COMMAND ----------

# DBTITLE 1,Auto Loader
# Checkpoints are in a volume. Without them the next run reads every file again, which changes nothing.
if not os.path.isdir(f"/Volumes/{CATALOG_NAME}/{SCHEMA_NAME}/_shop_files_f86032de_checkpoints"):
    spark.sql(f"CREATE VOLUME IF NOT EXISTS {CATALOG}.{SCHEMA}._shop_files_f86032de_checkpoints")


# A changed file is read again (allowOverwrites), and its rows replace the earlier ones.
STREAM_OPTIONS = {
    "cloudFiles.format": "csv",
    "cloudFiles.schemaEvolutionMode": "addNewColumns",
    "cloudFiles.inferColumnTypes": "true",
    "cloudFiles.allowOverwrites": "true",
    "rescuedDataColumn": "_rescued_data",
    "readerCaseSensitive": "false",
    "header": "true",
    "escape": "\"",
    "multiLine": "true",
}


OWN_COLUMNS = ("_source_file", "_source_file_time", "_rescued_data")


def type_hints(table):
    """Declared types, and those that columns of the target have. Values that do not fit are rescued."""
    types = {}
    if spark.catalog.tableExists(table["target"]):
        for field in spark.table(table["target"]).schema:
            nested = field.dataType.simpleString().startswith(("struct<", "array<", "map<"))
            if not nested and field.name.lower() not in OWN_COLUMNS:
                types[field.name.lower()] = (field.name, field.dataType.simpleString())
    types.update({name.lower(): (name, declared) for name, declared in table["types"].items()})
    return ", ".join(f"{quoted(name)} {wanted}" for name, wanted in types.values())


def without_personal_data(table, rows):
    rows = rows.drop(*table["left_out"])
    if not table["left_out"] or "_rescued_data" not in rows.columns:
        return rows
    kept = [*[name.lower() for name in rows.columns], "_file_path"]
    rescued = F.from_json("_rescued_data", "map<string,string>")
    rescued = F.map_filter(rescued, lambda name, _: F.lower(name).isin(kept))
    return rows.withColumn("_rescued_data", F.to_json(rescued))


def stream_of(table, checkpoint):
    reader = spark.readStream.format("cloudFiles").options(**STREAM_OPTIONS)
    reader = reader.option("cloudFiles.schemaLocation", checkpoint)
    hints = type_hints(table)
    if hints:
        reader = reader.option("cloudFiles.schemaHints", hints)
    rows = reader.load(table["source"]).select(
        "*",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
        F.col("_metadata.file_block_start").alias("__block"),
    )
    return without_personal_data(table, rows)


def listed_files(table):
    """Every file's path, its name in the rows, and its time. No content is read."""
    files = spark.read.format("binaryFile").options(**{"recursiveFileLookup": "true"})
    return files.load(table["source"]).select(
        "path",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
    )


def delete_lost(table):
    """Deletes the rows of files that are gone, or have changed since: those of changed files are read again."""
    if not spark.catalog.tableExists(table["target"]):
        return
    files, existing = listed_files(table), spark.table(table["target"])
    check_deletes(existing.join(files, "_source_file", "left_anti"), existing)
    origin = ["_source_file", "_source_file_time"]
    lost = existing.join(files, origin, "left_anti").select(*origin).distinct()
    same = " AND ".join(f"__target.{name} = __source.{name}" for name in origin)
    merge(table, lost, same, "WHEN MATCHED THEN DELETE")


def load(table):
    """Reads all files that are new, in batches. A repeated batch changes nothing, so a run can end at any point."""
    checkpoint = table["checkpoint"]
    if READS_ALL:
        dbutils.fs.rm(checkpoint, True)
    if FULL_REFRESH:
        delete_lost(table)
    superseded = f"{checkpoint}/superseded"
    spark.createDataFrame([], "superseded bigint").write.mode("overwrite").json(superseded)
    for _ in range(20):
        try:
            rows = stream_of(table, checkpoint)
            query = (
                rows.writeStream.foreachBatch(writer(table, superseded))
                .option("checkpointLocation", checkpoint)
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()
            report = f"{len([one for one in query.recentProgress if one['numInputRows']])} batches"
            counts = spark.read.schema("superseded bigint").json(superseded)
            report += superseded_words(counts.agg(F.sum("superseded")).first()[0])
            return report
        except Exception as error:
            if "CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE" in str(error):
                return "there are no files yet"
            # There is a new column. Auto Loader has recorded it, and the next start reads it.
            if "UNKNOWN_FIELD_EXCEPTION" not in str(error):
                raise
    raise RuntimeError("the files had new columns in each of 20 attempts")

# COMMAND ----------

# DBTITLE 1,Writing
def quoted(name):
    if "${" in name:
        raise ValueError(f"Spark would replace a part of the column name {name!r}")
    return "`" + name.replace("`", "``") + "`"


DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}


def holds(kind, other):
    """Whether a wider type has all values of another one."""
    if (kind, other) in (("double", "float"), ("timestamp_ntz", "date")):
        return True
    if kind in DIGITS:
        return DIGITS.get(other, 20) < DIGITS[kind]
    if kind == "double":
        return other in ("tinyint", "smallint", "int")
    places = [re.fullmatch(r"decimal\((\d+),(\d+)\)", one) for one in (kind, other)]
    if not places[0] or kind == other:
        return False
    size, scale = map(int, places[0].groups())
    digits, after = map(int, places[1].groups()) if places[1] else (DIGITS.get(other, 39), 0)
    return after <= scale and digits - after <= size - scale


def widen(session, target, name, was, now):
    """Gives a column a type that holds its values. Any other change of a type is an error."""
    try:
        session.sql(f"ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')")
        session.sql(f"ALTER TABLE {target} ALTER COLUMN {quoted(name)} TYPE {now}")
    except Exception as error:
        change = f"the column {name} is {was} in the target, and {now} in the source, which may not hold its values"
        advice = f"To read all rows again: DROP TABLE {target}, then run the job with reset_watermark"
        raise TypeError(f"{change}. {advice}") from error
    print(f"widened the column {name} of {target} from {was} to {now}")


def fit_target(table, rows):
    """Creates the target, or adds the columns that are new. A type that widened widens the column.
    Returns the columns that the target has with a wider type, in that type."""
    session = rows.sparkSession  # in a stream, the rows have a session of their own
    fields = [StructField(field.name, field.dataType) for field in rows.schema]
    properties, cast = {}, {}
    if session.catalog.tableExists(table["target"]):
        target = session.table(table["target"]).schema
        known = {field.name.lower(): field.dataType.simpleString() for field in target}
        for field in fields:
            was, now = known.get(field.name.lower()), field.dataType.simpleString()
            if was is not None and holds(was, now):
                cast[field.name] = F.col(quoted(field.name)).cast(was)
            elif was not in (None, now):
                widen(session, table["target"], field.name, was, now)
        if all(field.name.lower() in known for field in fields):
            return cast
        fields = [field for field in fields if field.name not in cast]
    elif any(set(field.name) & set(" ,;{}()\n\t=") for field in fields):
        # Delta allows such names only with column mapping.
        properties["delta.columnMapping.mode"] = "name"
    empty = session.createDataFrame([], StructType(fields)).write.format("delta").options(**properties)
    empty.mode("append").option("mergeSchema", "true").saveAsTable(table["target"])
    return cast


def merge(table, rows, condition, *clauses):
    """Runs one MERGE, which is one commit, and returns its row counts."""
    rows.createOrReplaceTempView("incoming_rows")
    head = f"MERGE INTO {table['target']} AS __target USING incoming_rows AS __source ON {condition}"
    return rows.sparkSession.sql(" ".join([head, *clauses])).first().asDict()


def insertion(columns):
    names = [quoted(name) for name in columns]
    values = [f"__source.{name}" for name in names]
    return f"THEN INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"


def check_deletes(gone, existing):
    """A source that has lost most of its rows must not empty the target."""
    gone, existing = gone.count(), existing.count()
    if gone * 2 > existing:
        raise ValueError(f"it would delete {gone} of {existing} rows, more than half. Nothing was written")
    return gone


def with_all_columns(table, rows):
    """Columns that the source does not have are null."""
    given = [name.lower() for name in rows.columns]
    target = rows.sparkSession.table(table["target"]).schema
    missing = [field for field in target if field.name.lower() not in given]
    return rows.select("*", *[F.lit(None).cast(field.dataType).alias(field.name) for field in missing])


def append_rows(table, rows, changed):
    """Adds the rows of files. Those of a changed file replace its earlier rows, in the same commit."""
    insert = insertion(rows.columns)
    if not changed:
        return merge(table, rows, "false", f"WHEN NOT MATCHED {insert}")
    changed = rows.sparkSession.createDataFrame([(name,) for name in changed], "__replaces string")
    rows = rows.unionByName(changed, allowMissingColumns=True)
    condition, delete = "__target._source_file = __source.__replaces", "WHEN MATCHED THEN DELETE"
    return merge(table, rows, condition, delete, f"WHEN NOT MATCHED AND __replaces IS NULL {insert}")


def append_batch(table, rows):
    """The rows of the target name their files, so a repeated batch replaces its own rows."""
    rows = rows.drop("__block")
    rows = rows.withColumns(fit_target(table, rows))
    read = rows.select("_source_file").distinct()
    earlier = rows.sparkSession.table(table["target"]).join(read, "_source_file", "left_semi")
    earlier = earlier.select("_source_file").distinct().collect()
    append_rows(table, rows, [row["_source_file"] for row in earlier])


def upserting(table, rows, columns, condition):
    """Replaces rows with the same keys, and adds the others."""
    keys = [quoted(key) for key in table["keys"]]
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    values = ", ".join(f"{name} = __source.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED AND {condition} THEN UPDATE SET {values}"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(columns)}")


def first_of_each_key(table, rows, order):
    """One row for each key, and the number of rows that it supersedes."""
    keys = [quoted(key) for key in table["keys"]]
    superseded = rows.agg(F.count(F.lit(1)) - F.count_distinct(F.struct(*keys))).first()[0]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place"), superseded


def superseded_words(count):
    return f", {count} superseded by another row with the same key" if count else ""


def newest_rows(table, rows):
    """One row for each key: that of the newest file. Also the number of rows that
    these supersede, their columns, and those of their age."""
    rows = rows.withColumns(fit_target(table, rows.drop("__line")))
    # Columns that a file does not have are null in its rows.
    rows = with_all_columns(table, rows)
    columns = [name for name in rows.columns if name != "__line"]
    age = ["_source_file_time", "_source_file"]
    newest = [F.col(name).desc_nulls_last() for name in [*age, "__line"]]
    return *first_of_each_key(table, rows, newest), columns, age


def upsert_rows(table, rows):
    """An older row never replaces a newer one. One of the same age does if it is read again on purpose."""
    rows, superseded, columns, age = newest_rows(table, rows)
    source, target = (", ".join(f"{side}.{name}" for name in age) for side in ("__source", "__target"))
    sign = ">=" if READS_ALL else ">"
    done = upserting(table, rows, columns, f"struct({source}) {sign} struct({target})")
    return {**done, "num_superseded_rows": superseded}


def upsert_batch(table, rows, superseded):
    # The order of the rows in a file: the last one wins.
    line = F.struct(F.col("__block"), F.monotonically_increasing_id())
    done = upsert_rows(table, rows.withColumn("__line", line).drop("__block"))
    if done["num_superseded_rows"]:
        # The run reads the number from a file: a variable of another process does not reach it.
        count = rows.sparkSession.createDataFrame([(done["num_superseded_rows"],)], "superseded bigint")
        count.write.mode("append").json(superseded)


def writer(table, superseded):
    """Writes a batch. It may run in another process, so it uses the session of the rows."""

    def write(rows, _):
        if table["strategy"] == "upsert":
            upsert_batch(table, rows, superseded)
        else:
            append_batch(table, rows)

    return write


def ingest(table):
    return load(table)

# COMMAND ----------

# DBTITLE 1,Run
# The parameter datasets names the tables of this run. Without names it moves all of them.
NAMES = json.loads(parameter("datasets", "[]"))
unknown = [name for name in NAMES if name not in [table["name"] for table in TABLES]]
if unknown:
    raise ValueError(f"there is no table {', '.join(unknown)}")
CHOSEN = [table for table in TABLES if not NAMES or table["name"] in NAMES]

failures = []
for table in CHOSEN:
    try:
        print(f"{table['target']}: {ingest(table)}")
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")

if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed:\n" + "\n".join(failures))
