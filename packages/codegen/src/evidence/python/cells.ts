export interface PythonCell {
  readonly code: string;
  /** Where the code begins in the notebook. */
  readonly at: number;
}

export const notebookHeader = "# Databricks notebook source\n";

const separator = /^# COMMAND -{10}.*$/gm;

/**
 * The cells as Databricks splits them: at every separator line, even inside a string or a bracket. Each cell runs by
 * itself, so each must be valid Python by itself.
 */
export function cellsOf(content: string): PythonCell[] {
  const cells: PythonCell[] = [];
  let at = 0;
  for (const { index, 0: line } of content.matchAll(separator)) {
    cells.push({ code: content.slice(at, index), at });
    at = index + line.length;
  }
  cells.push({ code: content.slice(at), at });
  return cells;
}

/** Installs packages with pinned versions. */
const install = /^# MAGIC %pip install --quiet(?: [A-Za-z0-9._-]+(?:\[[a-z,]+\])?==[\w.]+)+$/;

/** Finds comments that Databricks would execute, such as `# MAGIC %sh`. Only Markdown and packages are allowed. */
export function magicProblem(cell: PythonCell): { at: number; message: string } | undefined {
  const first = /^# MAGIC.*$/m.exec(cell.code);
  if (!first) return undefined;
  const lines = cell.code.split("\n").filter((line) => !/^\s*$|^# DBTITLE|^# Databricks notebook/.test(line));
  if (/^# MAGIC %md\b/.test(lines[0] ?? "") && lines.every((line) => /^# MAGIC(?! %(?!md\b))/.test(line)))
    return undefined;
  if (lines.length === 1 && install.test(lines[0] ?? "")) return undefined;
  return {
    at: cell.at + first.index,
    message:
      "Databricks would run this comment: MAGIC lines are allowed only in cells of Markdown, or to install packages with their versions.",
  };
}
