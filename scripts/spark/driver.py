"""Runs a Spark session that takes requests as JSON lines on stdin and answers as JSON lines on stdout.

The argument is the options of session.start() as JSON. While a request runs, each effect is reported as a line
{"effect": …}. The last line of each request has "done".
"""

import json
import os
import sys
import threading
import time

# Java writes to file descriptor 1. Redirect that to stderr and keep a copy of stdout for the answers.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
os.dup2(2, 1)

import notebook  # noqa: E402
import rows  # noqa: E402
import session  # noqa: E402
from effects import Effects  # noqa: E402


def end_with(parent):
    """Exits when the parent does, so that an interrupted suite leaves no Spark behind, even during a notebook."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def send(line):
    answers.write(json.dumps(line) + "\n")


def run_notebook(request):
    own = session.fresh(spark)
    effects.begin_run(request.get("crashAt"), jvm_process)
    try:
        result = notebook.run(
            request["content"], request["parameters"], request["secrets"], request["onDatabricks"], own
        )
    finally:
        effects.end_run()
        session.leave(own, spark)
    return {"ending": {**result, "crashed": effects.crashed}}


def answer(request):
    if "typed" in request:
        return {"answer": rows.typed_rows(spark.sql(request["typed"]))}
    if "sql" in request:
        return {"rows": rows.plain_rows(spark.sql(request["sql"]))}
    if "content" in request:
        return run_notebook(request)
    session.clear(spark)
    return {}


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
effects = Effects(lambda label: send({"effect": label}))
effects.watch()
spark = session.start(json.loads(sys.argv[1]))
jvm_process = spark._jvm.java.lang.ProcessHandle.current().pid()
send({"done": True, "version": spark.version})

for line in sys.stdin:
    try:
        send({"done": True, **answer(json.loads(line))})
    except Exception as error:
        send({"done": True, "failure": notebook.described(error)})
spark.stop()
