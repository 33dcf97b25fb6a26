import type { WarehouseColumn } from "../../../protocol/column.ts";
import { quote } from "../../../warehouse/names.ts";
import type { StagedRow } from "../../source/row-sink.ts";
import { readHeader } from "./csv-header.ts";
import { csvRecords } from "./csv-records.ts";
import type { ListedFile } from "./file-listing.ts";
import type { CsvDialect } from "./settings.ts";

/** SQL: whether a row has a value that does not fit its column. `csvValue` puts it in quotes. */
export const hasMisfit = (columns: readonly WarehouseColumn[]): string =>
  columns
    .filter(({ type }) => type !== "VARCHAR")
    .map(({ name }) => `starts_with(${quote(name)}, '"')`)
    .join(" OR ");

/** Rows were staged in nearly the order of the file, so the right one is among the first. */
const mostCandidates = 100;

interface Wanted {
  readonly row: StagedRow;
  readonly at: number;
}

/**
 * Where rows with such a value are: `line 3 of orders.csv`. DuckDB does not tell, so the files are read again until all of them are
 * found. Rows that are equal are found in their order.
 */
export async function locateRows(
  rows: readonly StagedRow[],
  columns: readonly WarehouseColumn[],
  files: readonly ListedFile[],
  dialect: CsvDialect,
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const typed = columns.filter(({ type }) => type !== "VARCHAR").map(({ name }) => name);
  const wanted = new Map<string, Wanted[]>();
  for (const [at, row] of rows.entries()) {
    const column = typed.find((name) => row[name]?.startsWith('"'));
    const key = column === undefined ? "" : keyOf(column, withoutQuotes(row[column] ?? ""));
    const sameKey = wanted.get(key) ?? [];
    wanted.set(key, sameKey);
    sameKey.push({ row, at });
  }
  const found: (string | undefined)[] = rows.map(() => undefined);
  let left = rows.length;
  for (const file of files) {
    const header = await readHeader(file.path, dialect);
    if (!header || left === 0) continue;
    const indexes = new Map(header.names.map((name, at) => [name.toLowerCase(), at]));
    const cell = (values: readonly string[], name: string) => values[indexes.get(name.toLowerCase()) ?? -1];
    let isHeader = dialect.header;
    for await (const { line, values } of csvRecords(file.path, dialect, signal)) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      for (const name of typed) {
        const candidates = wanted.get(keyOf(name, cell(values, name) ?? ""));
        if (!candidates) continue;
        const at = candidates
          .slice(0, mostCandidates)
          .findIndex(({ row }) =>
            columns.every((column) => isSame(row[column.name], cell(values, column.name), column)),
          );
        if (at < 0) continue;
        const [one] = candidates.splice(at, 1);
        if (one) found[one.at] = `line ${line} of ${file.name}`;
        left -= 1;
        break;
      }
      if (left === 0) break;
    }
  }
  return found;
}

const keyOf = (column: string, text: string) => `${column}\n${text}`;

const withoutQuotes = (staged: string) => staged.slice(1, -1);

/** Whether a staged value can come from a text. NULL and times are not compared: they were converted. */
function isSame(
  staged: string | null | undefined,
  text: string | undefined,
  { type }: WarehouseColumn,
): boolean {
  if (staged === null || staged === undefined || text === undefined) return true;
  if (type === "VARCHAR") return staged === text;
  if (staged.startsWith('"')) return withoutQuotes(staged) === text;
  return /^(DATE|TIMESTAMP)/.test(type) || staged === text;
}
