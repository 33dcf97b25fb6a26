import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { codeOf, fileReason } from "../../target/paths.ts";
import type { Mark } from "../../target/target.ts";
import { writeDurably } from "./durable-file.ts";

/** What is in the files of one target, and how far each stream has come in them. It is written after the files. */
export interface FilesLedger {
  /** All that any of the files has; one that is older than a column does not have it. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** By name, below the folder; the last part of an append has the greatest number. */
  readonly files: readonly string[];
  readonly rows: number;
  readonly marks: Readonly<Record<string, Mark>>;
}

export const emptyLedger: FilesLedger = { columns: [], files: [], rows: 0, marks: {} };

/** Folder of the ledgers, beside the files. */
export const ledgersIn = (folder: string): string => join(folder, ".lakehelm");

const ledgerFile = (folder: string, name: string) => join(ledgersIn(folder), `${name}.json`);

export async function readLedger(folder: string, name: string): Promise<FilesLedger | undefined> {
  const file = ledgerFile(folder, name);
  try {
    return JSON.parse(await readFile(file, "utf8")) as FilesLedger;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new DataProblem(`${file} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
}

export async function writeLedger(folder: string, name: string, ledger: FilesLedger): Promise<void> {
  const file = ledgerFile(folder, name);
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw new DataProblem(`${dirname(file)} cannot be made: ${fileReason(error)}.`, { cause: error });
  }
  await writeDurably(file, `${JSON.stringify(ledger, null, 2)}\n`);
}

export const keptColumns = ({ columns }: FilesLedger): WarehouseColumn[] =>
  columns.map(({ name, type }) => ({ name, type, origin: type }));
