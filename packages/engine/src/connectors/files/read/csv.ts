import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { headerLine } from "./appended-lines.ts";
import { type CsvHeader, readHeader } from "./csv-header.ts";
import { hasMisfit, locateRows } from "./csv-locations.ts";
import { bothChecks, checkTypes, csvColumn, csvValue, type TypeChecks } from "./csv-types.ts";
import { withDeclaredTypes } from "./declared-types.ts";
import { type DecodingContext, withDecodedFiles } from "./decoded-files.ts";
import { duckdbPath, openedPaths, sizeOf } from "./duckdb-paths.ts";
import { pathColumn } from "./file-columns.ts";
import type { OpenedFile } from "./file-store.ts";
import type { FormatReader } from "./format-reader.ts";
import type { CsvDialect } from "./settings.ts";

/** Types are inferred from this many rows. Later values that do not fit are rejected. */
const sampleRows = 20_480;

/** Each DuckDB thread has a few buffers, and a buffer holds at least one line. Longer lines are rejected. */
const longestLine = 2 * 2 ** 20;

/** Lines that are not rows: too few or too many values, an unclosed quote, bytes that are not text. */
const rejects = (files: readonly OpenedFile[]) => `
  SELECT 'line ' || any_value(line + line_offset) || ' of ' || any_value(name) || ': ' || first(error_message ORDER BY column_idx),
    to_json({_file: any_value(name), _line: any_value(line + line_offset), _text: left(any_value(csv_line), 10000)})::VARCHAR
  FROM reject_errors JOIN reject_scans USING (scan_id, file_id)
  JOIN (VALUES ${files.map(({ path, name, lineOffset = 0 }) => `(${literal(path)}, ${literal(name)}, ${lineOffset})`).join(", ")}) AS opened(file_path, name, line_offset) USING (file_path)
  GROUP BY file_path, line ORDER BY file_path, line`;

/** The beginning of a compressed file from which its types are inferred. */
const sampleBytes = 4 * 2 ** 20;

export const csvReader = (given: CsvDialect, context: DecodingContext): FormatReader => ({
  ...plainReader({ ...given, encoding: given.encoding === "utf-16" ? "utf-8" : given.encoding }),
  open: (files, isSample, work) =>
    withDecodedFiles(
      files,
      { ...context, encoding: given.encoding, most: isSample ? sampleBytes : undefined },
      work,
    ),
});

/** Reads files that are neither compressed nor in UTF-16. */
const plainReader = (dialect: CsvDialect): Omit<FormatReader, "open"> => ({
  lines: {
    async startOf(path) {
      const header = dialect.header ? await readHeader(path, dialect) : undefined;
      if (!header) return Buffer.alloc(0);
      const text = headerLine(header.names, dialect) + header.newLine;
      return Buffer.from(text, dialect.encoding === "latin-1" ? "latin1" : "utf8");
    },
    quotes:
      dialect.quote === ""
        ? undefined
        : { quote: dialect.quote.charCodeAt(0), escape: (dialect.escape || dialect.quote).charCodeAt(0) },
  },
  collect(fileCount) {
    const found = new Map<string, { readonly name: string; readonly checks: TypeChecks | undefined }>();
    return {
      async add(files, connection) {
        const groups = await groupsOf(files, dialect);
        const names = [
          ...new Map(
            groups.flatMap(({ header }) => header.names.map((name) => [name.toLowerCase(), name])),
          ).values(),
        ];
        if (names.length === 0) return;
        const rows = Math.ceil((sampleRows * files.length) / fileCount / groups.length);
        const checks = dialect.inferTypes
          ? await checkTypes(connection, relationOf(groups, dialect, rows), names, dialect)
          : [];
        for (const [at, name] of names.entries()) {
          const known = found.get(name.toLowerCase());
          const both = bothChecks(known?.checks, checks[at]);
          found.set(name.toLowerCase(), { name: known?.name ?? name, checks: both });
        }
      },
      columns: () => [...found.values()].map(({ name, checks }) => csvColumn(name, checks)),
    };
  },
  declares: (columns, dataset, declared) =>
    withDeclaredTypes(columns, declared, { dataset, origin: "CSV", complete: true }),
  async read(files, { into, columns, signal }, { select, shape, conditions }) {
    const groups = await groupsOf(files, dialect, into);
    if (groups.length === 0) return;
    into.addBytes(sizeOf(files));
    await into.fromQuery(
      { files: openedPaths(files) },
      `SELECT ${select} FROM (${shape} UNION ALL BY NAME ${relationOf(groups, dialect)}) AS row${conditions}`,
      { rejects: rejects(files) },
    );
    const misfits = hasMisfit(columns);
    if (misfits !== "")
      await into.locate(misfits, (rows) => locateRows({ rows, columns, files, dialect }, signal));
  },
  value: (column: WarehouseColumn) => csvValue(column, dialect),
});

interface CsvFileGroup {
  readonly header: CsvHeader;
  readonly files: readonly OpenedFile[];
}

/** Files with different columns are read separately, because a reader uses the columns of one file for all. */
async function groupsOf(
  files: readonly OpenedFile[],
  dialect: CsvDialect,
  { keepsOrder = false } = {},
): Promise<CsvFileGroup[]> {
  const groups: { readonly key: string; readonly header: CsvHeader; readonly files: OpenedFile[] }[] = [];
  const byKey = new Map<string, (typeof groups)[number]>();
  for (const file of files) {
    const header = await readHeader(file.path, dialect);
    if (!header) continue;
    const key = JSON.stringify(header);
    const last = groups.at(-1);
    const known = keepsOrder ? (last?.key === key ? last : undefined) : byKey.get(key);
    if (known) known.files.push(file);
    else {
      const group = { key, header, files: [file] };
      groups.push(group);
      byKey.set(key, group);
    }
  }
  return groups;
}

/** All rows as text with the path of their file. NULL and the empty text are different. */
function relationOf(groups: readonly CsvFileGroup[], dialect: CsvDialect, rowsOfGroup?: number): string {
  const limit = rowsOfGroup === undefined ? "" : ` LIMIT ${rowsOfGroup}`;
  return groups
    .map((group) => `(SELECT * FROM ${readCsv(group, dialect)}${limit})`)
    .join(" UNION ALL BY NAME ");
}

const newLines = { "\n": "\\n", "\r\n": "\\r\\n", "\r": "\\r" } as const;

function readCsv({ header, files }: CsvFileGroup, dialect: CsvDialect): string {
  const { delimiter, comment, encoding, nullValue } = dialect;
  const options = {
    auto_detect: "false",
    columns: `{${header.names.map((name) => `${quote(name)}: 'VARCHAR'`).join(", ")}}`,
    header: String(dialect.header),
    delim: literal(delimiter),
    quote: literal(dialect.quote),
    escape: literal(dialect.escape),
    new_line: literal(newLines[header.newLine]),
    ...(comment !== "" && { comment: literal(comment) }),
    encoding: literal(encoding),
    // By default the extension decides.
    compression: "'none'",
    // A missing value is always NULL. A quoted one is text.
    nullstr: `['', ${literal(nullValue)}]`,
    allow_quoted_nulls: "false",
    max_line_size: String(longestLine),
    buffer_size: String(4 * longestLine),
    filename: literal(pathColumn),
    hive_partitioning: "false",
    store_rejects: "true",
  };
  const parameters = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv([${files.map(({ path }) => literal(duckdbPath(path))).join(", ")}], ${parameters.join(", ")})`;
}
