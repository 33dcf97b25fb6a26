# Databricks notebook source
# Ingests from a REST API into the lakehouse: shop-rest.

# COMMAND ----------

# DBTITLE 1,Session
import argparse
import email.utils
import http.client
import json
import os
import re
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, DoubleType, LongType, StringType, StructField, StructType

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")


def secret(scope, key):
    """A secret's value: from the scope on Databricks, from the environment variable SCOPE_KEY elsewhere."""
    try:
        return dbutils.secrets.get(scope, key)
    except NameError:  # no dbutils: this is not Databricks
        return os.environ[re.sub(r"\W", "_", f"{scope}_{key}").upper()]


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

# COMMAND ----------

# DBTITLE 1,Tables
TABLES = [
    {
        "name": "bronze.tickets",
        "source": "https://api.shop.example/v2/tickets",
        "target": f"{CATALOG}.bronze.tickets",
        "keys": ["ticket_id"],
    },
]

for schema in [f"{CATALOG}.bronze"]:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")

# COMMAND ----------

# DBTITLE 1,Requests
HEADERS = {
    "Accept": "application/json",
    "Authorization": secret("shop", "api_authorization"),
}


ATTEMPTS = 6


def check_origin(address):
    """Other servers must not receive the headers, which can contain secrets."""
    allowed = [urllib.parse.urlsplit(table["source"])[:2] for table in TABLES]
    if urllib.parse.urlsplit(address)[:2] not in allowed:
        raise ValueError(f"the server refers to another server: {address}")


class SameOrigin(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, answer, code, reason, headers, address):
        check_origin(address)
        return super().redirect_request(request, answer, code, reason, headers, address)


OPENER = urllib.request.build_opener(SameOrigin)


def fetch(address):
    """The JSON and the headers of a response. Temporary errors are retried with backoff."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(address, headers=HEADERS)
            with OPENER.open(request, timeout=60) as answer:
                return json.loads(answer.read()), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504) or attempt == ATTEMPTS:
                raise
            pause = retry_after(error.headers) or 2**attempt
        except (urllib.error.URLError, http.client.HTTPException, OSError):
            if attempt == ATTEMPTS:
                raise
            pause = 2**attempt
        time.sleep(min(pause, 300))


def retry_after(headers):
    """The delay that the server asks for, in seconds. The header has a number or a date."""
    value = headers.get("Retry-After", "")
    if value.isdigit():
        return int(value)
    date = email.utils.parsedate_tz(value)
    return max(0, email.utils.mktime_tz(date) - time.time()) if date else None


def with_parameters(address, parameters):
    parts = urllib.parse.urlsplit(address)
    query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)) | parameters
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query)))

# COMMAND ----------

# DBTITLE 1,Pages and records
def inside(answer, path):
    for key in path:
        answer = answer.get(key) if isinstance(answer, dict) else None
    return answer


def records_of(answer):
    records = inside(answer, ["items"])
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError("the response has no list of records at its records_path")
    return records


def pages(address):
    """Cursor after cursor, until a response has none."""
    cursor, seen = None, set()
    while True:
        answer = fetch(with_parameters(address, {"cursor": cursor} if cursor else {}))[0]
        yield records_of(answer)
        cursor = inside(answer, ["next_cursor"])
        if not cursor:
            return
        if cursor in seen:
            raise ValueError("the server returned the same cursor twice")
        seen.add(cursor)

# COMMAND ----------

# DBTITLE 1,Rows
# The types that each JSON type can be read as without loss. Every value can be read as text.
READABLE_AS = {
    "boolean": ("boolean",),
    "bigint": ("bigint", "int", "smallint", "tinyint", "decimal", "double", "float"),
    "double": ("double", "float", "decimal"),
    "string": ("timestamp", "date"),
}


def agreed_type(name, found, known):
    """The type to read a column as: the target's, if the values fit it."""
    wanted = known.simpleString().split("(")[0]
    if wanted != "string" and wanted not in READABLE_AS.get(found.simpleString(), ()):
        raise TypeError(f"the column {name} is {wanted} in the target, and {found.simpleString()} in the source")
    return known


def known_types(table):
    if not spark.catalog.tableExists(table["target"]):
        return {}
    return {field.name.lower(): field.dataType for field in spark.table(table["target"]).schema}


def found_type(values):
    """The narrowest type for all values of a column. Nested values, and values of several types, stay JSON text."""
    types = {type(value) for value in values}
    if types == {bool}:
        return BooleanType()
    if types == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return LongType()
    return DoubleType() if float in types and types <= {int, float} else StringType()


def source_rows(table):
    """All pages as rows. Columns without any value are left out."""
    address = table["source"]
    records = [record for page in pages(address) for record in page]
    known, values = known_types(table), {}
    for record in records:
        for name, value in record.items():
            if value is not None:
                values.setdefault(name, []).append(value)
    fields = []
    for name, seen in values.items():
        found = found_type(seen)
        fields.append(StructField(name, agreed_type(name, found, known.get(name.lower(), found))))
    if not fields:
        fields = [StructField(name, wanted) for name, wanted in known.items()]
    lines = spark.createDataFrame([(json.dumps(record),) for record in records], "record string")
    record = F.from_json("record", StructType(fields), {"mode": "FAILFAST"})
    rows = lines.select(record.alias("record")).select("record.*")
    return rows

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


def news(table, rows):
    """The rows that the target does not have. Equal rows are counted: of three, two of them known, one is left."""
    known = spark.table(table["target"])
    return rows.exceptAll(known.select(*[quoted(name) for name in rows.columns]))


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


def upsert(table, rows):
    """One row for each key: the same one in every run, where the source has several."""
    rows = rows.withColumns(fit_target(table, rows))
    # Columns that a record does not have are null.
    rows = with_all_columns(table, rows)
    order = [F.col(quoted(name)) for name in rows.columns]
    rows, superseded = first_of_each_key(table, rows, order)
    if FULL_REFRESH:
        done = refreshing(table, rows)
    else:
        # Only rows that differ are merged: a MERGE rewrites every file in which it finds a key.
        rows = news(table, rows)
        done = upserting(table, rows, rows.columns)
    return {**done, "num_superseded_rows": superseded}


def ingest(table):
    rows = source_rows(table)
    if not rows.columns:
        return "there are no records yet"
    done = upsert(table, rows)
    report = counts_of(done)
    if FULL_REFRESH:
        report += f", {done['num_deleted_rows']} deleted"
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
