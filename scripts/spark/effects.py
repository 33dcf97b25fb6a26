"""Counts the external effects of a notebook, and can kill it before or after the n-th effect.

An effect is a statement that writes, a write of a DataFrame, the end of a streaming query, a commit in PostgreSQL, or an
HTTP request other than GET. A real process can die between any two of them; whatever else it does leaves no trace.
"""

import functools
import http.client
import os
import re
import signal
import threading

import psycopg
from pyspark.sql import DataFrameWriter, DataFrameWriterV2, MergeIntoWriter, SparkSession
from pyspark.sql.streaming import DataStreamWriter, StreamingQuery


class Killed(BaseException):
    """Not an Exception, so that no `except Exception` in generated code catches it."""


class Effects:
    def __init__(self, report):
        self.crashed = False
        self._report = report
        self._watching = False
        # Per thread: writes of foreachBatch count although the main thread is inside awaitTermination.
        self._thread = threading.local()

    def begin_run(self, crash_at, jvm_process):
        """crash_at: {"effect": n, "when": "before" | "after", "signal": bool} or None."""
        self.crashed = False
        self._count = 0
        self._crash_at = crash_at
        self._jvm_process = jvm_process
        self._connections = []
        self._watching = True

    def end_run(self):
        """Closes the connections, which rolls back open transactions, as the end of a process does."""
        self._watching = False
        for connection in self._connections:
            connection.close()

    def around(self, label, act):
        if not self._watching or getattr(self._thread, "inside", False):
            return act()
        number = self.enter(label)
        self._thread.inside = True
        try:
            result = act()
        finally:
            self._thread.inside = False
        self.leave(number)
        return result

    def enter(self, label):
        if self.crashed:
            raise Killed()  # in a killed process, `finally` and `except:` do not run either
        self._count += 1
        self._report(label)
        self._die_if("before", self._count)
        return self._count

    def leave(self, number):
        self._die_if("after", number)

    def _die_if(self, when, number):
        point = self._crash_at
        if point is None or (point["when"], point["effect"]) != (when, number):
            return
        if point.get("signal"):
            # Kill the JVM first. Otherwise it sees its pipe close and shuts down cleanly.
            os.kill(self._jvm_process, signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        self.crashed = True
        raise Killed()

    def watch(self):
        """Call once per process. From then on every effect goes through around()."""
        self._wrap(SparkSession, "sql", lambda _, text, *rest, **more: statement_label(text))
        for name in ("save", "saveAsTable", "insertInto", "jdbc", "parquet", "json", "csv", "orc", "text"):
            self._wrap(DataFrameWriter, name, lambda _, *given, name=name, **more: call_label(name, given))
        for name in ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions"):
            self._wrap(DataFrameWriterV2, name, lambda *_, name=name: f"write {name}")
        self._wrap(MergeIntoWriter, "merge", lambda _: "write merge")
        self._wrap(StreamingQuery, "awaitTermination", lambda *_, **more: "stream")
        self._wrap(psycopg.Connection, "commit", lambda _: "commit")
        self._wrap(psycopg.Transaction, "__exit__", transaction_label)
        self._watch_batches()
        self._watch_connections()
        self._watch_http()

    def _wrap(self, owner, name, label_of):
        original = getattr(owner, name)

        @functools.wraps(original)
        def wrapped(*given, **more):
            label = label_of(*given, **more)
            act = functools.partial(original, *given, **more)
            return act() if label is None else self.around(label, act)

        setattr(owner, name, wrapped)

    def _watch_batches(self):
        """Turns Killed into an Exception: Java waits forever for a callback that ends with anything else."""
        original = DataStreamWriter.foreachBatch

        @functools.wraps(original)
        def foreach_batch(writer, work):
            def batch(frame, number):
                try:
                    work(frame, number)
                except Killed:
                    raise RuntimeError("killed") from None

            return original(writer, batch)

        DataStreamWriter.foreachBatch = foreach_batch

    def _watch_connections(self):
        original = psycopg.Connection.__init__

        @functools.wraps(original)
        def remembered(connection, *given, **more):
            original(connection, *given, **more)
            self._connections.append(connection)

        psycopg.Connection.__init__ = remembered

    def _watch_http(self):
        """One call sends a request, another reads the answer. The effect is between the two."""
        begin, end = http.client.HTTPConnection.putrequest, http.client.HTTPConnection.getresponse

        @functools.wraps(begin)
        def putrequest(connection, method, url, *rest, **more):
            is_effect = self._watching and method not in ("GET", "HEAD", "OPTIONS")
            connection.effect = self.enter(f"{method} {url}") if is_effect else None
            return begin(connection, method, url, *rest, **more)

        @functools.wraps(end)
        def getresponse(connection):
            response = end(connection)
            if connection.effect is not None:
                self.leave(connection.effect)
            return response

        http.client.HTTPConnection.putrequest = putrequest
        http.client.HTTPConnection.getresponse = getresponse


COMMENTS = re.compile(r"\s+|--[^\n]*|/\*.*?\*/", re.DOTALL)
LITERALS = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`", re.DOTALL)
WRITES = re.compile(
    r"(INSERT|MERGE|UPDATE|DELETE|TRUNCATE|COPY|ALTER|COMMENT|DROP|OPTIMIZE|VACUUM|RESTORE|REPLACE|EXECUTE|BEGIN"
    r"|CREATE(?!\s+(OR\s+REPLACE\s+)?(GLOBAL\s+)?TEMP))\b",
    re.IGNORECASE,
)
WRITES_AFTER_WITH = re.compile(r"\)\s*(INSERT|MERGE|UPDATE|DELETE)\b", re.IGNORECASE)


def statement_label(text):
    """The first 80 characters of a statement that writes, otherwise None."""
    bare = text
    while (skipped := COMMENTS.match(bare)) is not None:
        bare = bare[skipped.end() :]
    is_write = WRITES.match(bare) is not None
    if re.match(r"WITH\b", bare, re.IGNORECASE):
        is_write = WRITES_AFTER_WITH.search(LITERALS.sub("x", bare)) is not None
    return " ".join(bare.split())[:80] if is_write else None


def call_label(name, given):
    return " ".join(["write", name, *[str(item) for item in given[:1]]])


def transaction_label(transaction, error_type, *_):
    """Only the outermost block of a successful transaction commits."""
    commits = error_type is None and not transaction.savepoint_name and not transaction.force_rollback
    return "commit" if commits else None
