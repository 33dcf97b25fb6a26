"""Answers calls of functions with Spark, as JSON lines: requests on stdin, {"id", "type", "values"} on stdout.
The first line is {"version"}, the first two numbers of Spark's.

{"rows", "columns", "calls": [{"id", "expression"}]} are expressions over the same rows of arguments. Spark gives no rows at all if
one fails, so each expression is evaluated for each row by itself, as Spark's driver does it for a query without a job.
{"id", "query"} is a query with one row and a column x. It needs pyspark alone, so that any version can be recorded.
"""

import json
import logging
import os
import sys
from decimal import Decimal

answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
os.dup2(2, 1)
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../scripts/spark"))

from py4j.protocol import Py4JError  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from rows import plain  # noqa: E402

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", "1")
    # Otherwise the optimizer evaluates all rows.
    .config("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
logging.disable()
catalyst = spark._jvm.org.apache.spark.sql.catalyst
types = spark._jvm.org.apache.spark.sql.types
attributes = getattr(spark._jvm, "org.apache.spark.sql.catalyst.expressions.package$AttributeSeq")


def failed(error):
    # py4j's errors have the Java exception; pyspark's have its condition.
    java = getattr(error, "java_exception", None) or error
    for name in ("getCondition", "getErrorClass"):
        try:
            condition = getattr(java, name)()
        except Exception:
            continue
        if condition:
            return {"!": condition.split(".")[0]}
    return {"!": type(java).__name__ if java is error else java.getClass().getSimpleName()}


def send(call, kind, values):
    answer = {"id": call["id"], "type": kind, "values": values}
    answers.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")


def readable(kind, value):
    """A value that Spark wrote as JSON, as rows.plain() writes it."""
    if kind == "binary":
        import base64

        return base64.b64decode(value).hex()
    if kind.startswith("map<") and isinstance(value, list):
        return {str(entry["key"]): entry["value"] for entry in value}
    if kind.startswith("decimal"):
        return format(Decimal(value), "f")
    return value


def exactly(kind):
    """Numbers in JSON: those of a DECIMAL keep their digits."""
    number = (lambda text: format(Decimal(text), "f")) if "decimal" in kind else float
    return {"parse_float": number, "parse_int": (str if kind.startswith("decimal") else lambda text: plain(int(text)))}


def projected(expression, relation):
    bound = catalyst.expressions.BindReferences.bindReference(expression, attributes(relation.output()), False)
    one = spark._jvm.java.util.ArrayList()
    one.add(bound)
    scala = spark._jvm.scala.jdk.javaapi.CollectionConverters
    return catalyst.expressions.InterpretedProjection(scala.asScala(one).toSeq())


def evaluated(call, expression, rows, columns, relation):
    kind = expression.dataType()
    name = kind.simpleString()
    schema = types.StructType().add("x", kind)
    projection = projected(expression, relation)
    data = relation.data()
    values, good = [], []
    for at in range(data.size()):
        try:
            row = projection.apply(data.apply(at))
            good.append(at)
            text = catalyst.CatalystTypeConverters.convertToScala(row, schema).json()
            value = json.loads(text, **exactly(name)).get("x")
            values.append(None if value is None else readable(name, value))
        except Exception as error:
            values.append(failed(error))
            projection = projected(expression, relation)  # what builds a map keeps its entries after an error
    if good and ("date" in name or "timestamp" in name):  # in JSON they lose their fractions, and old ones are wrong
        for at, value in collected(call, [rows[at] for at in good], columns)[1].items():
            values[at] = value
    return name, values


def collected(call, rows, columns):
    """The type and the values by row. If a row fails, each half is asked for."""
    try:
        frame = spark.sql(f"SELECT n, {call['expression']} AS x FROM (VALUES {', '.join(rows)}) AS t({columns})")
        kind = frame.schema["x"].dataType.simpleString()
        return kind, {row["n"]: plain(row["x"]) for row in frame.collect()}
    except Exception as error:
        if len(rows) == 1:
            return None, {int(rows[0][1:].split(",")[0].rstrip(")")): failed(error)}
        half = len(rows) // 2
        first, left = collected(call, rows[:half], columns)
        second, right = collected(call, rows[half:], columns)
        return first or second, {**left, **right}


def answer(rows, columns, calls):
    listed = ", ".join(f"{call['expression']} AS x{at}" for at, call in enumerate(calls))
    try:
        frame = spark.sql(f"SELECT n, {listed} FROM (VALUES {', '.join(rows)}) AS t({columns})")
        plan = frame._jdf.queryExecution().optimizedPlan()
        relation = plan.child()
        relation.data()
    except Exception as error:
        if len(calls) > 1:
            half = len(calls) // 2
            answer(rows, columns, calls[:half])
            answer(rows, columns, calls[half:])
        elif isinstance(error, Py4JError) or "OVER" in calls[0]["expression"]:
            kind, values = collected(calls[0], rows, columns)  # a plan of another form
            send(calls[0], kind, [values[n] for n in sorted(values)])
        else:
            send(calls[0], None, [failed(error)])
        return
    expressions = plan.projectList()
    for at, call in enumerate(calls):
        send(call, *evaluated(call, expressions.apply(at + 1), rows, columns, relation))


def answer_query(request):
    try:
        frame = spark.sql(request["query"])
        [row] = frame.collect()
        send(request, frame.schema["x"].dataType.simpleString(), [plain(row["x"])])
    except Exception as error:
        send(request, None, [failed(error)])


answers.write(json.dumps({"version": ".".join(spark.version.split(".")[:2])}) + "\n")
for line in sys.stdin:
    request = json.loads(line)
    if "query" in request:
        answer_query(request)
    else:
        answer(request["rows"], request["columns"], request["calls"])
spark.stop()
