import { field, readConfig } from "@lakehelm/contract/connections";
import { hidden, shown, trimEnd } from "@lakehelm/contract/text";
import { fileSlug } from "@lakehelm/sql/names";
import { pythonConfig } from "../../connector/secret-references.ts";
import { featuresOf, type IngestionContext, type SourceKind } from "../source-kind.ts";
import {
  autoLoaderCell,
  type CheckpointFolder,
  checkpointOf,
  streamOptions,
  volumePath,
} from "./auto-loader-code.ts";
import { readColumnTypes } from "./column-types.ts";
import { type FileFormat, fileFormats } from "./file-format.ts";
import { fileReadCode } from "./file-read-code.ts";
import { fileWriteCode } from "./file-write-code.ts";
import { isCloudPath, loaderOf } from "./loader.ts";

/** Options that the connector sets from other fields. */
const reservedOptions = [
  "path",
  "schema",
  "cloudFiles.format",
  "cloudFiles.schemaLocation",
  "cloudFiles.schemaHints",
  "cloudFiles.inferColumnTypes",
];

const fileFields = {
  path: field.plainText().refine(pathProblem),
  format: field.oneOf(...fileFormats),
  /** Where Auto Loader stores its checkpoints, instead of in a volume of the connector. */
  checkpoint_path: field
    .plainText()
    .refine(
      (path) =>
        pathProblem(path) ??
        (isCloudPath(path) ? undefined : `${shown(path)} is not in cloud storage or a volume`),
    )
    .optional(),
  options: field.options().refine((options) => {
    const names = lowerNames(options);
    const reserved = reservedOptions.filter((name) => names.has(name.toLowerCase()));
    return reserved.length > 0 ? `the connector sets ${reserved.join(" and ")} itself` : undefined;
  }),
};

export const filesSource: SourceKind = (config, tables, context) => {
  const { values, problems } = readConfig(fileFields, config, "connection.config", ["columns"]);
  const { format } = values;
  const path = values.path.replace(/(?<=[^/:])\/+$/, "");
  const { infersTypes, given } = readerOptions(values.options);
  const { types, problems: typeProblems } = readColumnTypes(config.columns, tables);
  problems.push(...typeProblems);
  const declared = types.some((columns) => Object.keys(columns).length > 0);
  if (declared && format !== "csv" && format !== "json") {
    problems.push(`connection.config.columns: files of the format ${format} declare their types themselves.`);
  }

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

  const { strategies } = featuresOf(tables);
  const { autoLoader, choices } = loaderOf(path, strategies, context.runtime);
  const folder = checkpointFolder(values.checkpoint_path, context);
  if (autoLoader && folder.volume && withoutVolumes.includes(context.catalog.toLowerCase())) {
    problems.push(
      `connection.config.checkpoint_path: it is required, because the catalog ${shown(context.catalog)} has no volumes.`,
    );
  }
  const batched = autoLoader ? tables.filter(({ strategy }) => strategy === "replace") : tables;
  const options = withUsualOptions(withoutStreamOptions(given), {
    ...usualOptions[format].read,
    ...usualOptions[format].strict,
  });
  const batch = batched.length > 0 && {
    title: "Files",
    code: `OPTIONS = ${pythonConfig(options)}\n\n\n${fileReadCode(batched, format, options, { declared, inferred: infersTypes })}`,
  };
  const stream = autoLoader
    ? autoLoaderCell(
        tables,
        withUsualOptions(given, { ...streamOptions(format, infersTypes), ...usualOptions[format].read }),
        folder,
        batched.length === 0,
      )
    : undefined;
  const writer = fileWriteCode(tables, format, context, autoLoader);
  return {
    imports: [
      ...(batch ? ["import re", ...(format === "csv" || format === "avro" ? ["import functools"] : [])] : []),
      ...(stream && folder.volume ? ["import os"] : []),
    ],
    datasets,
    entries: tables.map((table, at) => ({
      ...((declared || autoLoader) && { types: types[at] }),
      ...(autoLoader && {
        checkpoint:
          table.strategy === "replace" ? null : checkpointOf(folder, table, datasets[at] ?? "", format),
      }),
    })),
    folder: path,
    problems,
    choices,
    statements: [...(stream?.statements ?? []), ...writer.statements],
    cells: [...writer.thisRun, ...(batch ? [batch] : []), ...(stream ? [stream.cell] : []), ...writer.cells],
  };
};

/** Catalogs outside Unity Catalog, which have no volumes. */
const withoutVolumes = ["hive_metastore", "spark_catalog"];

const checkpointFolder = (
  path: string | undefined,
  { connector, checkpoints }: IngestionContext,
): CheckpointFolder =>
  path === undefined
    ? { path: volumePath(checkpoints), volume: checkpoints }
    : { path: `${trimEnd(path, /\//)}/${fileSlug(connector)}`, volume: null };

/** Removes `inferSchema`, which is an option for CSV, where the notebook itself infers types. */
function readerOptions(options: Readonly<Record<string, string>>) {
  const entries = Object.entries(options);
  const isInference = (name: string) => name.toLowerCase() === "inferschema";
  return {
    infersTypes: !entries.some(([name, value]) => isInference(name) && value.toLowerCase() === "false"),
    given: Object.fromEntries(entries.filter(([name]) => !isInference(name))),
  };
}

const withoutStreamOptions = (options: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !/^cloudfiles\./i.test(name)));

/** Adds the default options. The caller's options override them; names are compared without regard to case. */
function withUsualOptions(
  given: Readonly<Record<string, string>>,
  usual: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = lowerNames(given);
  const kept = Object.entries(usual).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...given };
}

const lowerNames = (options: object) => new Set(Object.keys(options).map((name) => name.toLowerCase()));

/**
 * `strict` makes a bad line or a damaged file an error instead of a row of nulls. Auto Loader does not use it: it
 * rescues the lines.
 */
const usualOptions: Readonly<
  Record<FileFormat, Readonly<Record<"read" | "strict", Readonly<Record<string, string>>>>>
> = {
  csv: {
    // Spark escapes quotes with a backslash by default; most writers double them.
    read: { header: "true", escape: '"', multiLine: "true" },
    strict: { enforceSchema: "false", mode: "FAILFAST", ignoreCorruptFiles: "false" },
  },
  json: { read: {}, strict: { dropFieldIfAllNull: "true", mode: "FAILFAST", ignoreCorruptFiles: "false" } },
  parquet: { read: {}, strict: { mergeSchema: "true", ignoreCorruptFiles: "false" } },
  avro: { read: {}, strict: { ignoreCorruptFiles: "false" } },
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

/** Whether a path contains `..`, also in the alternatives of a pattern: `{../a,b}`. */
const leaves = (path: string) => /(^|[/{,])\.\.($|[/},])/.test(path);
