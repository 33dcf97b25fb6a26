# Databricks notebook source
# Ingests from Snowflake into the lakehouse: shop-snowflake.
# remote_query reads the database through a Unity Catalog connection: the job runs on serverless
# compute, which takes no JDBC drivers.

# COMMAND ----------

# DBTITLE 1,Session
import argparse
import json
import re
import traceback
from datetime import datetime, timedelta
from decimal import Decimal

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
CATALOG = identifier(parameter("catalog", "shop"))
SCHEMA = identifier(parameter("schema", "default"))

# COMMAND ----------

# DBTITLE 1,Tables
TABLES = [
    {
        "name": "bronze.orders",
        "source": "\"PUBLIC\".\"ORDERS\"",
        "target": f"{CATALOG}.bronze.orders",
        "keys": ["order_id"],
        "watermark": "updated_at",
    },
]

for schema in [f"{CATALOG}.bronze", f"{CATALOG}.{SCHEMA}"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")

# COMMAND ----------

# DBTITLE 1,Source
CONNECTION = parameter("connection", "lakehelm_prod_shop_snowflake_dc9c6afe")
DATABASE = "shop"


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024") + "'"


def answer_to(query):
    """Runs a query in the database."""
    return spark.sql(
        f"SELECT * FROM remote_query({literal(CONNECTION)}, database => {literal(DATABASE)},"
        f" query => {literal(query)})"
    )


def source_value(value):
    """A number or a time in the SQL of the source."""
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ', timespec='seconds')}'"
    return format(value, "f")


def value_of(text):
    """A number, or a time to the second."""
    is_time = text[4:5] == "-" and text[7:8] == "-"
    return datetime.fromisoformat(text[:19]) if is_time else Decimal(text)


def source_rows(table, mark):
    """The rows to read. The source filters rows and columns."""
    columns = answer_to(f"SELECT * FROM {table['source']} WHERE 1 = 0")
    names = ", ".join(source_name(columns, name) for name in columns.columns)
    query = f"SELECT {names} FROM {table['source']}"
    conditions = []
    if mark is not None:
        # A day earlier, because the source may be in another time zone. since() is exact.
        least = value_of(mark)
        least = source_value(least - timedelta(days=1) if isinstance(least, datetime) else least)
        column = source_name(columns, table["watermark"])
        conditions.append(f"({column} >= {least} OR {column} IS NULL)")
    rows = answer_to(" WHERE ".join([query, *conditions]))
    return since(rows, table, mark)


def source_name(rows, wanted):
    """The name of a column in the SQL of the source."""
    name = next((name for name in rows.columns if name.lower() == wanted.lower()), None)
    if name is None:
        raise ValueError(f"there is no column {wanted} in the source")
    return "\"" + name.replace("\"", "\"\"") + "\""

# COMMAND ----------

# DBTITLE 1,Watermarks
# The greatest watermark that was read for each target, as text, so that it is exact. A run writes the
# rows first and saves the watermark then. After a crash in between, the next run reads the same rows
# again, and finds them in the target.
STATE = f"{CATALOG}.{SCHEMA}._shop_snowflake_dc9c6afe_state"
spark.sql(
    f"CREATE TABLE IF NOT EXISTS {CATALOG}.{SCHEMA}._shop_snowflake_dc9c6afe_state\n"
    "(target STRING, mark STRING, updated_at TIMESTAMP) USING DELTA"
)
# Rows that the target has already are found in it, so reading them again changes nothing.
RESET_WATERMARK = parameter("reset_watermark", "false") == "true"
WINDOW = json.loads(parameter("window", "null"))


def mark_of(table):
    if RESET_WATERMARK or FULL_REFRESH:
        return None
    row = spark.table(STATE).where(F.col("target") == table["target"]).first()
    return row["mark"] if row else None


def since(rows, table, mark):
    """The rows from the watermark on. Rows at the watermark can be late; rows without one are always read."""
    if mark is None:
        return rows
    kind = order_of(rows, table["watermark"])
    column = F.col(quoted(table["watermark"])).cast(kind)
    return rows.where((column >= F.lit(mark).cast(kind)) | column.isNull())


def type_of(rows, column):
    return rows.select(quoted(column)).schema[0].dataType.simpleString()


# The types that Spark and other systems order in the same way. Text has several orders, and other systems compare
# a FLOAT by digits that its text does not have.
ORDERED = ("tinyint", "smallint", "int", "bigint", "decimal", "double", "date", "timestamp", "timestamp_ntz")
GREATEST = {"tinyint": 2**7 - 1, "smallint": 2**15 - 1, "int": 2**31 - 1, "bigint": 2**63 - 1}


def require_ordered(name, kind):
    """The type of a watermark. Rows would be lost if its order was not that of the source."""
    if kind.split("(")[0] not in ORDERED:
        raise TypeError(f"the column {name} is {kind} and cannot be the watermark: choose a number, a date or a time")
    return kind


def can_be_passed(column, kind):
    """Whether a later row can have a greater value. As the watermark, any other value would hide all later rows."""
    if kind == "double":
        return F.abs(column) < float("inf")  # Spark orders NaN after infinity
    if kind.startswith(("date", "timestamp")):
        return column < F.lit("9999-01-01").cast(kind)
    return column < F.lit(GREATEST[kind]) if kind in GREATEST else F.lit(True)


def warn_of_endless(table, count):
    if count:
        what = f"{count} rows have a watermark that no later row can exceed, such as infinity or the year 9999"
        print(f"{table['target']}: {what}. They do not advance the watermark, and every run reads them again")


def greatest_mark(rows, name):
    """The greatest watermark that a later row can exceed, as text, and the number of rows with another one."""
    kind = order_of(rows, name)
    column = F.col(quoted(name)).cast(kind)
    passable = can_be_passed(column, kind)
    greatest = F.max_by(F.col(quoted(name)).cast("string"), F.when(passable, column))
    return rows.agg(greatest, F.count(F.when(~passable, 1))).first()


def window_condition(rows, table, mark):
    """SQL for the rows of the window. Rows above the watermark are left to the next run."""
    kind = order_of(rows, table["watermark"])
    column = f"CAST({quoted(table['watermark'])} AS {kind})"
    bounds = [(">=", WINDOW["from"]), ("<", WINDOW["to"]), *([("<=", mark)] if mark is not None else [])]
    texts = [(sign, value.replace("\\", "\\\\").replace("'", "\\'")) for sign, value in bounds]
    return " AND ".join(f"{column} {sign} CAST('{text}' AS {kind})" for sign, text in texts)


def order_of(rows, name):
    return require_ordered(name, type_of(rows, name))


def newest_mark(table, rows):
    """The greatest watermark of the source. It is read before the rows: what is added in between is read again."""
    name = table["watermark"]
    kind = order_of(rows, name)
    newest = answer_to(f"SELECT MAX({source_name(rows, name)}) AS newest FROM {table['source']}")
    mark, endless = greatest_mark(newest.select(F.col(newest.columns[0]).cast(kind).alias(name)), name)
    if endless:  # the greatest of all does not say which one is below
        mark, endless = greatest_mark(rows, name)
        warn_of_endless(table, endless)
    return mark


def move_mark(table, mark):
    moved = spark.createDataFrame([(table["target"], mark)], "target string, mark string")
    moved.createOrReplaceTempView("moved_mark")
    spark.sql(
        f"MERGE INTO {CATALOG}.{SCHEMA}._shop_snowflake_dc9c6afe_state AS state USING moved_mark AS moved ON state.target = moved.target\n"
        "WHEN MATCHED THEN UPDATE SET mark = moved.mark, updated_at = current_timestamp()\n"
        "WHEN NOT MATCHED THEN INSERT (target, mark, updated_at)\n"
        "VALUES (moved.target, moved.mark, current_timestamp())"
    )

# COMMAND ----------

# DBTITLE 1,Writing
# A full refresh makes the target equal to the source.
FULL_REFRESH = parameter("full_refresh", "false") == "true"


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


def news(table, rows, mark):
    """The rows that the target does not have. Equal rows are counted: of three, two of them known, one is left."""
    known = since(spark.table(table["target"]), table, mark)
    return rows.exceptAll(known.select(*[quoted(name) for name in rows.columns]))


def check_deletes(gone, existing):
    """A source that has lost most of its rows must not empty the target."""
    gone, existing = gone.count(), existing.count()
    if gone * 2 > existing:
        raise ValueError(f"it would delete {gone} of {existing} rows, more than half. Nothing was written")
    return gone


def upserting(table, rows, columns):
    """Replaces rows with the same keys, and adds the others."""
    keys = [quoted(key) for key in table["keys"]]
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    values = ", ".join(f"{name} = __source.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED THEN UPDATE SET {values}"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(columns)}")


def first_of_each_key(table, rows, order):
    """One row for each key, and the number of rows that it supersedes."""
    keys = [quoted(key) for key in table["keys"]]
    superseded = rows.agg(F.count(F.lit(1)) - F.count_distinct(F.struct(*keys))).first()[0]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place"), superseded


def superseded_words(count):
    return f", {count} superseded by another row with the same key" if count else ""


def counts_of(done):
    counts = f"{done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"
    return counts + superseded_words(done.get("num_superseded_rows"))


def refreshing(table, rows):
    """Makes the target equal to the source in one commit: rows that the source no longer has are deleted."""
    keys, names = [quoted(key) for key in table["keys"]], [quoted(name) for name in rows.columns]
    existing = spark.table(table["target"]).select(*keys)
    check_deletes(existing.exceptAll(rows.select(*keys)), existing)
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    differs = " OR ".join(f"NOT (__target.{name} <=> __source.{name})" for name in names)
    values = ", ".join(f"{name} = __source.{name}" for name in names)
    update = f"WHEN MATCHED AND ({differs}) THEN UPDATE SET {values}"
    delete = "WHEN NOT MATCHED BY SOURCE THEN DELETE"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(rows.columns)}", delete)


def upsert(table, rows, mark):
    """One row for each key: the newest, where the source has several."""
    rows = rows.withColumns(fit_target(table, rows))
    order = [F.col(quoted(name)) for name in rows.columns]
    if table["watermark"]:
        column = F.col(quoted(table["watermark"]))
        order.insert(0, column.cast(order_of(rows, table["watermark"])).desc_nulls_last())
    rows, superseded = first_of_each_key(table, rows, order)
    if FULL_REFRESH:
        done = refreshing(table, rows)
    else:
        # Only rows that differ are merged: a MERGE rewrites every file in which it finds a key.
        rows = news(table, rows, mark)
        done = upserting(table, rows, rows.columns)
    return {**done, "num_superseded_rows": superseded}


def backfill(table, mark):
    """Loads the rows of a window again, and leaves the watermark as it is."""
    if not table["watermark"]:
        raise ValueError("it has no watermark, so it has no windows")
    rows = source_rows(table, WINDOW["from"])
    condition = window_condition(rows, table, mark)
    rows = rows.where(condition)
    done = upsert(table, rows, WINDOW["from"])
    return counts_of(done) + ", of a window"


def ingest(table):
    mark = mark_of(table) if table["watermark"] else None
    if WINDOW:
        return backfill(table, mark)
    rows = source_rows(table, mark)
    newest = newest_mark(table, rows) if table["watermark"] else None
    done = upsert(table, rows, mark)
    report = counts_of(done)
    if FULL_REFRESH:
        report += f", {done['num_deleted_rows']} deleted"
    if newest not in (None, mark):
        move_mark(table, newest)
        report += f", mark {mark} -> {newest}"
    return report

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
