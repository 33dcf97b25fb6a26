import { createHash } from "node:crypto";
import type { SqlParser } from "@lakehelm/sql";
import { statementProblem } from "@lakehelm/sql";
import type { Artifact, SecretReference } from "../artifact.ts";
import { contentHash } from "../content-hash.ts";
import { type CheckResult, checkResult, countOf } from "./check-result.ts";
import { jsonProblems } from "./json-file.ts";
import { pathProblems } from "./paths.ts";
import { plainTextProblems } from "./plain-text.ts";
import { checkNotebook } from "./python/notebook-check.ts";
import { referenceProblems } from "./references.ts";
import { scheduleProblems } from "./schedule.ts";
import {
  misplacedStatements,
  notebookStatements,
  type StatementCheck,
  sqlFileStatements,
} from "./statements.ts";
import { checkedCount, masked, secretProblems, spellings, textsOf } from "./withheld-values.ts";
import { type Bundle, type BundlePart, readBundle } from "./yaml/bundle.ts";
import { bundlePartProblems } from "./yaml/bundle-rules.ts";

/** The checks that an artifact passed. It becomes the artifact's metadata. */
export interface Proof {
  readonly about: string;
  /** Of the content in UTF-8, in hex. */
  readonly sha256: string;
  readonly checks: readonly { readonly check: string; readonly detail: string }[];
  /** The secrets that must be created. */
  readonly secrets?: readonly SecretReference[];
  /** One over all artifacts of the set. */
  readonly design_content_hash: string;
}

interface ProofResult {
  /** One for each artifact, in their order, with the checks that it passed. */
  readonly proofs: readonly Proof[];
  /** Every check that failed, as a sentence with path and place. Where there is one, nothing may be handed out. */
  readonly failures: readonly string[];
}

/**
 * Checks a set of artifacts, each by itself and all together.
 *
 * @param withheld values of secrets, none of which may be in an artifact.
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
    looked: spellings(withheld),
    withheld: checkedCount(withheld),
  };
  const design_content_hash = contentHash(artifacts);
  const paths = pathProblems(artifacts);
  const proofs = artifacts.map((artifact, at): Proof => {
    const path = checkResult(
      paths[at] ?? [],
      () => "Stays in its folder, and is a file name on every system.",
    );
    const checks: { check: string; detail: string }[] = [];
    for (const [check, found] of [["path", path] as const, ...findings(artifact, set)]) {
      if ("detail" in found) checks.push({ check, detail: found.detail });
      else
        for (const problem of found.problems)
          failures.push(masked(`${artifact.path}: ${problem}`, set.looked));
    }
    const { about, content, secrets = [] } = artifact;
    const sha256 = createHash("sha256").update(content, "utf8").digest("hex");
    return { about, sha256, checks, ...(secrets.length > 0 && { secrets }), design_content_hash };
  });
  return { proofs, failures };
}

/** What a check of one artifact needs of the others. */
interface ProofContext {
  readonly bundle: Bundle;
  readonly byPath: ReadonlyMap<string, Artifact>;
  readonly statementProblem: StatementCheck;
  readonly looked: readonly string[];
  /** How many values are looked for. */
  readonly withheld: number;
}

function findings(artifact: Artifact, set: ProofContext): [string, CheckResult][] {
  const { content, fileType, schedule } = artifact;
  const found: [string, CheckResult][] = [
    ["text", checkResult(plainTextProblems(content), () => "UTF-8, and every line ends with a line feed.")],
  ];
  const read: { parts?: ReturnType<typeof checkNotebook>["parts"]; value?: unknown } = {};
  const part = set.bundle.parts.find(({ path }) => path === artifact.path);
  if (fileType === "python") {
    const { problems, parts, cells } = checkNotebook(content);
    read.parts = parts;
    const detail = () =>
      `Each of ${countOf(cells, "cell")} is Python without a syntax error, and every name in it is defined.`;
    found.push(["python", checkResult(problems, detail)]);
    found.push(...statementFinding(notebookStatements(artifact, parts, set.statementProblem)));
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
    found.push(["json", checkResult(problems, () => "Parses, and is written as its value is.")]);
  }
  const problems = scheduleProblems(artifact, part);
  if (schedule || problems.length > 0) {
    const { cron, quartz, timezone } = schedule ?? {};
    const detail = () =>
      `"${cron}" and "${quartz}" (${timezone}) fire alike, compared over the next 50 firings.`;
    found.push(["schedule", checkResult(problems, detail)]);
  }
  if (set.looked.length > 0) {
    const detail = () => `None of ${countOf(set.withheld, "withheld value")} is in it.`;
    found.push(["secrets", checkResult(secretProblems(textsOf(artifact, read), set.looked), detail)]);
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
        () => "Parses, fits the schema of bundles, and means what can run.",
      ),
    ],
    [
      "references",
      checkResult(problems, () => `${countOf(count, "path")} resolved to artifacts of this set.`),
    ],
  ];
}

/** A statement is often in a file and in a notebook, so each is parsed once. */
function cached(statementProblem: StatementCheck): StatementCheck {
  const known = new Map<string, string | undefined>();
  return (statement) => {
    if (!known.has(statement)) known.set(statement, statementProblem(statement));
    return known.get(statement);
  };
}
