"""Starts Spark with settings that are fast for small data, and creates sessions in it."""

import os

from pyspark.sql import SparkSession


def start(options):
    folder = options["folder"]
    java_options = [
        "-XX:TieredStopAtLevel=1",  # the optimizing compiler does not pay off here
        "-XX:ReservedCodeCacheSize=200m",  # without it Java leaves too little, and compiles the same code again and again
        "-XX:+UseSerialGC",
        *options["javaOptions"],
        f"-Dderby.stream.error.file={folder}/derby.log",
    ]
    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraClassPath": os.path.join(options["jars"], "*"),
        "spark.driver.extraJavaOptions": " ".join(java_options),
        "spark.local.dir": f"{folder}/local",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        **{f"spark.sql.catalog.{name}": "org.apache.spark.sql.lakehelm.NamedCatalog" for name in options["catalogs"]},
        # One task instead of many empty ones, and no code compiled for a handful of rows: three times as fast.
        "spark.default.parallelism": "1",
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        **options["settings"],
    }
    if options["durable"]:
        settings["spark.sql.catalogImplementation"] = "hive"
        settings["spark.hadoop.javax.jdo.option.ConnectionURL"] = (
            f"jdbc:derby:;databaseName={folder}/metastore;create=true"
        )
    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def fresh(base):
    """A new session without temporary views or changed settings, as in a new process. It becomes the one that
    `SparkSession.builder.getOrCreate()` returns."""
    session = base.newSession()
    make_current(session)
    return session


def leave(session, base):
    """Stops the streams of a session, as the end of a process would."""
    for query in session.streams.active:
        query.stop()
    make_current(base)


def make_current(session):
    SparkSession._instantiatedSession = session
    java_class = SparkSession._get_j_spark_session_class(session._jvm)
    java_class.setDefaultSession(session._jsparkSession)
    java_class.setActiveSession(session._jsparkSession)


def clear(session):
    """Drops every schema and table."""
    for (schema,) in session.sql("SHOW SCHEMAS").collect():
        if schema != "default":
            session.sql(f"DROP SCHEMA `{schema}` CASCADE")
    for row in session.sql("SHOW TABLES IN default").collect():
        if not row.isTemporary:
            session.sql(f"DROP TABLE default.`{row.tableName}`")
