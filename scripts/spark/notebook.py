"""Runs a notebook as a script on open-source Spark, or cell by cell as Databricks does."""

import contextlib
import io
import linecache
import os
import re
import sys
import traceback

import databricks
from effects import Killed

NAME = "notebook.py"


def run(content, parameters, secrets, on_databricks, session):
    """Returns the output and how the notebook ended: error, crashed, or exit (the value of dbutils.notebook.exit)."""
    namespace = {"__name__": "__main__"}
    if on_databricks:
        namespace["spark"] = session
        namespace["dbutils"] = databricks.dbutils(parameters, secrets)
        namespace["display"] = lambda frame: frame.show()
        arguments, variables = ["kernel", "-f", "kernel.json"], {}
    else:
        arguments = [NAME, *[part for name, value in parameters.items() for part in (f"--{name}", value)]]
        variables = {variable_of(secret): value for secret, value in secrets.items()}
    printed = io.StringIO()
    ending = {}
    linecache.cache[NAME] = (len(content), None, content.splitlines(True), NAME)
    with surroundings(arguments, variables), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            for code in databricks.cells(content) if on_databricks else [content]:
                exec(compile(code, NAME, "exec"), namespace)
        except databricks.NotebookExit as left:
            ending["exit"] = str(left)
        except Killed:
            pass  # the caller requested it
        except SystemExit as left:
            if left.code not in (None, 0):
                ending["error"] = described(left)
        except Exception as error:
            ending["error"] = described(error)
    return {"output": printed.getvalue(), **ending}


def variable_of(secret):
    """The environment variable in which generated code looks for `scope/key` outside Databricks."""
    return re.sub(r"\W", "_", secret).upper()


@contextlib.contextmanager
def surroundings(arguments, variables):
    kept_arguments, kept_variables = sys.argv, dict(os.environ)
    sys.argv = arguments
    os.environ.update(variables)
    try:
        yield
    finally:
        sys.argv = kept_arguments
        os.environ.clear()
        os.environ.update(kept_variables)


def described(error):
    condition = error.getCondition() if hasattr(error, "getCondition") else None
    return {
        "type": type(error).__name__,
        **({"condition": condition} if condition else {}),
        "message": str(error),
        "trace": "".join(traceback.format_exception(error)),
    }
