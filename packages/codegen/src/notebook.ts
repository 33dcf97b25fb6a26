import { pythonValue } from "./text/python.ts";

/** One cell: a title, which Databricks shows, and code. */
export interface CodeCell {
  readonly title: string;
  readonly code: string;
}

/** A notebook in Python source format: Databricks shows its cells, and any Python can run it from top to bottom. */
export function notebook(about: readonly string[], cells: readonly CodeCell[]): string {
  const header = ["# Databricks notebook source", ...about.map((line) => `# ${line}`)].join("\n");
  const bodies = cells.map(({ title, code }) => `# DBTITLE 1,${title}\n${code.trim()}\n`);
  return [`${header}\n`, ...bodies].join("\n# COMMAND ----------\n\n");
}

/** The first lines of each notebook: imports, and a session that works on Databricks and on other platforms. */
export function opening(imports: readonly string[], more: readonly string[] = []): string {
  const all = [...new Set(["from pyspark.sql import SparkSession", ...imports])];
  const isInstalled = (line: string) =>
    /^(?:from|import) (?:pyspark|psycopg|pymysql|pymssql|snowflake)\b/.test(line);
  const groups = [all.filter((line) => !isInstalled(line)), joined(all.filter(isInstalled))];
  const lines = groups
    .filter(({ length }) => length > 0)
    .map((group) => [...group].sort(importsFirst).join("\n"));
  return [lines.join("\n\n"), "", "spark = SparkSession.builder.getOrCreate()", ...more].join("\n");
}

/** Orders `import x` before `from x import y`, each sorted by name, as Python formatters do. */
const importsFirst = (a: string, b: string) =>
  Number(a.startsWith("from")) - Number(b.startsWith("from")) || (a < b ? -1 : Number(a > b));

/** Joins the plain names that are imported from one module into one line. */
function joined(lines: readonly string[]): string[] {
  const names = new Map<string, string[]>();
  const others: string[] = [];
  for (const line of lines) {
    const [, module, name] = /^from (\S+) import (\w+)$/.exec(line) ?? [];
    if (module === undefined || name === undefined) others.push(line);
    else names.set(module, [...(names.get(module) ?? []), name]);
  }
  return [...others, ...[...names].map(([module, all]) => `from ${module} import ${all.sort().join(", ")}`)];
}

/**
 * Installs packages on Databricks, where a job cannot install them for its notebooks. On other platforms it is a
 * comment.
 */
export const installCode = (packages: readonly string[]): string =>
  `# MAGIC %pip install --quiet ${packages.join(" ")}`;

/** Requires `import argparse`. */
export const parameterFunction = `
def parameter(name, default):
    """A job parameter: a widget on Databricks, \`--name value\` on the command line elsewhere."""
    try:
        dbutils.widgets.text(name, default)
        return dbutils.widgets.get(name)
    except NameError:  # no dbutils: this is not Databricks
        parser = argparse.ArgumentParser()
        parser.add_argument(f"--{name}", default=default)
        return getattr(parser.parse_known_args()[0], name)
`.trim();

/** Requires `import os` and `import re`. */
export const secretFunction = `
def secret(scope, key):
    """A secret's value: from the scope on Databricks, from the environment variable SCOPE_KEY elsewhere."""
    try:
        return dbutils.secrets.get(scope, key)
    except NameError:  # no dbutils: this is not Databricks
        return os.environ[re.sub(r"\\W", "_", f"{scope}_{key}").upper()]
`.trim();

/** Creates missing schemas. If they all exist, no permission to create schemas is required. */
export const schemasCode = (schemas: readonly string[]): string =>
  `
for schema in ${pythonValue(schemas)}:
    if not spark.catalog.databaseExists(schema):
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
`.trim();
