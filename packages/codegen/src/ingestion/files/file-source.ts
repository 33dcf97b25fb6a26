import { field, readConfig } from "@lakehelm/contract/connections";
import { hidden, shown, trimEnd } from "@lakehelm/contract/text";
import { pythonConfig } from "../../connector/secret-references.ts";
import type { SourceKind } from "../source-kind.ts";
import { type FileFormat, fileFormats } from "./file-format.ts";
import { fileReadCode } from "./file-read-code.ts";
import { fileWriteCode } from "./file-write-code.ts";

const fileFields = {
  path: field.plainText().refine(pathProblem),
  format: field.oneOf(...fileFormats),
  options: field.options().refine((options) => {
    const names = lowerNames(options);
    const reserved = ["path", "schema"].filter((name) => names.has(name));
    return reserved.length > 0 ? `the connector sets ${reserved.join(" and ")} itself` : undefined;
  }),
};

export const filesSource: SourceKind = (config, tables, context) => {
  const { values, problems } = readConfig(fileFields, config, "connection.config");
  const { format } = values;
  const path = values.path.replace(/(?<=[^/:])\/+$/, "");
  const options = withUsualOptions(values.options, format);

  const datasets = tables.map(({ source, field, strategy, watermark }) => {
    const problem = datasetProblem(source);
    if (problem) problems.push(`${field}: the source_dataset ${shown(source)} cannot be used: ${problem}`);
    if (strategy === "append" && watermark !== null) {
      problems.push(
        `${field}: files are tracked one by one, so append needs no watermark_column. Leave it out.`,
      );
    }
    return source === "." ? path : `${path}/${trimEnd(source, /\//)}`;
  });

  const writer = fileWriteCode(tables, format, context);
  return {
    imports: ["import re", ...(format === "csv" || format === "avro" ? ["import functools"] : [])],
    datasets,
    folder: path,
    problems,
    statements: writer.statements,
    cells: [
      {
        title: "Files",
        code: `OPTIONS = ${pythonConfig(options)}\n\n\n${fileReadCode(tables, format, options)}`,
      },
      ...writer.cells,
    ],
  };
};

/** Options for a strict reader. The caller's options override them, in any case. */
function withUsualOptions(
  given: Readonly<Record<string, string>>,
  format: FileFormat,
): Readonly<Record<string, string>> {
  const names = lowerNames(given);
  const usual = Object.entries(usualOptions[format]).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(usual), ...given };
}

const lowerNames = (options: object) => new Set(Object.keys(options).map((name) => name.toLowerCase()));

const usualOptions: Readonly<Record<FileFormat, Readonly<Record<string, string>>>> = {
  // Spark escapes with a backslash by default; most writers double quotes. A bad line is an error, not a row of nulls.
  csv: { header: "true", escape: '"', multiLine: "true", enforceSchema: "false", mode: "FAILFAST" },
  json: { dropFieldIfAllNull: "true", mode: "FAILFAST" },
  parquet: { mergeSchema: "true" },
  avro: {},
};

function pathProblem(path: string): string | undefined {
  if (/[[\]{}*?\\]/.test(path))
    return `${shown(path)} is a pattern. Expected a folder; a source_dataset may be a pattern`;
  return leaves(path) ? `${shown(path)} contains ".."` : undefined;
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
