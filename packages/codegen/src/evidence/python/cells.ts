export interface PythonCell {
  readonly code: string;
  /** Where the code begins in the notebook. */
  readonly at: number;
}

export const notebookHeader = "# Databricks notebook source\n";

const separator = /^# COMMAND -{10}.*$/gm;

/**
 * The cells as Databricks splits them: wherever a separating line stands, be it inside a string or a bracket. Each
 * is run by itself, so each must be Python by itself; a separator inside anything shows as two halves.
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

/** Lines that Databricks does not take for comments. Only text may be in them: `%sh` and the like would run. */
export function magicProblem(cell: PythonCell): { at: number; message: string } | undefined {
  const first = /^# MAGIC.*$/m.exec(cell.code);
  if (!first) return undefined;
  const lines = cell.code.split("\n").filter((line) => !/^\s*$|^# DBTITLE|^# Databricks notebook/.test(line));
  if (/^# MAGIC %md\b/.test(lines[0] ?? "") && lines.every((line) => /^# MAGIC(?! %(?!md\b))/.test(line)))
    return undefined;
  return {
    at: cell.at + first.index,
    message:
      "Databricks would run this comment: a MAGIC line stands outside of a cell that is nothing but text.",
  };
}
