import type { Artifact } from "../artifact.ts";
import { notebook, opening, parameterFunction, secretFunction } from "../notebook.ts";

/**
 * Kinds of tasks that are notebooks on Databricks. A kind's notebook is always the same; the task's file has the
 * differences.
 */
export type NotebookKind = "sql" | "http" | "agent" | "python" | "shell";

export const notebookPath = (kind: NotebookKind) => `src/${kind}_task.py`;

export function taskNotebook(kind: NotebookKind): Artifact {
  const { about, imports, code } = notebooks[kind];
  return {
    path: notebookPath(kind),
    content: notebook(
      [about],
      [
        { title: "Task", code: preparation(imports) },
        { title: "Run", code },
        { title: "Values for later tasks", code: taskValuesCode },
      ],
    ),
    fileType: "python",
    about,
  };
}

const common = ["import argparse", "import json", "import os", "import re"];

const preparation = (imports: readonly string[]) =>
  [opening([...common, ...imports]), parameterFunction, secretFunction, placeholderCode].join("\n\n\n");

const placeholderCode = `
with open(parameter("task_file", "")) as file:
    task = json.load(file)


def typed(text):
    """A number, a list: whatever the text is in JSON. Otherwise the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def fill(value):
    """Every text of a value with its placeholders filled; one that stands alone keeps the type of its value."""
    if isinstance(value, dict):
        return {key: fill(item) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item) for item in value]
    if not isinstance(value, str):
        return value
    if value in task["placeholders"]:
        return typed(parameter(task["placeholders"][value], ""))
    text = re.sub(r"\\{\\{\\s*secrets/([^/{}]+)/([^/{}\\s]+)\\s*\\}\\}", lambda found: secret(found[1], found[2]), value)
    for placeholder, name in task["placeholders"].items():
        text = text.replace(placeholder, parameter(name, ""))
    return text
`.trim();

const taskValuesCode = `
for key, path in task["task_values"].items():
    value = outcome
    for step in path:
        value = value[int(step)] if isinstance(value, list) else (value or {}).get(step)
    dbutils.jobs.taskValues.set(key=key, value=value)
`;

const notebooks: Readonly<Record<NotebookKind, { about: string; imports: readonly string[]; code: string }>> =
  {
    sql: {
      about: "Runs the statements of a task.",
      imports: [],
      code: `
spark.sql(f"USE CATALOG \`{parameter('catalog', 'main')}\`")
spark.sql(f"USE SCHEMA \`{parameter('schema', 'default')}\`")
arguments = fill(task["parameters"])
quotes = ["'", '"', chr(96), chr(92)]
found = []
for statement in task["statements"]:
    for placeholder, name in task["placeholders"].items():
        if placeholder in statement and any(sign in parameter(name, "") for sign in quotes):
            raise ValueError(f"The value of {placeholder} has a quote or a backslash in it.")
    found = spark.sql(fill(statement), args=arguments).take(1000)
rows = [list(row) for row in found[:100]]
single = rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None
output = {"rows": rows, "count": len(rows), "value": single}
items = [row.asDict() for row in found]
outcome = {"rows": len(rows), "value": single, "output": output, "items": items}
outcome = json.loads(json.dumps(outcome, default=str))
`,
    },
    http: {
      about: "Sends the request of a task.",
      imports: ["import requests"],
      code: `
body = fill(task.get("body"))
headers = {"Idempotency-Key": parameter("idempotency_key", ""), **fill(task["headers"])}
payload = {"json": body} if isinstance(body, (dict, list)) else {"data": body}
response = requests.request(task["method"].upper(), fill(task["url"]), headers=headers, timeout=300, **payload)
response.raise_for_status()
content = typed(response.text[:65536])
outcome = {"value": content, "output": {"status": response.status_code, "body": content}}
`,
    },
    python: {
      about: "Runs the Python script of a task.",
      imports: ["import runpy", "import tempfile"],
      code: `
for name, value in task["variables"].items():
    filled = fill(value)
    os.environ[name] = filled if isinstance(filled, str) else json.dumps(filled)
path = os.path.join(tempfile.mkdtemp(), "script.py")
with open(path, "w") as file:
    file.write(task["script"])
try:
    runpy.run_path(path, run_name="__main__")
except SystemExit as end:
    if end.code not in (None, 0):
        raise RuntimeError(f"It ended with exit code {end.code}.") from end
outcome = {"value": None, "output": {"exit_code": 0, "value": None}}
`,
    },
    shell: {
      about: "Runs the program of a task on the driver.",
      imports: ["import subprocess"],
      code: `
variables = {name: fill(value) for name, value in task["variables"].items()}
texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in variables.items()}
environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TZ") if name in os.environ}
program = task["command"] or ["/bin/sh", "-c", task["script"]]
done = subprocess.run(program, env={**environment, **texts}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(done.stdout[:1048576])
if done.returncode != 0:
    raise RuntimeError(f"It ended with exit code {done.returncode}.")
lines = [line for line in done.stdout.splitlines() if line]
value = lines[-1][:1000] if lines else None
outcome = {"value": value, "output": {"exit_code": 0, "value": value}}
`,
    },
    agent: {
      about: "Sends a request to an agent.",
      imports: ["from databricks.sdk import WorkspaceClient"],
      code: `
path = f"/serving-endpoints/{task['endpoint']}/invocations"
content = WorkspaceClient().api_client.do("POST", path, body=fill(task["body"]))
outcome = {"value": content, "output": {"status": 200, "body": content}}
`,
    },
  };
