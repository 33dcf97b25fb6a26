import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { codeOf, fileReason } from "../../file-errors.ts";
import type { Checkpoint } from "../../target/target.ts";
import { writeDurably } from "./durable-file.ts";

/** The files of one target table, and the checkpoint of each stream. Written after the files. */
export interface FileManifest {
  /** The columns of all files. An older file may lack some of them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Relative to the folder. The last part of an append has the greatest number. */
  readonly files: readonly string[];
  readonly rows: number;
  readonly marks: Readonly<Record<string, Checkpoint>>;
}

export const emptyManifest: FileManifest = { columns: [], files: [], rows: 0, marks: {} };

/** The folder of the manifests, next to the files. */
export const manifestFolder = (folder: string): string => join(folder, ".lakehelm");

const manifestPath = (folder: string, name: string) => join(manifestFolder(folder), `${name}.json`);

export async function readManifest(folder: string, name: string): Promise<FileManifest | undefined> {
  const file = manifestPath(folder, name);
  try {
    return JSON.parse(await readFile(file, "utf8")) as FileManifest;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new DataProblem(`${file} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
}

export async function writeManifest(folder: string, name: string, manifest: FileManifest): Promise<void> {
  const file = manifestPath(folder, name);
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw new DataProblem(`${dirname(file)} cannot be created: ${fileReason(error)}.`, { cause: error });
  }
  await writeDurably(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

export const manifestColumns = ({ columns }: FileManifest): WarehouseColumn[] =>
  columns.map(({ name, type }) => ({ name, type, origin: type }));
