import { counted } from "@lakehelm/contract/text";
import { readSqlFile } from "@lakehelm/sql";
import type { Artifact } from "../artifact.ts";
import { describeLocation } from "./check-result.ts";
import { sparkStatements, stringsIn } from "./python/spark-sql.ts";
import type { PythonNode } from "./python/syntax-tree.ts";

/** The problem of a statement in the Databricks dialect, if it has one. */
export type CheckStatement = (statement: string) => string | undefined;

interface StatementResult {
  readonly problems: readonly string[];
  /** How many statements were read. */
  readonly count: number;
}

/** Rejects declared statements of other files, because nothing can compare them with the content. */
export const misplacedStatements = ({ statements = [] }: Artifact): string[] =>
  statements.length > 0 ? ["It declares statements, but only SQL files and notebooks have any."] : [];

/** Checks that the statements of a SQL file parse, and that they are the declared ones, in order. */
export function sqlFileStatements(
  { content, statements: declared = [] }: Artifact,
  check: CheckStatement,
): StatementResult {
  const { statements, problems: found } = readSqlFile(content);
  const problems = found.map(({ at, message }) => `${describeLocation(content, at)}: ${message}`);
  for (const { text, at } of statements) {
    const problem = check(text);
    if (problem !== undefined) problems.push(`The statement at ${describeLocation(content, at)}: ${problem}`);
  }
  const differs = statements.findIndex(({ text }, at) => text !== declared[at]);
  if (differs >= 0 || statements.length !== declared.length) {
    problems.push(
      `The file has ${counted(statements.length, "statement")} and declares ${declared.length}` +
        (differs < 0 ? "." : `; statement ${differs + 1} differs.`),
    );
  }
  return { problems, count: statements.length };
}

/**
 * Checks that the declared statements of a notebook parse and are in it, and that each statement that it passes to
 * Spark is declared.
 */
export function notebookStatements(
  { content, statements: declared = [], variables = {} }: Artifact,
  nodes: readonly PythonNode[],
  check: CheckStatement,
): StatementResult {
  const problems: string[] = [];
  const strings = stringsIn(nodes, content, variables);
  for (const [at, statement] of declared.entries()) {
    const problem = check(statement);
    if (problem !== undefined) problems.push(`Statement ${at + 1}: ${problem}`);
    if (!strings.has(statement))
      problems.push(`Statement ${at + 1} is declared, but the notebook has no such string.`);
  }
  const known = new Set(declared);
  const undeclared = sparkStatements(nodes, content, variables).filter(({ text }) => !known.has(text));
  for (const { text, at, template } of undeclared) {
    const problem = template ? check(text) : "It is passed to Spark, but not declared.";
    if (problem !== undefined) problems.push(`The statement at ${describeLocation(content, at)}: ${problem}`);
  }
  return { problems, count: declared.length + undeclared.length };
}
