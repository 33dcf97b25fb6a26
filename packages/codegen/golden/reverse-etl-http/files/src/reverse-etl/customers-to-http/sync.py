# Databricks notebook source
# Sends lakehouse tables to an HTTP endpoint, in batches. A batch whose response was lost is sent again, with the same
# Idempotency-Key if it has the same rows. So every row is delivered at least once, and exactly once if the endpoint
# honors that key.

# COMMAND ----------

# DBTITLE 1,Set-up
import argparse
import email.utils
import functools
import hashlib
import itertools
import json
import os
import re
import time
import traceback
import urllib.error
import urllib.request

from pyspark.sql import SparkSession, Window
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
CATALOG = identifier(parameter("catalog", "shop"))
SCHEMA = identifier(parameter("schema", "default"))

# "send", or "dry_run": reads the rows, and writes nothing. The bundle's variable reverse_etl_mode sets it,
# so that a copy of the job for another target does not write to this environment's systems.
MODE = parameter("mode", "send")
if MODE not in ("send", "dry_run"):
    raise ValueError(f"mode is {MODE}; expected send or dry_run")
IS_DRY_RUN = MODE == "dry_run"

# With retry_rejects a run also sends what the endpoint has refused before.
RETRY_REJECTS = parameter("retry_rejects", "false") == "true"

CONNECTOR = "customers-to-http"
STATE = f"{CATALOG}.{SCHEMA}._customers_to_http_85277018_sent"
REJECTS = f"{CATALOG}.{SCHEMA}._customers_to_http_85277018_rejects"
BATCH_SIZE = 200
TABLES = [
    {
        "name": "customers",
        "source": f"{CATALOG}.gold.customers",
        "target": "customers",
        "strategy": "upsert",
        "keys": ["customer_id"],
        "watermark": "updated_at",
    },
]

# COMMAND ----------

# DBTITLE 1,Acknowledged rows
CREATE_STATE = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.{SCHEMA}._customers_to_http_85277018_sent (
  target STRING, item STRING, row_key STRING, mark STRING
) USING DELTA"""
CREATE_REJECTS = f"""\
CREATE TABLE IF NOT EXISTS {CATALOG}.{SCHEMA}._customers_to_http_85277018_rejects (
  target STRING, row_key STRING, content STRING, reason STRING, rejected_at TIMESTAMP
) USING DELTA"""
REMEMBER = f"""\
MERGE INTO {CATALOG}.{SCHEMA}._customers_to_http_85277018_sent AS known USING lakehelm_acknowledged AS acknowledged
ON known.target = acknowledged.target AND known.item = acknowledged.item
WHEN MATCHED THEN UPDATE SET row_key = acknowledged.row_key, mark = acknowledged.mark
WHEN NOT MATCHED THEN INSERT (target, item, row_key, mark)
  VALUES (acknowledged.target, acknowledged.item, acknowledged.row_key, acknowledged.mark)"""
REJECT = f"""\
MERGE INTO {CATALOG}.{SCHEMA}._customers_to_http_85277018_rejects AS known USING lakehelm_refused AS refused
ON known.target = refused.target AND known.row_key = refused.row_key
WHEN NOT MATCHED THEN INSERT (target, row_key, content, reason, rejected_at)
  VALUES (refused.target, refused.row_key, refused.content, refused.reason, current_timestamp())"""
RESOLVE = f"""\
MERGE INTO {CATALOG}.{SCHEMA}._customers_to_http_85277018_rejects AS known USING lakehelm_resolved AS resolved
ON known.target = resolved.target AND known.row_key = resolved.row_key
WHEN MATCHED THEN DELETE"""
FORGET = f"""\
MERGE INTO {CATALOG}.{SCHEMA}._customers_to_http_85277018_sent AS known USING lakehelm_outdated AS outdated
ON known.target = outdated.target AND known.item = outdated.item
WHEN MATCHED THEN DELETE"""

for schema in [f"{CATALOG}.{SCHEMA}"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
spark.sql(CREATE_STATE)
spark.sql(CREATE_REJECTS)


def remember(rows):
    """Records rows that the endpoint has acknowledged."""
    if rows:
        rows = spark.createDataFrame(rows, "target string, item string, row_key string, mark string")
        rows.createOrReplaceTempView("lakehelm_acknowledged")
        spark.sql(REMEMBER)


def reject(rows):
    """Keeps each refused row once."""
    if rows:
        rows = spark.createDataFrame(rows, "target string, row_key string, content string, reason string")
        rows.dropDuplicates(["row_key"]).createOrReplaceTempView("lakehelm_refused")
        spark.sql(REJECT)


def refused_rows(table):
    return spark.table(REJECTS).where(F.col("target") == table["target"])


def resolve(table, refused):
    """Removes rejects that were sent again, and not refused again."""
    refused = spark.createDataFrame([(row_key,) for row_key in refused], "row_key string")
    refused_rows(table).join(refused, "row_key", "left_anti").createOrReplaceTempView("lakehelm_resolved")
    spark.sql(RESOLVE)


def forget(table, mark):
    """Removes old entries: only rows at the watermark, or without one, are read again."""
    known = spark.table(STATE).where(F.col("target") == table["target"])
    outdated = known.where((F.col("item") == "bound") | (F.col("mark") != F.lit(mark)))
    outdated.createOrReplaceTempView("lakehelm_outdated")
    spark.sql(FORGET)

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


def pending(table, source, columns):
    """Rows to send, oldest first, how many are superseded, the mark, the bound, and whether an earlier run set it."""
    known = spark.table(STATE).where(F.col("target") == table["target"])
    name = f"c{position(columns, table['watermark'])}"
    watermark = F.col(name)
    its_type = require_ordered(table["watermark"], source.schema[name].dataType.simpleString())
    mark = known.where("item <> 'bound'").agg(F.max(F.col("mark").cast(its_type)).cast("string")).first()[0]
    # A run that crashed has left its bound: with the same bound, the batches are the same too.
    planned = next((row["mark"] for row in known.where("item = 'bound'").collect()), None)
    newer = watermark.isNotNull() if mark is None else watermark >= F.lit(mark).cast(its_type)
    # The bound is read first: rows that are added during this run belong to the next one.
    passable = can_be_passed(watermark, its_type)
    greatest = F.max(F.when(passable, watermark)).cast("string")
    newest, endless = source.where(newer).agg(greatest, F.count(F.when(~passable, 1))).first()
    warn_of_endless(table, endless)
    newest = planned or newest
    bound = mark if newest is None else newest
    # Rows that were refused can be older.
    wanted = watermark.isNotNull() if RETRY_REJECTS else newer
    dated = wanted & (~passable | (watermark <= F.lit(bound).cast(its_type)))
    # A row without a watermark is sent only if no row with one has its key.
    key_names = [f"c{position(columns, key)}" for key in table["keys"]]
    undated, others = source.where(watermark.isNull()), source.where(watermark.isNotNull())
    undated = undated.join(others, key_names, "left_anti").select(source.columns)
    source = source.where(dated).union(undated)
    options = {"ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
    values = F.struct(*(F.col(f"c{at}").alias(name) for at, (name, _) in enumerate(columns)))
    places = [position(columns, key) for key in table["keys"]]
    rows = source.select(
        F.to_json(values, options).alias("content"),
        *(F.col(f"c{at}").cast("string").alias(f"t{at}") for at in places),
        watermark.alias("age"),
    ).withColumn("row_key", F.sha2("content", 256))
    if RETRY_REJECTS:
        record = source.select(values.alias("record")).schema["record"].dataType
        refused = refused_rows(table).select(F.from_json("content", record, options).alias("record"))
        texts = [F.col("record").getField(columns[at][0]).cast("string") for at in places]
        refused = refused.select(*(text.alias(f"refused_{at}") for at, text in enumerate(texts))).distinct()
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
    rows = rows.withColumn("item", F.sha2(F.to_json(F.array(*keys)), 256))
    acknowledged = known.select("item", "row_key")
    if RETRY_REJECTS:
        acknowledged = acknowledged.join(refused_rows(table), "row_key", "left_anti")
    rows = rows.join(acknowledged, ["item", "row_key"], "left_anti")
    # A row below the mark, which was refused before, does not move it, and neither does a row that none can follow.
    moves = can_be_passed(F.col("age"), its_type)
    moves = moves if mark is None else moves & (F.col("age") >= F.lit(mark).cast(its_type))
    saved = F.when(moves, F.col("age"))
    rows = rows.select("reason", "item", "row_key", saved.cast("string").alias("mark"), "content", "age")
    return rows.orderBy(F.col("age").asc_nulls_last(), "row_key"), superseded, mark, bound, planned is not None

# COMMAND ----------

# DBTITLE 1,The endpoint
def secret(scope, key):
    """A secret's value: from the scope on Databricks, from the environment variable SCOPE_KEY elsewhere."""
    try:
        return dbutils.secrets.get(scope, key)
    except NameError:  # no dbutils: this is not Databricks
        return os.environ[re.sub(r"\W", "_", f"{scope}_{key}").upper()]


URL = "https://hooks.shop.example/customers"
# A dry run needs no secrets.
HEADERS = {} if IS_DRY_RUN else {
    "Authorization": secret("shop", "hook_authorization"),
}


class Refused(Exception):
    """The endpoint refused these rows."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: it would turn the POST into a GET and send our headers to another server."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)
ATTEMPTS = 6


def retry_after(headers):
    """The delay of Retry-After in seconds. The header has a number or a date."""
    value = headers.get("Retry-After", "")
    if value.isdigit():
        return int(value)
    try:
        return max(0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0


def post(table, rows):
    """Sends a batch. The same rows have the same key in every attempt and in every run."""
    about = {"connector": CONNECTOR, "dataset": table["target"], "write_strategy": table["strategy"]}
    head = json.dumps({**about, "primary_keys": table["keys"]})[:-1]
    body = f"{head}, \"records\": [{','.join(row['content'] for row in rows)}]}}".encode()
    key = hashlib.sha256(body).hexdigest()
    headers = {**HEADERS, "Content-Type": "application/json", "Idempotency-Key": key}
    for attempt in range(1, ATTEMPTS + 1):
        wait = 2**attempt
        try:
            request = urllib.request.Request(URL, data=body, headers=headers, method="POST")
            with OPENER.open(request, timeout=60) as response:
                response.read()
            return
        except urllib.error.HTTPError as error:
            if error.code in (400, 409, 413, 422):
                text = error.read(1000).decode(errors="replace")
                raise Refused(f"{error.code} {error.reason}: {text}") from None
            if error.code not in (408, 425, 429) and error.code < 500 or attempt == ATTEMPTS:
                raise
            wait = max(wait, retry_after(error.headers))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if attempt == ATTEMPTS:
                raise
        time.sleep(min(wait, 300))


def send(table, rows, refusals):
    """Sends the rows that the endpoint accepts. Refused rows are found by halving the batch."""
    if not rows:
        return
    try:
        post(table, rows)
    except Refused as error:
        if len(rows) == 1:
            refusals.append((rows[0], str(error)))
            return
        half = len(rows) // 2
        send(table, rows[:half], refusals)
        send(table, rows[half:], refusals)

# COMMAND ----------

# DBTITLE 1,One table
def sync(table):
    source, columns = source_of(table)
    rows, superseded, mark, bound, is_rest = pending(table, source, columns)
    read = rejected = 0
    refused_again = []
    reached = mark
    iterator = rows.toLocalIterator()
    while batch := list(itertools.islice(iterator, BATCH_SIZE)):
        if read == 0:
            remember([(table["target"], "bound", "", bound)])
        refusals = [(row, row["reason"]) for row in batch if row["reason"]]
        sound = [row for row in batch if not row["reason"]]
        send(table, sound, refusals)
        reject([(table["target"], row["row_key"], row["content"], reason) for row, reason in refusals])
        remember([(table["target"], row["item"], row["row_key"], row["mark"]) for row in sound])
        refused_again += [row["row_key"] for row, _ in refusals]
        read, rejected = read + len(batch), rejected + len(refusals)
        reached = next((row["mark"] for row in reversed(sound) if row["mark"] is not None), reached)
        if rejected > max(10, 0.1 * read):
            raise ValueError(f"{rejected} of {read} rows were refused. The last reason: {refusals[-1][1]}")
    if RETRY_REJECTS:
        resolve(table, refused_again)
    forget(table, reached)
    numbers = f"{read} read, {read - rejected} sent, {rejected} rejected{superseded_words(superseded)}"
    print(f"{table['target']}: {numbers}, mark {mark} -> {reached}")
    return is_rest

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
            while sync(table):  # it has only completed a run that crashed
                pass
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")
if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed. " + " | ".join(failures))
