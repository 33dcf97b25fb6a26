const session = "spark = SparkSession.builder.getOrCreate()\n";

/** The notebook, changed so that it runs as on Databricks. Call `leaveDatabricks` afterwards. */
export function asDatabricks(notebook: string): string {
  if (!notebook.includes(session)) throw new Error("The notebook has no session.");
  const pretend = 'import os\nos.environ["DATABRICKS_RUNTIME_VERSION"] = "17"\n';
  return notebook.replace(session, () => `${session}${pretend}`);
}

export const leaveDatabricks = 'import os\nos.environ.pop("DATABRICKS_RUNTIME_VERSION", None)\n';
