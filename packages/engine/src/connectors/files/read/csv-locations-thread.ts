/** The thread that finds the lines of rows with values that do not fit their columns. */
import { parentPort, workerData } from "node:worker_threads";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { refusedMark, shownText } from "../../source/refused-text.ts";
import type { StagedRow } from "../../source/row-sink.ts";
import { readHeader } from "./csv-header.ts";
import type { FoundLocations, LocationThreadInput } from "./csv-locations.ts";
import { csvRecords } from "./csv-records.ts";

/**
 * Candidates that are compared with a record. Rows were staged in nearly the order of the file, so the match is among
 * the first.
 */
const mostCandidates = 100;

/** Reading this many characters again takes a few seconds. Rows further on get no line number. */
const mostCharacters = 2 ** 30;

interface Wanted {
  readonly row: StagedRow;
  readonly at: number;
}

parentPort?.postMessage(await locate(workerData as LocationThreadInput));

/** Equal rows get their lines in the order of the file. */
async function locate({ rows, columns, files, dialect }: LocationThreadInput): Promise<FoundLocations> {
  const wanted = wantedByValue(rows, columns);
  const found: (string | undefined)[] = rows.map(() => undefined);
  let left = rows.length;
  let characters = 0;
  for (const file of files) {
    const header = await readHeader(file.path, dialect);
    if (!header) continue;
    const indexes = new Map(header.names.map((name, at) => [name.toLowerCase(), at]));
    const cell = (values: readonly string[], name: string) => values[indexes.get(name.toLowerCase()) ?? -1];
    const searched = [...wanted].map(([name, byText]) => ({
      index: indexes.get(name.toLowerCase()) ?? -1,
      byText,
    }));
    let isHeader = dialect.header;
    const count = (read: number) => {
      characters += read;
    };
    for await (const records of csvRecords(file.path, dialect, header.newLine, count)) {
      for (const { line, values } of records) {
        if (isHeader) {
          isHeader = false;
          continue;
        }
        for (const { index, byText } of searched) {
          const candidates = byText.get(values[index] ?? "");
          if (!candidates) continue;
          const at = candidates
            .slice(0, mostCandidates)
            .findIndex(({ row }) =>
              columns.every((column) => isSame(row[column.name], cell(values, column.name), column)),
            );
          if (at < 0) continue;
          const [one] = candidates.splice(at, 1);
          if (one) found[one.at] = `line ${line + (file.lineOffset ?? 0)} of ${file.name}`;
          left -= 1;
          break;
        }
      }
      if (left === 0 || characters > mostCharacters) return found;
    }
  }
  return found;
}

/** The rows by the first column whose value does not fit, and by the text of that value. */
function wantedByValue(
  rows: readonly StagedRow[],
  columns: readonly WarehouseColumn[],
): ReadonlyMap<string, ReadonlyMap<string, Wanted[]>> {
  const typed = columns.filter(({ type }) => type !== "VARCHAR").map(({ name }) => name);
  const wanted = new Map<string, Map<string, Wanted[]>>();
  for (const [at, row] of rows.entries()) {
    const column = typed.find((name) => row[name]?.startsWith(refusedMark));
    if (column === undefined) continue;
    const byText = wanted.getOrInsertComputed(column, () => new Map<string, Wanted[]>());
    byText.getOrInsertComputed(shownText(row[column] ?? ""), () => []).push({ row, at });
  }
  return wanted;
}

/** Whether a staged value can come from a text. NULL and times are not compared: they were converted. */
function isSame(
  staged: string | null | undefined,
  text: string | undefined,
  { type }: WarehouseColumn,
): boolean {
  if (staged === null || staged === undefined || text === undefined) return true;
  if (type !== "VARCHAR" && staged.startsWith(refusedMark)) return shownText(staged) === text;
  return /^(DATE|TIMESTAMP)/.test(type) || staged === text;
}
