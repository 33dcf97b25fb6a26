import { type DeclaredColumns, readDeclaredColumns } from "@lakehelm/contract/column-types";
import type { Config } from "@lakehelm/contract/connections";
import { field, storageFields, unknownKeysWarning } from "@lakehelm/contract/connections";
import { storageKeys } from "../../s3/settings.ts";
import { readSourceSettings } from "../../settings.ts";
import { timePattern } from "./time-patterns.ts";

const formats = ["csv", "json", "parquet"] as const;
export type ReadableFormat = (typeof formats)[number];

/** The CSV dialect. Patterns are those of DuckDB's strptime. */
export interface CsvDialect {
  readonly header: boolean;
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly comment: string;
  readonly encoding: "utf-8" | "latin-1" | "utf-16";
  readonly nullValue: string;
  readonly dateFormat: string | undefined;
  readonly timestampFormat: string | undefined;
  /** Whether numbers and times are inferred. Otherwise all columns are text. */
  readonly inferTypes: boolean;
}

export interface FilesSettings extends CsvDialect {
  /** What the owner of the connection should know about it. */
  readonly warnings: readonly string[];
  /** The declared types of columns. */
  readonly declared: DeclaredColumns;
  readonly path: string;
  readonly format: ReadableFormat;
  /** `pathGlobFilter`: a glob pattern for file names. */
  readonly namePattern: string | undefined;
}

/** Other names for the options of Spark's reader, which generated code uses. */
const aliases: Readonly<Record<string, string>> = {
  delimiter: "sep",
  delim: "sep",
  charset: "encoding",
  null_value: "nullvalue",
  nullstr: "nullvalue",
  date_format: "dateformat",
  timestamp_format: "timestampformat",
};
const csvOptions = [
  "header",
  "sep",
  "quote",
  "escape",
  "comment",
  "encoding",
  "nullvalue",
  "dateformat",
  "timestampformat",
];
export const supportedOptions = [...csvOptions, "inferschema", "pathglobfilter"];

/** Spark options for behavior that is always on here: multi-line values, columns by name, no silent loss. */
const impliedOptions = [
  "multiline",
  "mode",
  "enforceschema",
  "mergeschema",
  "dropfieldifallnull",
  "recursivefilelookup",
  "compression",
  "linesep",
];

const encodings: Readonly<Record<string, CsvDialect["encoding"]>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  "iso-8859-1": "latin-1",
  "latin-1": "latin-1",
  latin1: "latin-1",
  "utf-16": "utf-16",
  "utf-16le": "utf-16",
};

/** `checkpoint_path` is for generated code. */
const knownKeys = ["path", "format", "columns", "options", "checkpoint_path", ...storageKeys];

export const filesSourceFields = {
  ...storageFields,
  path: field.text(),
  format: field.oneOf(...formats),
  options: field.options(),
};

export const readFilesSettings = (config: Config): FilesSettings =>
  readSourceSettings(filesSourceFields, config, ({ path, format, options }, problems) => {
    const declared = readDeclaredColumns(config.columns);
    problems.push(...declared.problems);
    const given = readOptions(options, problems);
    problems.push(...misplacedOptions(config));
    const warning = unknownKeysWarning(config, knownKeys, "connection.config");
    const flag = (name: string, defaultValue: boolean) =>
      (given.get(name) ?? String(defaultValue)).toLowerCase() === "true";
    return {
      path,
      format,
      declared,
      warnings: warning === undefined ? [] : [warning],
      namePattern: given.get("pathglobfilter"),
      header: flag("header", true),
      delimiter: given.get("sep")?.replace("\\t", "\t") ?? ",",
      quote: given.get("quote") ?? '"',
      escape: given.get("escape") ?? '"',
      comment: given.get("comment") ?? "",
      encoding: readEncoding(given.get("encoding"), problems),
      nullValue: given.get("nullvalue") ?? "",
      dateFormat: readPattern("dateFormat", given.get("dateformat"), problems),
      timestampFormat: readPattern("timestampFormat", given.get("timestampformat"), problems),
      inferTypes: flag("inferschema", true),
    };
  });

/** Options beside `options`, where they have no effect. A `comment` may also be the caller's own remark. */
const misplacedOptions = (config: Config): string[] =>
  Object.entries(config).flatMap(([name, value]) => {
    const key = aliases[name.toLowerCase()] ?? name.toLowerCase();
    const isMisplaced = supportedOptions.includes(key) && key !== "comment" && value !== null && value !== "";
    return isMisplaced
      ? [`connection.config.${name}: it is an option. Write it into connection.config.options.`]
      : [];
  });

function readOptions(options: Readonly<Record<string, string>>, problems: string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(options)) {
    const lower = name.toLowerCase();
    const key = aliases[lower] ?? lower;
    if (supportedOptions.includes(key)) given.set(key, value);
    else if (!impliedOptions.includes(key)) {
      problems.push(
        `connection.config.options: ${JSON.stringify(name)} is unknown. Expected header, sep, quote, escape, comment, encoding, nullValue, dateFormat, timestampFormat, inferSchema, pathGlobFilter.`,
      );
    }
  }
  for (const name of ["quote", "escape", "comment"]) {
    if ((given.get(name) ?? "").length > 1) {
      problems.push(`connection.config.options.${name}: it must be one character, or none.`);
    }
  }
  const delimiter = given.get("sep");
  if (delimiter !== undefined && (delimiter === "" || delimiter.length > 4)) {
    problems.push("connection.config.options.sep: it must be one to four characters.");
  }
  return given;
}

function readEncoding(name: string | undefined, problems: string[]): CsvDialect["encoding"] {
  const encoding = encodings[(name ?? "utf-8").toLowerCase()];
  if (!encoding) {
    problems.push(
      `connection.config.options.encoding: expected one of ${Object.keys(encodings).join(", ")}.`,
    );
  }
  return encoding ?? "utf-8";
}

function readPattern(option: string, pattern: string | undefined, problems: string[]): string | undefined {
  if (pattern === undefined) return undefined;
  const parsed = timePattern(pattern);
  if ("problem" in parsed) problems.push(`connection.config.options.${option}: ${parsed.problem}`);
  return "pattern" in parsed ? parsed.pattern : undefined;
}
