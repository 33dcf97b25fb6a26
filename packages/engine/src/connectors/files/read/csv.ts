import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { type CsvHeader, readHeader } from "./csv-header.ts";
import { hasMisfit, locateRows } from "./csv-locations.ts";
import { csvColumns, csvValue } from "./csv-types.ts";
import { withDeclaredTypes } from "./declared-types.ts";
import { pathColumn } from "./file-columns.ts";
import { duckdbPath, type ListedFile, openedPaths, sizeOf } from "./file-listing.ts";
import type { FormatReader, RowSelection } from "./format-reader.ts";
import type { CsvDialect } from "./settings.ts";

/** Types are inferred from this many rows. Later values that do not fit are rejected. */
const sampleRows = 20_480;

/** Each DuckDB thread has a few buffers, and a buffer holds at least one line. Longer lines are rejected. */
const longestLine = 2 * 2 ** 20;

/** Lines that are not rows: too few or too many values, an unclosed quote, bytes that are not text. */
const rejects = (realPath: RowSelection["realPath"]) => `
  SELECT 'line ' || any_value(line) || ' of ' || ${realPath("file_path")} || ': ' || first(error_message ORDER BY column_idx),
    to_json({_file: ${realPath("file_path")}, _line: any_value(line), _text: left(any_value(csv_line), 10000)})::VARCHAR
  FROM reject_errors JOIN reject_scans USING (scan_id, file_id) GROUP BY file_path, line ORDER BY file_path, line`;

export const csvReader = (dialect: CsvDialect): FormatReader => ({
  async columns(files, connection) {
    const groups = await groupsOf(files, dialect);
    const names = [
      ...new Map(
        groups.flatMap(({ header }) => header.names.map((name) => [name.toLowerCase(), name])),
      ).values(),
    ];
    if (names.length === 0) return [];
    const sample = relationOf(groups, dialect, Math.ceil(sampleRows / groups.length));
    return csvColumns(connection, sample, names, dialect);
  },
  declares: (columns, dataset, declared) =>
    withDeclaredTypes(columns, declared, { dataset, origin: "CSV", complete: true }),
  async read(files, { into, columns, signal }, { select, shape, where, realPath }) {
    const groups = await groupsOf(files, dialect);
    if (groups.length === 0) return;
    into.addBytes(await sizeOf(files));
    await into.fromQuery(
      { files: openedPaths(files) },
      `SELECT ${select} FROM (${shape} UNION ALL BY NAME ${relationOf(groups, dialect)}) AS row${where}`,
      { rejects: rejects(realPath) },
    );
    const misfits = hasMisfit(columns);
    if (misfits !== "")
      await into.locate(misfits, (rows) => locateRows({ rows, columns, files, dialect }, signal));
  },
  value: (column: WarehouseColumn) => csvValue(column, dialect),
});

interface CsvFileGroup {
  readonly header: CsvHeader;
  readonly files: readonly ListedFile[];
}

/** Files with different columns are read separately, because a reader uses the columns of one file for all. */
async function groupsOf(files: readonly ListedFile[], dialect: CsvDialect): Promise<CsvFileGroup[]> {
  const groups = new Map<string, { header: CsvHeader; files: ListedFile[] }>();
  for (const file of files) {
    const header = await readHeader(file.path, dialect);
    if (!header) continue;
    const key = JSON.stringify(header);
    const group = groups.get(key) ?? { header, files: [] };
    groups.set(key, group);
    group.files.push(file);
  }
  return [...groups.values()];
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
    // A missing value is always NULL. A quoted one is text.
    nullstr: `['', ${literal(nullValue)}]`,
    allow_quoted_nulls: "false",
    max_line_size: String(longestLine),
    buffer_size: String(4 * longestLine),
    filename: literal(pathColumn),
    store_rejects: "true",
  };
  const parameters = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv([${files.map(({ path }) => literal(duckdbPath(path))).join(", ")}], ${parameters.join(", ")})`;
}
