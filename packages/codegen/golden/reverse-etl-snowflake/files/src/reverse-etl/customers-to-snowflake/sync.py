# Databricks notebook source
# Sends lakehouse tables to Snowflake. The rows of a table, its rejects and its watermark are
# written in one transaction of the target: a crash leaves all of them or none.

# COMMAND ----------

# DBTITLE 1,Packages
# MAGIC %pip install --quiet snowflake-connector-python==5.2.0

# COMMAND ----------

# DBTITLE 1,Set-up
import argparse
import functools
import itertools
import json
import os
import re
import traceback

import snowflake.connector
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")
spark.conf.set("spark.sql.ansi.enabled", "true")  # a decimal becomes 0.000000 as text, never 0E-6


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

# "send", or "dry_run": reads the rows, and writes nothing. The bundle's variable reverse_etl_mode sets it,
# so that a copy of the job for another target does not write to this environment's systems.
MODE = parameter("mode", "send")
if MODE not in ("send", "dry_run"):
    raise ValueError(f"mode is {MODE}; expected send or dry_run")
IS_DRY_RUN = MODE == "dry_run"

# reset_watermark reads all rows again. full_refresh also deletes rows that the lakehouse no longer has, and
# retry_rejects sends again what the target has refused.
# A window sends the rows between two watermarks again.
RESET_WATERMARK = parameter("reset_watermark", "false") == "true"
FULL_REFRESH = parameter("full_refresh", "false") == "true"
RETRY_REJECTS = parameter("retry_rejects", "false") == "true"
WINDOW = json.loads(parameter("window", "null"))

CONNECTOR = "customers-to-snowflake"
BATCH_SIZE = 5000
TABLES = [
    {
        "name": "customers",
        "source": f"{CATALOG}.gold.customers",
        "schema": "PUBLIC",
        "target": "CUSTOMERS",
        "rejects": "CUSTOMERS_REJECTS",
        "keys": ["customer_id"],
        "watermark": "updated_at",
    },
]

# COMMAND ----------

# DBTITLE 1,The target: Snowflake
def secret(scope, key):
    """A secret's value: from the scope on Databricks, from the environment variable SCOPE_KEY elsewhere."""
    try:
        return dbutils.secrets.get(scope, key)
    except NameError:  # no dbutils: this is not Databricks
        return os.environ[re.sub(r"\W", "_", f"{scope}_{key}").upper()]


# A dry run needs no secrets.
TARGET = {} if IS_DRY_RUN else {
    "account": "crm.shop.example",
    "host": "crm.shop.example",
    "port": 443,
    "database": "crm",
    "user": "writer",
    "password": secret("shop", "writer_password"),
    "autocommit": False,
    "paramstyle": "qmark",
    "session_parameters": {
        "TIMEZONE": "UTC",
    },
    "warehouse": "WRITING",
}


def connect():
    return snowflake.connector.connect(**TARGET)


def quoted(*names):
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def kept(name):
    """New names that need no quotes, if possible."""
    return name.upper() if re.fullmatch("[a-z_][a-z0-9_]*", name) else name


def refusal(error):
    """The reason why the target refuses a row; None if the row is not the cause."""
    if not isinstance(error, snowflake.connector.errors.DatabaseError):
        return None
    return error.msg if (error.sqlstate or "")[:2] in ("22", "23") else None


def target(table):
    return quoted(table["schema"], table["target"])


def beside(table, name):
    return quoted(table["schema"], name)


MINE = "WHERE connector = ? AND target_table = ?"


def mine(table):
    return (CONNECTOR, table["target"])

# COMMAND ----------

# DBTITLE 1,Types of the target
JSON = ("VARIANT", "OBJECT", "ARRAY")
TIMES = ("TIMESTAMP_TZ", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ")
# For each Spark type: the type of a new column in the target, then the others that hold it exactly.
TYPES = {
    "boolean": ("BOOLEAN",),
    "tinyint": ("NUMBER",),
    "smallint": ("NUMBER",),
    "int": ("NUMBER",),
    "bigint": ("NUMBER",),
    "decimal": ("NUMBER",),
    "float": ("FLOAT",),
    "double": ("FLOAT",),
    "date": ("DATE",),
    "timestamp": TIMES,
    "timestamp_ntz": ("TIMESTAMP_NTZ",),
    "binary": ("BINARY",),
    "array": JSON,
    "map": JSON,
    "struct": JSON,
    "variant": JSON,
}
TEXT = ("TEXT",)


def type_there(spark_type, is_key):
    return types_for(spark_type)[0] + digits_of(spark_type)


def columns_of(cursor, table):
    """The target's columns with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT column_name, IFF(data_type = 'NUMBER', 'NUMBER(' || numeric_precision || ',' || numeric_scale || ')',"
        " data_type) FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
        " ORDER BY ordinal_position",
        (table["schema"], table["target"]),
    )
    return dict(cursor.fetchall())


def types_for(spark_type):
    """The types that hold it exactly, the best one first. Text holds anything."""
    return TYPES.get(re.match(r"\w+", spark_type)[0], ()) + TEXT


def digits_of(spark_type):
    return spark_type.removeprefix("decimal") if spark_type.startswith("decimal") else ""


def fits(spark_type, there):
    """Text fits into any type: the target refuses rows that it cannot convert."""
    scale, scale_there = (re.search(r",\s*(\d+)\)", text) for text in (digits_of(spark_type), there))
    if scale and scale_there and int(scale[1]) > int(scale_there[1]):
        return False  # it would be rounded
    return spark_type.startswith("string") or re.sub(r"\(.*?\)", "", there) in types_for(spark_type)

# COMMAND ----------

# DBTITLE 1,Rows to send
def source_of(table):
    """The table and its columns, renamed c0, c1 and so on: then any name is safe in an expression."""
    source = spark.table(table["source"])
    columns = source.dtypes
    names = [name.lower() for name, _ in columns]
    missing = [name for name in [*table["keys"], table["watermark"]] if name not in names]
    if missing:
        raise ValueError(f"{table['source']} has no column {', '.join(missing)}.")
    return source.toDF(*(f"c{at}" for at in range(len(columns)))), columns


def position(columns, name):
    return [column.lower() for column, _ in columns].index(name)


def count_rows(table):
    """A dry run: checks the columns, and counts the rows."""
    source, columns = source_of(table)
    print(f"{table['target']}: dry run, {source.count()} rows with {len(columns)} columns, nothing sent")


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


def new_or_refused(rows, names, refused, newer):
    """The rows of a usual run, and those that the target has refused before."""
    same = [F.col(name).eqNullSafe(F.col(f"refused_{at}")) for at, name in enumerate(names)]
    condition = functools.reduce(lambda one, other: one & other, same)
    rows = rows.join(refused.withColumn("was_refused", F.lit(True)), condition, "left")
    rows = rows.where(F.col("age").isNull() | newer | F.col("was_refused"))
    return rows.drop("was_refused", *(f"refused_{at}" for at in range(len(names))))


def superseded_words(count):
    return f", {count} superseded by another row with the same key" if count else ""


def as_text(column, spark_type):
    """A value as text that the target reads back exactly."""
    if spark_type == "binary":
        return F.hex(column)
    if spark_type.startswith(("array", "map", "struct", "variant")):
        options = {"ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
        return F.to_json(column, options)
    return column.cast("string")


def pending(table, source, columns, mark, refused):
    """The rows to send, their upper bound, and how many are superseded. Each row: reason, row_key, values."""
    name = f"c{position(columns, table['watermark'])}"
    watermark = F.col(name)
    its_type = require_ordered(table["watermark"], source.schema[name].dataType.simpleString())
    if WINDOW:
        start, end = (F.lit(WINDOW[name]).cast(its_type) for name in ("from", "to"))
        key_names = [f"c{position(columns, key)}" for key in table["keys"]]
        later = source.where(watermark >= end)
        if mark is not None:  # rows above the watermark are left to the next run
            source = source.where(watermark <= F.lit(mark).cast(its_type))
        source = source.where((watermark >= start) & (watermark < end))
        source, bound = source.join(later, key_names, "left_anti").select(source.columns), mark
    else:
        newer = watermark.isNotNull() if mark is None else watermark >= F.lit(mark).cast(its_type)
        # The bound is read first: rows that are added during this run belong to the next one.
        passable = can_be_passed(watermark, its_type)
        greatest = F.max(F.when(passable, watermark)).cast("string")
        newest, endless = source.where(newer).agg(greatest, F.count(F.when(~passable, 1))).first()
        warn_of_endless(table, endless)
        bound = mark if newest is None else newest
        # Rows that were refused can be older.
        wanted = watermark.isNotNull() if RETRY_REJECTS else newer
        dated = wanted & (~passable | (watermark <= F.lit(bound).cast(its_type)))
        # A row without a watermark is sent only if no row with one has its key.
        key_names = [f"c{position(columns, key)}" for key in table["keys"]]
        undated, others = source.where(watermark.isNull()), source.where(watermark.isNotNull())
        undated = undated.join(others, key_names, "left_anti").select(source.columns)
        source = source.where(dated).union(undated)
    texts = [as_text(F.col(f"c{at}"), spark_type) for at, (_, spark_type) in enumerate(columns)]
    names = [f"t{at}" for at in range(len(columns))]
    rows = source.select(*(text.alias(name) for text, name in zip(texts, names)), watermark.alias("age"))
    # A hash of the row that does not depend on the order of columns. It is a separate step: together with the texts,
    # Spark's optimizer would need time and memory that double with each column.
    by_name = sorted((column.lower(), name) for (column, _), name in zip(columns, names))
    content = F.to_json(F.struct(*(F.col(name).alias(column) for column, name in by_name)))
    rows = rows.withColumn("row_key", F.sha2(content, 256))
    keys = [f"t{position(columns, key)}" for key in table["keys"]]
    no_key = F.concat(*keys).isNull()
    same_key = Window.partitionBy(*keys, F.when(no_key, F.col("row_key")))
    if RETRY_REJECTS and mark is not None:
        newer = F.col("age") >= F.lit(mark).cast(its_type)
        rows = new_or_refused(rows, keys, refused, newer)
    found = rows.count()
    # Of several states of a row only the newest is sent.
    newest_first = same_key.orderBy(F.col("age").desc_nulls_last())
    rows = rows.withColumn("rank", F.rank().over(newest_first)).where("rank = 1")
    rows = rows.dropDuplicates(["row_key"])
    superseded = found - rows.count()
    rows = rows.withColumn("key_count", F.count("*").over(same_key))
    several = F.when(F.col("key_count") > 1, "Several different rows have this key.")
    rows = rows.withColumn("reason", F.when(no_key, "A key column is NULL.").otherwise(several))
    return rows.select("reason", "row_key", *names), bound, superseded

# COMMAND ----------

# DBTITLE 1,Tables in the target
def create(cursor, name, columns):
    cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")


def insert_once(cursor, name, key, values):
    """Inserts a row with the current time, unless there is one with the same first two values."""
    places = ", ".join(["?"] * len(values))
    cursor.execute(
        f"INSERT INTO {name} SELECT {places}, CURRENT_TIMESTAMP()"
        f" WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE connector = ? AND {key} = ?)",
        (*values, *values[:2]),
    )


def prepare(connection, table, columns):
    """Creates missing tables and columns. Returns the target's columns with their types, in the order of the source."""
    cursor = connection.cursor()
    marks = beside(table, "LAKEHELM_MARKS")
    create(cursor, marks, """
        connector text, target_table text, mark text, updated_at timestamp_tz,
        PRIMARY KEY (connector, target_table)
    """)
    create(cursor, beside(table, table["rejects"]), """
        connector text, row_key text, content text, reason text, rejected_at timestamp_tz,
        PRIMARY KEY (connector, row_key)
    """)
    there = columns_of(cursor, table)
    if not there:
        # A new table is filled from the beginning.
        cursor.execute(f"DELETE FROM {marks} {MINE}", mine(table))
        keys = [name for name, _ in columns if name.lower() in table["keys"]]
        parts = [f"{quoted(kept(name))} {type_there(spark_type, name in keys)}" for name, spark_type in columns]
        if keys:
            parts.append(f"PRIMARY KEY ({', '.join(quoted(kept(name)) for name in keys)})")
        cursor.execute(f"CREATE TABLE {target(table)} ({', '.join(parts)})")
        there = columns_of(cursor, table)
    spelling = {name.lower(): name for name in there}
    names = []
    for name, spark_type in columns:
        found = name if name in there else spelling.get(name.lower())
        if found is None:
            found = kept(name)
            cursor.execute(f"ALTER TABLE {target(table)} ADD {quoted(found)} {type_there(spark_type, False)}")
        elif not fits(spark_type, there[found]):
            raise ValueError(f"Column {name} is {spark_type} in the lakehouse, but {there[found]} in the target.")
        names.append(found)
    insert_once(cursor, marks, "target_table", (*mine(table), None))
    connection.commit()
    there = columns_of(cursor, table)
    return {name: there[name] for name in names}

# COMMAND ----------

# DBTITLE 1,Writing a batch
def stage(cursor, table, columns):
    """Creates a temporary table for the rows as text."""
    texts = [*(f"t{at} text" for at in range(len(columns)))]
    name = beside(table, "LAKEHELM_STAGE")
    cursor.execute(f"CREATE OR REPLACE TEMPORARY TABLE {name} ({', '.join(texts)})")


def converted(at, kind):
    """The text of column number `at` as a value of this type."""
    if kind in TEXT:
        return f"t{at}"
    if kind in JSON:
        return f"CAST(PARSE_JSON(t{at}) AS {kind})"
    return f"TO_BINARY(t{at}, 'HEX')" if kind == "BINARY" else f"CAST(t{at} AS {kind})"


def fill(cursor, table, columns, rows):
    name = beside(table, "LAKEHELM_STAGE")
    cursor.execute(f"DELETE FROM {name}")
    cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['?'] * len(rows[0]))})", rows)


def staged(table, columns):
    """The staged rows with the target's names and types."""
    values = [f"{converted(at, kind)} AS {quoted(name)}" for at, (name, kind) in enumerate(columns.items())]
    return f"SELECT {', '.join(values)} FROM {beside(table, 'LAKEHELM_STAGE')}"


def apply(cursor, table, columns, keys, rows):
    """Writes a batch, and returns how many rows of the target changed."""
    fill(cursor, table, columns, [row[2:] for row in rows])
    names = ", ".join(map(quoted, columns))
    others = [name for name in map(quoted, columns) if name not in keys]
    same = " AND ".join(f"there.{key} = here.{key}" for key in keys)
    differs = " OR ".join(f"there.{name} IS DISTINCT FROM here.{name}" for name in others)
    changes = ", ".join(f"there.{name} = here.{name}" for name in others)
    values = ", ".join(f"here.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED AND ({differs}) THEN UPDATE SET {changes}" if others else ""
    cursor.execute(
        f"MERGE INTO {target(table)} AS there USING ({staged(table, columns)}) AS here ON {same} {update}"
        f" WHEN NOT MATCHED THEN INSERT ({names}) VALUES ({values})"
    )
    return cursor.rowcount


def write(cursor, table, columns, keys, rows, refusals):
    """Writes the rows that the target accepts. Refused rows are found by halving the batch."""
    if not rows:
        return 0
    try:
        written = apply(cursor, table, columns, keys, rows)
        return written
    except Exception as error:
        reason = refusal(error)
        if reason is None:
            raise
    if len(rows) == 1:
        refusals.append((rows[0], reason))
        return 0
    half = len(rows) // 2
    parts = (rows[:half], rows[half:])
    return sum(write(cursor, table, columns, keys, part, refusals) for part in parts)

# COMMAND ----------

# DBTITLE 1,One table
def refused_before(cursor, table, names, columns):
    """The keys of the rows that the target has refused."""
    rejects = beside(table, table["rejects"])
    cursor.execute(f"SELECT row_key, content FROM {rejects} WHERE connector = ?", (CONNECTOR,))
    there = [list(names)[position(columns, key)] for key in table["keys"]]
    found = {tuple(json.loads(content).get(name) for name in there) for _, content in cursor.fetchall()}
    width = len(table["keys"]) or 1
    return spark.createDataFrame(list(found), ", ".join(f"refused_{at} string" for at in range(width)))


def stage_keys(cursor, table, keys):
    """Creates a temporary table for the keys of the source, as text."""
    texts = ", ".join(f"t{at} text" for at in range(len(keys)))
    cursor.execute(f"CREATE OR REPLACE TEMPORARY TABLE {beside(table, 'LAKEHELM_KEYS')} ({texts})")


def add_keys(cursor, table, keys, rows):
    places = ", ".join(["?"] * len(keys))
    cursor.executemany(f"INSERT INTO {beside(table, 'LAKEHELM_KEYS')} VALUES ({places})", rows)


def delete_others(cursor, table, keys):
    """Deletes the rows that the source no longer has."""
    names = ", ".join(map(quoted, keys))
    known = [f"TRY_CAST(t{at} AS {kind})" for at, kind in enumerate(keys.values())]
    present = " AND ".join(f"{value} IS NOT NULL" for value in known)
    cursor.execute(
        f"DELETE FROM {target(table)} WHERE ({names}) NOT IN"
        f" (SELECT {', '.join(known)} FROM {beside(table, 'LAKEHELM_KEYS')} WHERE {present})"
    )
    return cursor.rowcount


def add_all_keys(cursor, table, keys, rows):
    """Keeps the keys of the source. One that does not fit the target is not there either."""
    if not rows:
        return
    try:
        add_keys(cursor, table, keys, rows)
        return
    except Exception as error:
        if refusal(error) is None:
            raise
    if len(rows) > 1:
        half = len(rows) // 2
        add_all_keys(cursor, table, keys, rows[:half])
        add_all_keys(cursor, table, keys, rows[half:])


def sync(connection, table):
    if WINDOW and not (table["watermark"]):
        raise ValueError("it has no windows: they need keys and a watermark")
    source, columns = source_of(table)
    names = prepare(connection, table, columns)
    keys = [quoted(there) for there, (name, _) in zip(names, columns) if name.lower() in table["keys"]]
    marks, rejects = beside(table, "LAKEHELM_MARKS"), beside(table, table["rejects"])
    cursor = connection.cursor()
    stage(cursor, table, names)
    key_types = {name: kind for name, kind in names.items() if quoted(name) in keys}
    key_places = [2 + list(names).index(name) for name in key_types]
    if FULL_REFRESH and keys:
        stage_keys(cursor, table, key_types)
    # This update locks the row: another run of this connector waits here until this one has ended.
    cursor.execute(f"UPDATE {marks} SET updated_at = CURRENT_TIMESTAMP() {MINE}", mine(table))
    cursor.execute(f"SELECT mark FROM {marks} {MINE}", mine(table))
    mark = cursor.fetchone()[0]
    refused = None
    if RETRY_REJECTS:  # those that the target refuses again are kept again
        refused = refused_before(cursor, table, names, columns)
        cursor.execute(f"DELETE FROM {rejects} WHERE connector = ?", (CONNECTOR,))
    since = None if RESET_WATERMARK or FULL_REFRESH else mark
    rows, bound, superseded = pending(table, source, columns, since, refused)
    if FULL_REFRESH:
        cursor.execute(f"SELECT COUNT(*) FROM {target(table)}")
        before = cursor.fetchone()[0]
    read = written = rejected = 0
    iterator = rows.toLocalIterator()
    while batch := list(itertools.islice(iterator, BATCH_SIZE)):
        refusals = [(row, row["reason"]) for row in batch if row["reason"]]
        sound = [row for row in batch if not row["reason"]]
        written += write(cursor, table, names, keys, sound, refusals)
        if FULL_REFRESH and keys:
            add_all_keys(cursor, table, key_types, [tuple(row[at] for at in key_places) for row in batch])
        for row, reason in refusals:
            content = json.dumps(dict(zip(names, row[2:])), default=bytes.hex)
            insert_once(cursor, rejects, "row_key", (CONNECTOR, row["row_key"], content, reason))
        read, rejected = read + len(batch), rejected + len(refusals)
    # A few refused rows do not stop the others. Many indicate another problem: then nothing is written.
    if rejected > max(10, 0.1 * read):
        raise ValueError(f"{rejected} of {read} rows were refused. The last reason: {reason}")
    if FULL_REFRESH:
        gone = delete_others(cursor, table, key_types)
        if gone * 2 > before:
            raise ValueError(f"it would delete {gone} of {before} rows, more than half. Nothing was written")
    cursor.execute(f"UPDATE {marks} SET mark = ?, updated_at = CURRENT_TIMESTAMP() {MINE}", (bound, *mine(table)))
    connection.commit()
    report = f"{read} read, {written} written, {rejected} rejected{superseded_words(superseded)}"
    print(f"{table['target']}: {report}, mark {mark} -> {bound}")

# COMMAND ----------

# DBTITLE 1,All tables
# The parameter datasets names the tables of this run. Without names it moves all of them.
NAMES = json.loads(parameter("datasets", "[]"))
unknown = [name for name in NAMES if name not in [table["name"] for table in TABLES]]
if unknown:
    raise ValueError(f"there is no table {', '.join(unknown)}")
CHOSEN = [table for table in TABLES if not NAMES or table["name"] in NAMES]

failures = []
for table in CHOSEN:
    try:
        if IS_DRY_RUN:
            count_rows(table)
        else:
            with connect() as connection:
                sync(connection, table)
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")
if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed. " + " | ".join(failures))
