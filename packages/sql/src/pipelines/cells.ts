import type { Diagnostic } from "../lexer/token.ts";

/** A part of a file with its own statements. */
export interface NotebookCell {
  readonly text: string;
  readonly at: number;
}

const header = /^-- Databricks notebook source[ \t]*(?:\r?\n|$)/;
const separator = /^-- COMMAND -{10}.*$/gm;
const magic = /^-- MAGIC[ \t]*(%\w*)?/m;

/** The SQL of a source: the whole file, or the SQL cells of a notebook in source format. */
export function cellsOf(text: string): {
  readonly cells: readonly NotebookCell[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const first = header.exec(text);
  if (!first) return { cells: [{ text, at: 0 }], diagnostics: [] };
  const cells: NotebookCell[] = [];
  const diagnostics: Diagnostic[] = [];
  const add = (from: number, to: number): void => {
    const code = text.slice(from, to);
    const language = languageOf(code);
    if (language === "sql") cells.push({ text: code, at: from });
    else if (language !== "%md") {
      const at = from + (magic.exec(code)?.index ?? 0);
      diagnostics.push({ at, message: languageProblem(language) });
    }
  };
  let from = first[0].length;
  for (const { index, 0: line } of text.matchAll(separator)) {
    add(from, index);
    from = index + line.length;
  }
  add(from, text.length);
  return { cells, diagnostics };
}

/** The language of a cell, from its first line that is not empty. */
function languageOf(code: string): string {
  const line = code.split("\n").find((one) => one.trim() !== "" && !one.startsWith("-- DBTITLE"));
  return line?.startsWith("-- MAGIC") ? (magic.exec(line)?.[1] ?? "%").toLowerCase() : "sql";
}

function languageProblem(language: string): string {
  if (language === "%sql")
    return "the notebook is SQL already: remove %sql and the MAGIC prefix of each line.";
  if (language === "%") return "this MAGIC line names no language.";
  return `a ${language} cell needs Databricks: this platform runs SQL only, the platform databricks runs it.`;
}
