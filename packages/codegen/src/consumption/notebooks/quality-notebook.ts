import {
  type ConsumptionFlow,
  countRows,
  createQuality,
  defaultDrift,
  keyOf,
  lastPassed,
  qualityChecks,
  qualityTable,
} from "@lakehelm/flows";
import { type NameDefaults, plainName, sqlName } from "@lakehelm/sql/names";
import type { Artifact } from "../../artifact.ts";
import { nameCode, withNames } from "../../name-variables.ts";
import { type CodeCell, notebook, opening, parameterFunction } from "../../notebook.ts";
import { pythonBlock, pythonString, pythonText } from "../../text/python.ts";
import { inUtc } from "./opening-code.ts";

export function qualityNotebook(flow: ConsumptionFlow, path: string, defaults: NameDefaults): Artifact {
  const checks = qualityChecks(flow);
  const cells: CodeCell[] = [
    ...(checks.length > 0 ? [{ title: "Rows", code: rowsCode(flow) }] : []),
    { title: "Row count", code: driftCode(flow, checks.length > 0) },
    { title: "Result", code: resultCode(flow) },
  ];
  const names = nameCode(cells.map(({ code }) => code).join("\n"), defaults, { hasParameters: true });
  const first = { title: "Parameters", code: parameters(names) };
  const made: Artifact = {
    path,
    content: notebook(
      [`Data quality of ${plainName(flow.target)}, after flow ${flow.name}.`],
      [first, ...cells],
    ),
    fileType: "python",
    about: `The checks that ${plainName(flow.target)} must pass after each run; a failed check fails the job, unless its severity is warn.`,
    statements: [...checks.map(({ sql }) => sql), createQuality(flow), countRows(flow), lastPassed(flow)],
  };
  return withNames(made, defaults);
}

const parameters = (names: string) =>
  [
    opening(["import argparse", "from pyspark.sql import functions as F"], [inUtc]),
    "\n",
    parameterFunction,
    "\n",
    ...(names ? [names, ""] : []),
    "# 0.5 allows half to twice the rows of the last good run; an empty text turns the check off.",
    `max_row_count_drift = parameter("max_row_count_drift", "${defaultDrift}")`,
    "allowed = float(max_row_count_drift) if max_row_count_drift else None",
  ].join("\n");

function rowsCode(flow: ConsumptionFlow): string {
  const showsKeys = !keyOf(flow).some(({ isPersonal }) => isPersonal);
  const checks = qualityChecks(flow).map(({ name, sql, failure, severity }) =>
    [
      "    (",
      `        ${pythonString(name)},`,
      `        ${pythonText(sql).replaceAll("\n", "\n        ")},`,
      `        ${pythonString(failure)},`,
      `        ${pythonString(severity)},`,
      "    ),",
    ].join("\n"),
  );
  return [
    '# Each SELECT returns violations: none of them may return a row. "warn" reports them, "fail" fails the job.',
    "CHECKS = [",
    ...checks,
    "]",
    "",
    "failures, warnings = [], []",
    "for name, statement, failure, severity in CHECKS:",
    "    wrong = spark.sql(statement)",
    "    count = wrong.count()",
    '    print(f"{name}: {count} found")',
    "    if count:",
    '        found = failures if severity == "fail" else warnings',
    ...(showsKeys
      ? [
          "        rows = [row.asDict() for row in wrong.limit(3).collect()]",
          '        examples = "; ".join(", ".join(f"{k} = {v}" for k, v in row.items()) for row in rows)',
          '        found.append(f"{count} {failure}, for example {examples}.")',
        ]
      : ["        # No examples: the key is personal data.", '        found.append(f"{count} {failure}.")']),
  ].join("\n");
}

const driftCode = (flow: ConsumptionFlow, hasChecks: boolean) =>
  [
    `CREATE_QUALITY = ${pythonBlock(createQuality(flow))}`,
    `ROW_COUNT = ${pythonBlock(countRows(flow))}`,
    `LAST_PASSED = ${pythonBlock(lastPassed(flow))}`,
    "",
    ...(hasChecks ? [] : ["failures, warnings = [], []"]),
    "spark.sql(CREATE_QUALITY)",
    "row_count = spark.sql(ROW_COUNT).first().row_count",
    "last = spark.sql(LAST_PASSED).first()",
    "# A small table can double easily.",
    "if allowed is not None and last and abs(row_count - last.row_count) > 100:",
    "    fewest = last.row_count * (1 - allowed)",
    '    most = last.row_count / (1 - allowed) if allowed < 1 else float("inf")',
    "    if not fewest <= row_count <= most:",
    `        ${flow.checkSeverity === "fail" ? "failures" : "warnings"}.append(`,
    '            f"There are {row_count} rows after {last.row_count}, where {fewest:.0f} to {most:.0f} are allowed."',
    '            " If this is expected, run this once with a greater max_row_count_drift."',
    "        )",
  ].join("\n");

const resultCode = ({ target }: ConsumptionFlow) =>
  [
    "result = spark.range(1).select(",
    '    F.current_timestamp().alias("run_at"),',
    '    F.lit(row_count).cast("bigint").alias("row_count"),',
    '    F.lit(not failures + warnings).alias("passed"),',
    '    F.lit("\\n".join(failures + warnings) or None).cast("string").alias("failures"),',
    ")",
    `result.write.format("delta").mode("append").saveAsTable(${pythonString(sqlName(qualityTable(target)))})`,
    "for warning in warnings:",
    '    print(f"Warning: {warning}")',
    "if failures:",
    `    raise ValueError("\\n".join([${pythonString(`${plainName(target)} did not pass its checks:`)}, *failures]))`,
    'outcome = f"{len(warnings)} checks failed" if warnings else "all checks passed"',
    `print(${pythonString(`${plainName(target)}: `)} + f"{row_count} rows, {outcome}")`,
  ].join("\n");
