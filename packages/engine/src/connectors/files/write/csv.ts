import type { WarehouseColumn } from "../../../protocol/column.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { openPlainFile } from "../../plain-file.ts";
import { textOf, valueFrom } from "../../target/type-kinds.ts";
import type { TargetFileFormat } from "./target-format.ts";

/** The longest line that can be read back, in bytes. By default, DuckDB would reserve sixteen times as much. */
const maxLineBytes = 8 * 1024 * 1024;
export const readLimits = `max_line_size = ${maxLineBytes}, buffer_size = ${2 * maxLineBytes}`;

const maxHeaderBytes = 1024 * 1024;

/**
 * RFC 4180 with a header and line feeds. NULL is empty, the empty text is "". Times are in ISO 8601, binary values in
 * base64, lists and structs are JSON.
 */
export const csv: TargetFileFormat = {
  extension: "csv",
  storedFields: (columns) => columns.map((column) => ({ name: column.name, sql: textOf(column) })),
  copyOptions: "(FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR '')",
  async selectStored(files, columns) {
    const filesWithNames = await Promise.all(
      files.map(async (file) => ({ file, names: await headerOf(file) })),
    );
    const groups = Map.groupBy(filesWithNames, ({ names }) => JSON.stringify(names)).values();
    return Array.from(groups, (group) => selectGroup(group, columns)).join(" UNION ALL ");
  },
  value: ({ name, type }: WarehouseColumn) => valueFrom(type, quote(name)),
};

interface CsvFile {
  readonly file: string;
  readonly names: readonly string[];
}

/** Files with the same header. A quoted "" is not NULL, and a CR within quotes does not end a line. */
function selectGroup(group: readonly CsvFile[], columns: readonly WarehouseColumn[]): string {
  const names = group[0]?.names ?? [];
  const types = names.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ");
  const cells = columns.map((column) => {
    const found = names.find((name) => name.toLowerCase() === column.name.toLowerCase());
    return `${found === undefined ? "CAST(NULL AS VARCHAR)" : quote(found)} AS ${quote(column.name)}`;
  });
  return `SELECT ${cells.join(", ")} FROM read_csv([${group.map(({ file }) => literal(file)).join(", ")}], auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false, ${readLimits}, columns = {${types}})`;
}

/** The names in the first line. */
async function headerOf(file: string): Promise<string[]> {
  const handle = await openPlainFile(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
    const names = namesIn(buffer.toString("utf8", 0, bytesRead));
    if (!names) throw new DataProblem(`${file} has no header line.`);
    return names;
  } finally {
    await handle.close();
  }
}

/** Undefined if the first line does not end. */
function namesIn(text: string): string[] | undefined {
  const field = /"((?:[^"]|"")*)"|([^",\n]*)/y;
  const names: string[] = [];
  for (;;) {
    const [, quoted, plain = ""] = field.exec(text) ?? [];
    names.push(quoted?.replaceAll('""', '"') ?? plain);
    const next = text[field.lastIndex++];
    if (next === "\n") return names;
    if (next !== ",") return undefined;
  }
}
