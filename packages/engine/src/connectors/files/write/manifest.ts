import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMap } from "@lakehelm/contract/connections";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { isDuckdbType } from "../../../protocol/type-syntax.ts";
import { codeOf, fileReason } from "../../file-errors.ts";
import { openPlainFile } from "../../plain-file.ts";
import type { Checkpoint } from "../../target/target.ts";
import { createFolder, writeDurably } from "./durable-file.ts";

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
  const found = await lstat(dirname(file)).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw new DataProblem(`${dirname(file)} is a link or a file. Delete it.`);
  try {
    const handle = await openPlainFile(file);
    const text = await handle.readFile("utf8").finally(() => handle.close());
    return parseManifest(text, file, name);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (error instanceof DataProblem) throw error;
    throw new DataProblem(`${file} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
}

/** Another program may have changed the manifest: its names become paths, and its types become part of statements. */
export function parseManifest(text: string, file: string, name: string): FileManifest {
  const manifest = parsed(text) as FileManifest;
  const isColumn = (column: unknown) =>
    isMap(column) && typeof column.name === "string" && isDuckdbType(String(column.type));
  const dot = name.lastIndexOf(".");
  const isOwnFile = (path: unknown) =>
    path === name ||
    (typeof path === "string" &&
      path.startsWith(`${name.slice(0, dot)}/part-`) &&
      path.endsWith(name.slice(dot)) &&
      /^\d+$/.test(path.slice(dot + "/part-".length, dot - name.length)));
  const isValid =
    isMap(manifest) &&
    isMap(manifest.marks) &&
    Number.isSafeInteger(manifest.rows) &&
    [manifest.columns, manifest.files].every(Array.isArray) &&
    manifest.columns.every(isColumn) &&
    manifest.files.every(isOwnFile);
  if (isValid) return manifest;
  throw new DataProblem(`${file} is damaged: it is not as Lakehelm writes it. Delete it to start again.`);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const manifestText = (manifest: FileManifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

export async function writeManifest(folder: string, name: string, manifest: FileManifest): Promise<void> {
  const file = manifestPath(folder, name);
  await createFolder(dirname(file));
  await writeDurably(file, manifestText(manifest));
}

export const manifestColumns = ({ columns }: FileManifest): WarehouseColumn[] =>
  columns.map(({ name, type }) => ({ name, type, origin: type }));
