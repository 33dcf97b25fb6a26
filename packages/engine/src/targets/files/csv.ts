import { open } from "node:fs/promises";
import type { Column } from "../../column.ts";
import { DataProblem } from "../../problem.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { textOf, valueFrom } from "../kinds.ts";
import type { FileFormat } from "./format.ts";

/** The longest line that can be read back; by itself DuckDB would reserve sixteen times as much. */
const longestLine = 8 * 1024 * 1024;
export const limits = `max_line_size = ${longestLine}, buffer_size = ${2 * longestLine}`;

/**
 * RFC 4180 with a header, lines end with a line feed. NULL is nothing, the empty text is "". Times are as in ISO 8601, binary
 * is base64, lists and structs are JSON.
 */
export const csv: FileFormat = {
  extension: "csv",
  kept: (columns) => columns.map((column) => ({ name: column.name, sql: textOf(column) })),
  copying: "(FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR '')",
  async reading(file, columns) {
    const names = await headerOf(file);
    const types = names.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ");
    const cells = columns.map((column) => {
      const found = names.find((name) => name.toLowerCase() === column.name.toLowerCase());
      return `${found === undefined ? "CAST(NULL AS VARCHAR)" : quote(found)} AS ${quote(column.name)}`;
    });
    // A quoted "" is no NULL; a lone CR within quotes does not end a line.
    return `SELECT ${cells.join(", ")} FROM read_csv(${literal(file)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false, ${limits}, columns = {${types}})`;
  },
  value: ({ name, type }: Column) => valueFrom(type, quote(name)),
};

/** The names in the first line. */
async function headerOf(file: string): Promise<string[]> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1024 * 1024), 0, 1024 * 1024, 0);
    const line = /^(?:"(?:[^"]|"")*"|[^"\n])*(?=\n)/.exec(buffer.toString("utf8", 0, bytesRead))?.[0];
    if (line === undefined) throw new DataProblem(`${file} has no first line with the names of its columns.`);
    const fields = line.match(/(?:"(?:[^"]|"")*"|[^",]+|(?<=^|,)(?=,|$))/g) ?? [];
    return fields.map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field));
  } finally {
    await handle.close();
  }
}
