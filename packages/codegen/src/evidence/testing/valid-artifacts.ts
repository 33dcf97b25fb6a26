import type { Artifact } from "../../artifact.ts";
import { bundleFile, jobFile } from "../../bundle.ts";
import { notebook, opening, parameterFunction, secretFunction } from "../../notebook.ts";

/** A set of artifacts as a generator returns it, without mistakes. */
export function validArtifacts(): Artifact[] {
  const schedule = { cron: "30 5 * * 1-5", quartz: "0 30 5 ? * MON-FRI", timezone: "Europe/Berlin" };
  return [
    bundleFile({
      environment: "prod",
      mode: "production",
      host: "https://adb-1.azuredatabricks.net",
      catalog: "main",
      schema: "gold",
      otherCatalog: "main_dev",
      secretScope: "lakehelm",
      runtime: "databricks",
      timezone: "UTC",
      git: { repository: "https://github.com/acme/lake", branch: "main" },
      runAs: "7f3c9a52-0b1e-4c07-9d6b-5c1f2f0f7b11",
      notificationEmail: "data@acme.example",
      ownerGroup: null,
    }),
    jobFile(
      {
        kind: "flow",
        owner: "ada@acme.example",
        key: "revenue",
        name: "Revenue per customer",
        about: "Publishes main.gold.revenue every working day.",
        trigger: { kind: "schedule", schedule },
        tasks: [
          { key: "publish", notebook: "src/revenue/publish.py" },
          { key: "check", notebook: "src/revenue/check.py", after: ["publish"] },
        ],
        parameters: [{ name: "business_date", default: "" }],
      },
      { notificationEmail: "data@acme.example" },
    ),
    {
      path: "src/revenue/tables.sql",
      content: tables,
      fileType: "sql",
      about: "The table.",
      statements: ddl,
    },
    {
      path: "src/revenue/publish.py",
      content: publish,
      fileType: "python",
      about: "Publishes revenue.",
      statements: [matched, merge],
      secrets: [{ scope: "lakehelm", key: "revenue-api-token" }],
    },
    {
      path: "src/revenue/check.py",
      content: check,
      fileType: "python",
      about: "Checks what was published.",
      statements: [duplicates, orphans],
    },
    {
      path: "src/revenue/flow.json",
      content: `${JSON.stringify({ flow: "revenue", sources: ["main.sales.orders"], note: 'a "quoted" word' }, null, 2)}\n`,
      fileType: "json",
      about: "The flow and its lineage.",
    },
  ];
}

const ddl = [
  `CREATE TABLE IF NOT EXISTS main.gold.revenue (
  customer_id BIGINT NOT NULL COMMENT 'who bought; never null',
  revenue DECIMAL(18, 2) COMMENT 'it\\'s in euros -- \\u0024 is converted'
)
USING DELTA`,
  "COMMENT ON TABLE main.gold.revenue IS 'Revenue /* per */ customer; daily'",
];

const tables = `-- The table that the flow publishes to; run once.
${ddl[0]};

/* Comments may be nested: /* they */ do not run. */
${ddl[1]};
`;

const matched = `SELECT customer_id, sum(amount) AS revenue
FROM main.sales.orders
GROUP BY customer_id
`;

const merge =
  "MERGE INTO main.gold.revenue AS target_row USING matched AS source_row ON target_row.customer_id <=> source_row.customer_id WHEN MATCHED THEN UPDATE SET revenue = source_row.revenue WHEN NOT MATCHED THEN INSERT (customer_id, revenue) VALUES (source_row.customer_id, source_row.revenue)";

const publish = notebook(
  ["Publishes main.gold.revenue: one row per customer – überall.", "Run by the job revenue."],
  [
    {
      title: "Session and parameters",
      code: `${opening(["import argparse", "import os", "import re", "import requests", "from pyspark.sql import functions as F"])}


${parameterFunction}


${secretFunction}


business_date = parameter("business_date", "")
token = secret("lakehelm", "revenue-api-token")`,
    },
    {
      title: "Rows to publish",
      code: `matched = spark.sql(
    "SELECT customer_id, sum(amount) AS revenue\\n"
    "FROM main.sales.orders\\n"  # one row per order
    "GROUP BY customer_id\\n"
)
if business_date:
    matched = matched.where(F.col("business_date") == F.lit(business_date).cast("date"))
matched.createOrReplaceTempView("matched")`,
    },
    {
      title: "Publish",
      code: `STATEMENTS = [
    "${merge}",
]
for statement in STATEMENTS:
    spark.sql(statement)

published = {name: rows for name, rows in [("revenue", matched.count())]}
answer = requests.post(
    "https://example.org/published",
    json={"rows": published["revenue"], "share": f"{published['revenue'] / 100:.2f} %"},
    headers={"Authorization": f"Bearer {token}"},
    timeout=30,
)
answer.raise_for_status()
print(f"Published {published['revenue']} rows, {{literally}}.")`,
    },
  ],
);

const duplicates = "SELECT customer_id FROM main.gold.revenue GROUP BY customer_id HAVING count(*) > 1";
const orphans = "SELECT count(*) AS orphans FROM main.gold.revenue WHERE customer_id IS NULL";

const check = notebook(
  ["Fails the job where the published table breaks its promises."],
  [
    { title: "Session", code: opening([]) },
    {
      title: "Checks",
      code: `class Broken(Exception):
    """A promise of the table that does not hold."""


def expect_no_rows(statement, reason):
    try:
        rows = spark.sql(statement).take(5)
    except Exception as error:
        raise Broken(f"{reason}: the check itself failed") from error
    else:
        if rows:
            raise Broken(f"{reason}: {[list(row) for row in rows]}")
    finally:
        print("checked", reason)


expect_no_rows("${duplicates}", "customer_id is not unique")
orphans = spark.sql("${orphans}").first()["orphans"]
while orphans > 0:
    raise Broken(f"{orphans} rows have no customer")`,
    },
  ],
);

/** The valid set with one text of one artifact replaced; the artifact must contain the text. */
export function withChange(path: string, text: string, instead: string): Artifact[] {
  const set = validArtifacts();
  const at = set.findIndex((artifact) => artifact.path === path);
  const artifact = set[at];
  if (!artifact?.content.includes(text)) throw new Error(`${path} does not contain ${JSON.stringify(text)}.`);
  return set.with(at, { ...artifact, content: artifact.content.replace(text, () => instead) });
}
