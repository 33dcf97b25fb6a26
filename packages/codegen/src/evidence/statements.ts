import { readSqlFile } from "@lakehelm/sql";
import type { Artifact } from "../artifact.ts";
import { describeLocation } from "./check-result.ts";
import { sparkStatements, stringsIn } from "./python/spark-sql.ts";
import type { PythonNode } from "./python/syntax-tree.ts";

/** Says in a sentence why a statement is not sound in the Databricks dialect. */
export type StatementCheck = (statement: string) => string | undefined;

interface StatementResult {
  readonly problems: readonly string[];
  /** How many statements were read. */
  readonly count: number;
}

/** Nobody would compare what other files claim with what they say. */
export const misplacedStatements = ({ statements = [] }: Artifact): string[] =>
  statements.length > 0 ? ["It claims statements, but only SQL files and notebooks have any."] : [];

/** The statements of a SQL file parse, and are those that the artifact claims, in their order. */
export function sqlFileStatements(
  { content, statements: claimed = [] }: Artifact,
  parses: StatementCheck,
): StatementResult {
  const { statements, problems: found } = readSqlFile(content);
  const problems = found.map(({ at, message }) => `${describeLocation(content, at)}: ${message}`);
  for (const { text, at } of statements) {
    const problem = parses(text);
    if (problem !== undefined) problems.push(`The statement at ${describeLocation(content, at)}: ${problem}`);
  }
  const differs = statements.findIndex(({ text }, at) => text !== claimed[at]);
  if (differs >= 0 || statements.length !== claimed.length) {
    problems.push(
      `The file has ${statements.length} statements and claims ${claimed.length}` +
        (differs < 0 ? "." : `; number ${differs + 1} is another one.`),
    );
  }
  return { problems, count: statements.length };
}

/** The statements that a notebook claims parse and are in it; what it visibly hands to Spark is claimed. */
export function notebookStatements(
  { content, statements: claimed = [] }: Artifact,
  parts: readonly PythonNode[],
  parses: StatementCheck,
): StatementResult {
  const problems: string[] = [];
  const strings = stringsIn(parts, content);
  for (const [at, statement] of claimed.entries()) {
    const problem = parses(statement);
    if (problem !== undefined) problems.push(`Statement ${at + 1}: ${problem}`);
    if (!strings.has(statement))
      problems.push(`Statement ${at + 1} is claimed, but no string of the notebook is it.`);
  }
  const known = new Set(claimed);
  const handed = sparkStatements(parts, content).filter(({ text }) => !known.has(text));
  for (const { text, at, template } of handed) {
    const problem = template ? parses(text) : "It is handed to Spark, but not claimed.";
    if (problem !== undefined) problems.push(`The statement at ${describeLocation(content, at)}: ${problem}`);
  }
  return { problems, count: claimed.length + handed.length };
}
