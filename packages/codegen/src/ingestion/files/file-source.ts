import type { ConfigReader } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { pythonConfig } from "../../connector/secret-references.ts";
import type { SourceKind } from "../source-kind.ts";
import { fileReadingCode } from "./file-read-code.ts";
import { fileWriting } from "./file-write-code.ts";

const fileFormats = ["csv", "json", "parquet", "avro"] as const;
export type FileFormat = (typeof fileFormats)[number];

export const filesSource: SourceKind = (config, tables, around) => {
  const path = (config.plain("path") ?? "").replace(/(?<=[^/:])\/+$/, "");
  const problem = pathProblem(path);
  if (problem) config.problems.push(`connection.config.path: ${problem}`);
  const format = formatOf(config);
  const options = readerOptions(format, config);
  config.refuseMisspelt(["path", "format", "options"]);

  const datasets = tables.map(({ source, place, strategy, watermark }) => {
    const problem = datasetProblem(source);
    if (problem)
      config.problems.push(`${place}: the source_dataset ${shown(source)} cannot be used: ${problem}`);
    if (strategy === "append" && watermark !== null) {
      config.problems.push(
        `${place}: files are read file by file, so that append needs no watermark_column. Leave it out.`,
      );
    }
    return source === "." ? path : `${path}/${source.replace(/\/+$/, "")}`;
  });

  const writing = fileWriting(tables, format, around);
  return {
    imports: ["import re", ...(format === "csv" || format === "avro" ? ["import functools"] : [])],
    datasets,
    folder: path,
    problems: config.problems,
    statements: writing.statements,
    cells: [
      {
        title: "Files",
        code: `OPTIONS = ${pythonConfig(options)}\n\n\n${fileReadingCode(tables, format, options)}`,
      },
      ...writing.cells,
    ],
  };
};

function formatOf(config: ConfigReader): FileFormat {
  const format = config.choice("format", fileFormats);
  if (format === undefined && config.text("format") === undefined) {
    config.problems.push(`connection.config.format: it is required: one of ${fileFormats.join(", ")}.`);
  }
  return format ?? "csv";
}

/** What a careful reader sets; the caller's options win, whatever their case. */
function readerOptions(format: FileFormat, config: ConfigReader): Readonly<Record<string, string>> {
  const given = config.options("options");
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  for (const name of ["path", "schema"].filter((name) => names.has(name))) {
    config.problems.push(`connection.config.options.${name}: it cannot be set here, the connector sets it.`);
  }
  const usual = Object.entries(usualOptions[format]).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(usual), ...given };
}

const usualOptions: Readonly<Record<FileFormat, Readonly<Record<string, string>>>> = {
  // Spark's own escape is the backslash; everybody else doubles quotes. A bad line is an error, not a row of nulls.
  csv: { header: "true", escape: '"', multiLine: "true", enforceSchema: "false", mode: "FAILFAST" },
  json: { dropFieldIfAllNull: "true", mode: "FAILFAST" },
  parquet: { mergeSchema: "true" },
  avro: {},
};

function pathProblem(path: string): string | undefined {
  if (path === "") return "it is required: the folder that the datasets are in.";
  if (/[[\]{}*?\\]/.test(path))
    return `${shown(path)} is a pattern. Expected a folder; a source_dataset may be a pattern.`;
  return leaves(path) ? `${shown(path)} contains "..".` : undefined;
}

function datasetProblem(dataset: string): string | undefined {
  if (dataset === "" || hidden.test(dataset))
    return 'expected a sub-folder, a file or a pattern, or "." for the folder.';
  if (dataset.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(dataset))
    return "it must be below connection.config.path.";
  if (dataset.includes("\\")) return "it contains a backslash.";
  return leaves(dataset) ? 'it contains "..", which leaves connection.config.path.' : undefined;
}

/** Also inside the alternatives of a pattern: `{../a,b}`. */
const leaves = (path: string) => /(^|[/{,])\.\.($|[/},])/.test(path);
