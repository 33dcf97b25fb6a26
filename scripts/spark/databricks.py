"""The names that Databricks adds to a notebook and open-source Spark lacks. Only those that generated code uses."""

import os
import shutil
import types


class NotebookExit(Exception):
    pass


class Widgets:
    """A job parameter overrides the notebook's default."""

    def __init__(self, parameters):
        self._given = parameters
        self._values = {}

    def text(self, name, default, label=None):
        self._values[name] = self._given.get(name, default)

    def get(self, name):
        if name not in self._values:
            raise Exception(f"InputWidgetNotDefined: No input widget named {name} is defined")
        return self._values[name]


class Secrets:
    def __init__(self, secrets):
        self._secrets = secrets

    def get(self, scope, key):
        if f"{scope}/{key}" not in self._secrets:
            raise Exception(f"Secret does not exist with scope: {scope} and key: {key}")
        return self._secrets[f"{scope}/{key}"]


class Files:
    """Local folders take the place of volumes."""

    def rm(self, path, recurse=False):
        if not os.path.exists(path):
            return False
        shutil.rmtree(path) if recurse else os.remove(path)
        return True


def exit_notebook(value):
    raise NotebookExit(value)


def dbutils(parameters, secrets):
    return types.SimpleNamespace(
        widgets=Widgets(parameters),
        secrets=Secrets(secrets),
        fs=Files(),
        notebook=types.SimpleNamespace(exit=exit_notebook),
    )


def cells(content):
    """Splits a notebook into cells as Databricks does. Empty lines in front keep the line numbers of each cell."""
    lines = content.split("\n")
    if lines[0] != "# Databricks notebook source":
        raise ValueError("Databricks treats this as a plain file: the first line is not the notebook header.")
    cell, start = [], 0
    for number, line in enumerate([*lines, "# COMMAND ----------"]):
        if line.strip() == "# COMMAND ----------":
            yield "\n" * start + "\n".join(cell)
            cell, start = [], number + 1
        else:
            cell.append(line)
