import { createHash } from "node:crypto";
import type { SqlParser } from "@lakehelm/sql";
import { statementProblem } from "@lakehelm/sql";
import type { Artifact, RequiredSecret } from "../artifact.ts";
import { contentHash } from "../content-hash.ts";
import { type CheckResult, checkResult, countOf } from "./check-result.ts";
import { jsonProblems } from "./json-file.ts";
import { pathProblems } from "./paths.ts";
import { plainTextProblems } from "./plain-text.ts";
import { checkNotebook } from "./python/notebook-check.ts";
import { referenceProblems } from "./references.ts";
import { scheduleProblems } from "./schedule.ts";
import {
  type CheckStatement,
  misplacedStatements,
  notebookStatements,
  sqlFileStatements,
} from "./statements.ts";
import { checkedCount, masked, secretProblems, spellings, textsOf } from "./withheld-values.ts";
import { type Bundle, type BundlePart, readBundle } from "./yaml/bundle.ts";
import { bundlePartProblems } from "./yaml/bundle-rules.ts";

/** The checks that an artifact passed, for the artifact's metadata. */
export interface Proof {
  readonly about: string;
  /** The hash of the content in UTF-8, hexadecimal. */
  readonly sha256: string;
  readonly checks: readonly { readonly check: string; readonly detail: string }[];
  /** The secrets that must be created. */
  readonly secrets?: readonly RequiredSecret[];
  /** Which alternative the code uses, and why. */
  readonly choices?: readonly string[];
  /** The hash over all artifacts of the set. */
  readonly design_content_hash: string;
}

interface ProofResult {
  /** The checks that each artifact passed, in the order of the artifacts. */
  readonly proofs: readonly Proof[];
  /** Every failed check, as a sentence with path and location. If there is any, no artifact may be returned. */
  readonly failures: readonly string[];
}

/**
 * Checks each artifact of a set, and the set as a whole.
 *
 * @param withheld secret values, which no artifact may contain.
 */
export function proveArtifacts(
  artifacts: readonly Artifact[],
  parser: SqlParser,
  withheld: readonly string[] = [],
): ProofResult {
  const failures: string[] = [];
  const set: ProofContext = {
    bundle: readBundle(artifacts),
    byPath: new Map(artifacts.map((artifact) => [artifact.path, artifact])),
    statementProblem: cached((statement) => statementProblem(parser, statement)),
    searched: spellings(withheld),
    withheld: checkedCount(withheld),
  };
  const design_content_hash = contentHash(artifacts);
  const paths = pathProblems(artifacts);
  const proofs = artifacts.map((artifact, at): Proof => {
    const path = checkResult(
      paths[at] ?? [],
      () => "Stays in its folder, and is valid on every operating system.",
    );
    const checks: { check: string; detail: string }[] = [];
    for (const [check, found] of [["path", path] as const, ...findings(artifact, set)]) {
      if ("detail" in found) checks.push({ check, detail: found.detail });
      else
        for (const problem of found.problems)
          failures.push(masked(`${artifact.path}: ${problem}`, set.searched));
    }
    const { about, content, secrets = [], choices = [] } = artifact;
    checks.push(...(artifact.remarks ?? []));
    const sha256 = createHash("sha256").update(content, "utf8").digest("hex");
    return {
      ...{ about, sha256, checks },
      ...(secrets.length > 0 && { secrets }),
      ...(choices.length > 0 && { choices }),
      design_content_hash,
    };
  });
  return { proofs, failures };
}

/** The parts of the set that the check of one artifact needs. */
interface ProofContext {
  readonly bundle: Bundle;
  readonly byPath: ReadonlyMap<string, Artifact>;
  readonly statementProblem: CheckStatement;
  readonly searched: readonly string[];
  /** The number of secret values in the search. */
  readonly withheld: number;
}

function findings(artifact: Artifact, set: ProofContext): [string, CheckResult][] {
  const { content, fileType, schedule } = artifact;
  const found: [string, CheckResult][] = [
    ["text", checkResult(plainTextProblems(content), () => "UTF-8, and every line ends with a line feed.")],
  ];
  const read: { nodes?: ReturnType<typeof checkNotebook>["nodes"]; value?: unknown } = {};
  const part = set.bundle.parts.find(({ path }) => path === artifact.path);
  if (fileType === "python") {
    const { problems, nodes, cells } = checkNotebook(content);
    read.nodes = nodes;
    const detail = () =>
      `Each of ${countOf(cells, "cell")} is Python without a syntax error, and every name in it is defined.`;
    found.push(["python", checkResult(problems, detail)]);
    found.push(...statementFinding(notebookStatements(artifact, nodes, set.statementProblem)));
  }
  if (fileType === "sql") found.push(...statementFinding(sqlFileStatements(artifact, set.statementProblem)));
  if (fileType === "yaml" || fileType === "json") {
    found.push(...statementFinding({ problems: misplacedStatements(artifact), count: 0 }));
  }
  if (part) {
    read.value = part.value;
    found.push(...yamlFindings(part, set));
  }
  if (fileType === "json") {
    const problems = jsonProblems(content);
    if (problems.length === 0) read.value = JSON.parse(content);
    found.push(["json", checkResult(problems, () => "Valid JSON in canonical form.")]);
  }
  const problems = scheduleProblems(artifact, part);
  if (schedule || problems.length > 0) {
    const { cron, quartz, timezone } = schedule ?? {};
    const detail = () =>
      `"${cron}" and "${quartz}" (${timezone}) fire at the same times, compared over the next 50 firings.`;
    found.push(["schedule", checkResult(problems, detail)]);
  }
  if (set.searched.length > 0) {
    const detail = () => `Searched for ${countOf(set.withheld, "withheld value")}: none found.`;
    found.push(["secrets", checkResult(secretProblems(textsOf(artifact, read), set.searched), detail)]);
  }
  return found;
}

function statementFinding({
  problems,
  count,
}: {
  problems: readonly string[];
  count: number;
}): [string, CheckResult][] {
  const detail = () => `${countOf(count, "statement")} parsed in the Databricks dialect.`;
  return count > 0 || problems.length > 0 ? [["sql", checkResult(problems, detail)]] : [];
}

function yamlFindings(part: BundlePart, { bundle, byPath }: ProofContext): [string, CheckResult][] {
  if (part.problems.length > 0) return [["yaml", { problems: part.problems }]];
  const { problems, count } = referenceProblems(part, bundle, byPath);
  return [
    [
      "yaml",
      checkResult(
        bundlePartProblems(part, bundle),
        () => "Valid YAML that matches the bundle schema and can be deployed.",
      ),
    ],
    [
      "references",
      checkResult(problems, () => `${countOf(count, "path")} resolved to artifacts of this set.`),
    ],
  ];
}

/** A statement is often both in a file and in a notebook, so each statement is parsed once. */
function cached(statementProblem: CheckStatement): CheckStatement {
  const known = new Map<string, string | undefined>();
  return (statement) => {
    if (!known.has(statement)) known.set(statement, statementProblem(statement));
    return known.get(statement);
  };
}
