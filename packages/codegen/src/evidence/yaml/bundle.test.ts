import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Artifact } from "../../artifact.ts";
import { jobFile } from "../../bundle.ts";
import { referenceProblems } from "../references.ts";
import { validArtifacts, withChange } from "../testing/valid-artifacts.ts";
import { readBundle } from "./bundle.ts";
import { bundlePartProblems } from "./bundle-rules.ts";

const main = "databricks.yml";
const job = "resources/revenue.job.yml";

function problemsOf(set: readonly Artifact[]): string[] {
  const bundle = readBundle(set);
  const byPath = new Map(set.map((artifact) => [artifact.path, artifact]));
  return bundle.parts.flatMap((part) => [
    ...part.problems,
    ...bundlePartProblems(part, bundle),
    ...referenceProblems(part, bundle, byPath).problems,
  ]);
}

const pipeline = (fields: string): Artifact => ({
  path: "resources/p.pipeline.yml",
  content: `resources:\n  pipelines:\n    p:\n      name: p\n${fields.replace(/^/gm, "      ")}\n`,
  fileType: "yaml",
  about: "",
});

suite("a bundle", () => {
  test("as generated is valid", () => assert.deepEqual(problemsOf(validArtifacts()), []));

  test("may have a cluster and libraries, triggers, and pipelines", () => {
    const tasks = [{ key: "check", notebook: "src/revenue/check.py" }];
    const common = { name: "x", about: "x", kind: "ingestion", tasks } as const;
    const quiet = { notificationEmail: null };
    const cluster = { spark_version: "17.3.x-scala2.13", node_type_id: "m5d.large", num_workers: 2 };
    const set = [
      ...validArtifacts(),
      jobFile({ ...common, key: "a", trigger: { kind: "live" }, cluster }, quiet),
      jobFile({ ...common, key: "b", trigger: { kind: "file_arrival", url: "/Volumes/main/raw/in" } }, quiet),
      jobFile(
        { ...common, key: "c", trigger: { kind: "table_update", tables: ["main.sales.orders"] } },
        quiet,
      ),
      pipeline(
        "serverless: true\ncatalog: main\nschema: gold\nlibraries:\n  - glob:\n      include: ../src/**",
      ),
    ];
    assert.deepEqual(problemsOf(set), []);
  });

  /** A change of a file, and the expected problem. */
  const wrong: [path: string, text: string, instead: string, expected: RegExp][] = [
    // Invalid YAML.
    [job, "resources:", "resources: {", /line \d+, column \d+: It is not valid YAML/],
    [
      job,
      "max_concurrent_runs: 1",
      "max_concurrent_runs: 1\n      max_concurrent_runs: 2",
      /It is not valid YAML/,
    ],
    [job, "name: Revenue per customer", "name: &a Revenue", /anchor/],
    [job, "name: Revenue per customer", "name: !!str Revenue", /tag/],
    [job, "name: Revenue per customer", "name: on", /needs quotes/],
    [job, "name: Revenue per customer", "name: 2026-01-01", /needs quotes/],
    // Files that do not fit the schema.
    [job, "name: Revenue per customer", "title: Revenue", /resources\.jobs\.revenue\.title: Unknown key/],
    [job, "name: Revenue per customer", "title: Revenue", /resources\.jobs\.revenue\.name: It is missing/],
    [job, "name: Revenue per customer", 'name: ""', /not empty/],
    [job, "max_concurrent_runs: 1", 'max_concurrent_runs: "1"', /whole number/],
    [job, "max_concurrent_runs: 1", "max_concurrent_runs: 0", /whole number/],
    [job, "notebook_path:", "path:", /notebook_task\.path: Unknown key/],
    [job, "timezone_id: Europe/Berlin", "pause_status: STOPPED", /'PAUSED' or 'UNPAUSED'/],
    [job, "max_retries: 2\n", "existing_cluster_id: x\n          job_cluster_key: main\n", /together/],
    [job, "max_concurrent_runs: 1", "continuous: {}", /schedule and continuous cannot be used together/],
    [
      job,
      'parameters:\n        - name: business_date\n          default: ""',
      "parameters: []",
      /list is empty/,
    ],
    [main, "mode: production", "mode: staging", /'development' or 'production'/],
    [main, "include:", "includes:", /includes: Unknown key/],
    [main, "https://adb", "http://adb", /targets\.dev\.workspace\.host/],
    // Files that fit the schema but cannot run.
    [
      job,
      "max_retries: 2\n",
      "environment_key: default\n",
      /names the environment "default", which the job does not have/,
    ],
    [job, "- task_key: publish\n        ", "- task_key: published\n        ", /depends on "publish"/],
    [job, "task_key: check", "task_key: publish", /Duplicate task "publish"/],
    [
      job,
      "depends_on:\n            - task_key: publish",
      "depends_on:\n            - task_key: check",
      /wait for each other/,
    ],
    [
      job,
      "max_retries: 2\n",
      "libraries:\n            - pypi:\n                package: x\n",
      /not libraries/,
    ],
    [job, "max_retries: 2\n", "job_cluster_key: main\n", /job cluster "main"/],
    [job, "max_retries: 2\n", "environment_key: default\n", /refuses an environment_key/],
    [
      job,
      "schedule:\n        quartz_cron_expression: 0 30 5 ? * MON-FRI\n        timezone_id: Europe/Berlin",
      "continuous: {}",
      /no queue and no timeout.*Task publish has retries/s,
    ],
    [main, "presets:", "preset:", /preset: Unknown key/],
    [job, "0 30 5 ? * MON-FRI", "0 30 5 * * MON-FRI", /exactly one of day-of-month/],
    [job, "Europe/Berlin", "Europe/Nowhere", /time zone/],
    [
      job,
      "      tasks:\n",
      `      environments:\n${'        - environment_key: default\n          spec:\n            environment_version: "4"\n'.repeat(2)}      tasks:\n`,
      /Duplicate environment "default"/,
    ],
    [
      job,
      "      tasks:\n",
      `      job_clusters:\n${"        - job_cluster_key: a\n          new_cluster:\n            num_workers: 1\n".repeat(2)}      tasks:\n`,
      /Duplicate job cluster "a"/,
    ],
    [
      job,
      "notebook_task:\n            notebook_path: ../src/revenue/publish.py",
      "spark_python_task:\n            python_file: ../src/revenue/publish.py",
      /needs an environment_key/,
    ],
    [
      job,
      "notebook_task:\n            notebook_path: ../src/revenue/publish.py",
      "existing_cluster_id: x\n          sql_task:\n            warehouse_id: w\n            file:\n              path: ../src/revenue/tables.sql",
      /does not run on a cluster/,
    ],
    [
      main,
      "variables:\n",
      "variables:\n  region:\n    description: c\n",
      /variables\.region: It has no value in the target dev/,
    ],
    [main, "      catalog: main_dev", "      catalogue: main_dev", /There is no such variable/],
    [
      main,
      "root_path: /Workspace/Users/7f3c9a52",
      "#root_path: /Workspace/Users/7f3c9a52",
      /needs workspace\.root_path/,
    ],
    [main, "/Workspace/Users/", "/Workspace/Shared/", /group users/],
    // Substitutions.
    [job, "name: Revenue per customer", "name: ${var.title}", /\$\{var\.title\} is an unknown variable/],
    [job, "name: Revenue per customer", "name: ${resources.jobs.other.id}", /unknown resource/],
    [job, "name: Revenue per customer", "name: ${env.HOME}", /unknown reference/],
    [job, "name: Revenue per customer", "name: a ${b", /unknown reference/],
    [job, 'default: ""', 'default: "{{job.parameters.date}}"', /does not have/],
    [job, 'default: ""', 'default: "{{anything}}"', /unknown reference/],
    [main, "host: https://adb-1", "host: https://${bundle.name}", /cannot contain \$/],
    // References.
    [job, "../src/revenue/check.py", "../src/revenue/checks.py", /is not an artifact of this set/],
    [job, "../src/revenue/check.py", "../src/revenue/check", /is not an artifact of this set/],
    [job, "../src/revenue/check.py", "../src/revenue/flow.json", /is not a notebook/],
    [job, "../src/revenue/check.py", "/Workspace/check.py", /not relative/],
    [job, "../src/revenue/check.py", "../../check.py", /leaves the bundle's folder/],
    [
      job,
      "notebook_task:\n            notebook_path: ../src/revenue/check.py",
      "spark_python_task:\n            python_file: ../src/checks.py",
      /"\.\.\/src\/checks\.py" is not an artifact/,
    ],
    [
      job,
      "notebook_task:\n            notebook_path: ../src/revenue/check.py",
      "sql_task:\n            warehouse_id: w\n            file:\n              path: ../src/table.sql",
      /"\.\.\/src\/table\.sql" is not an artifact/,
    ],
    [main, "resources/*.yml", "jobs/*.yml", /matches no artifact/],
    [main, "resources/*.yml", "jobs/*.yml", /No include of databricks\.yml matches this file/],
  ];
  for (const [path, text, instead, expected] of wrong) {
    test(`with ${JSON.stringify(instead)} for ${JSON.stringify(text)} is refused`, () => {
      assert.match(problemsOf(withChange(path, text, instead)).join("\n"), expected);
    });
  }

  test("needs its main file", () => {
    assert.match(problemsOf(validArtifacts().slice(1)).join(), /No valid databricks\.yml/);
  });

  test("with two definitions of a job is refused", () => {
    const set = validArtifacts();
    const copies = set
      .filter(({ path }) => path === job)
      .map((one) => ({ ...one, path: "resources/copy.yml" }));
    assert.match(
      problemsOf([...set, ...copies]).join(),
      /resources\.jobs\.revenue: resources\/copy\.yml also defines it/,
    );
  });

  const wrongPipelines: [fields: string, expected: RegExp][] = [
    ["schema: s\nlibraries:\n  - pypi:\n      package: x", /pypi: Unknown key/],
    [
      "schema: s\nserverless: true\nclusters:\n  - num_workers: 1\nlibraries:\n  - glob: {include: ../src/**}",
      /no clusters/,
    ],
    ["libraries:\n  - glob: {include: ../src/**}", /schema that its tables belong to/],
    ["schema: s\nlibraries:\n  - glob: {include: ../lib/**}", /matches no artifact/],
    ["schema: s\nroot_path: ../lib\nlibraries:\n  - glob: {include: ../src/**}", /contains no artifact/],
    ["schema: s\nlibraries:\n  - notebook: {path: ../src/revenue/tables.sql}", /is not a notebook/],
    ["schema: s\nlibraries:\n  - file: {path: ../src/x.py}", /not an artifact of this set/],
  ];
  for (const [fields, expected] of wrongPipelines) {
    test(`with a pipeline of ${JSON.stringify(fields)} is refused`, () => {
      assert.match(problemsOf([...validArtifacts(), pipeline(fields)]).join("\n"), expected);
    });
  }

  test("with any misspelled key is refused", () => {
    for (const artifact of validArtifacts().filter(({ fileType }) => fileType === "yaml")) {
      for (const { 1: key = "" } of artifact.content.matchAll(/^[ -]*([a-z_]+):/gm)) {
        // These keys are names that a user chooses.
        if (/^(revenue|dev|prod|environment|managed_by|kind|owner|catalog|schema)$/.test(key)) continue;
        const broken = withChange(artifact.path, `${key}:`, `${key}x:`);
        assert.notDeepEqual(problemsOf(broken), [], `${artifact.path}: ${key}`);
      }
    }
  });
});
