import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { literal } from "../../../warehouse/names.ts";
import { mapColumns } from "../../target/column-mapping.ts";
import type { TargetContext } from "../../target/context.ts";
import { duckdbFits } from "../../target/duckdb-types.ts";
import { fileProblem, withExternalDuckdb } from "../../target/external-duckdb.ts";
import { pathExists } from "../../target/paths.ts";
import { createRefusedRows, refuseKeylessRows } from "../../target/staged-rows.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../../target/target.ts";
import { commitFile, fileExists, removeDurably, unfinishedPath } from "./durable-file.ts";
import { copyMerged, countMerged, createMergeViews } from "./file-merge.ts";
import {
  emptyManifest,
  type FileManifest,
  manifestColumns,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { manifestSource } from "./manifest-source.ts";
import type { TargetFileFormat } from "./target-format.ts";

interface FilesTableOptions {
  readonly folder: string;
  readonly format: TargetFileFormat;
  readonly destination: Destination;
  readonly context: Pick<TargetContext, "openExternal">;
}

/**
 * One file with all rows or, for `append`, a folder with one part per run. Files have no transactions: a file is written
 * under another name, renamed, and then recorded in the manifest. A run after a crash writes the same files again.
 */
export class FilesTargetTable implements TargetTable {
  readonly rewritesAll = true;
  readonly #options: FilesTableOptions;
  readonly #appends: boolean;
  /** The name of the manifest. A folder may have orders.csv and orders.parquet. */
  readonly #name: string;

  constructor(options: FilesTableOptions) {
    this.#options = options;
    this.#appends = options.destination.strategy === "append";
    this.#name = `${options.destination.name}.${options.format.extension}`;
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const { folder, destination } = this.#options;
    const manifest = (await readManifest(folder, this.#name)) ?? emptyManifest;
    // Consumers may remove parts. A single file must exist: if it is missing, it is written again.
    if (!this.#appends && (await this.#existing(manifest)).length === 0) return undefined;
    return manifest.marks[destination.stream];
  }

  async existingRows() {
    const { folder, format, destination } = this.#options;
    const manifest = (await readManifest(folder, this.#name)) ?? emptyManifest;
    const files = await this.#existing(manifest);
    if (files.length === 0) return undefined;
    return { source: manifestSource(destination.name, format, files, manifest), dataset: destination.name };
  }

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { folder, format, destination, context } = this.#options;
    const { columns: incoming, keys, strategy, stream } = destination;
    const manifest = await this.#prepareManifest(changes.whole);
    const file = this.#nextFile(manifest);
    const path = join(folder, file);
    const staged = await changes.stageFile();
    const old = changes.whole || this.#appends ? [] : await this.#existing(manifest);
    return withExternalDuckdb(
      context,
      { folders: [folder], databases: [staged] },
      signal,
      async (external) => {
        try {
          await external.run(`ATTACH ${literal(staged)} AS stage (READ_ONLY)`);
          await createRefusedRows(external);
          const rejected = strategy === "upsert" ? await refuseKeylessRows(external, destination) : [];
          const hasDeletedKeys = changes.deletedKeys !== undefined;
          const merge = { format, columns: manifestColumns(manifest), incoming, keys, old, hasDeletedKeys };
          await createMergeViews(external, merge);
          const { rows, inserted, updated, deleted } = await countMerged(external, merge);
          const bytes = await copyMerged(external, merge, path);
          await crashPoint("staged");

          await changes.reject(rejected);
          signal.throwIfAborted();
          const isEmpty = this.#appends && rows === 0;
          // An empty part is not written. A file that a crashed run left under its name is removed.
          if (isEmpty) await removeDurably(path);
          else await commitFile(path);
          await crashPoint("written");

          const next = this.#nextManifest(manifest, {
            file: isEmpty ? [] : [file],
            rows,
            whole: changes.whole,
          });
          await writeManifest(folder, this.#name, {
            ...next,
            marks: { ...next.marks, [stream]: checkpoint },
          });
          await crashPoint("checkpointed");
          // Parts of another write strategy. Their rows are now in the single file.
          const obsolete = manifest.files.filter((other) => other !== file && !next.files.includes(other));
          for (const other of obsolete) await removeDurably(join(folder, other));
          return { inserted, updated, deleted: changes.whole ? manifest.rows : deleted, rejected, bytes };
        } catch (error) {
          throw fileProblem(path, error);
        } finally {
          await rm(unfinishedPath(path), { force: true });
        }
      },
    );
  }

  /** The manifest with the new columns. Written before any file has them, so that every file can be read. */
  async #prepareManifest(whole: boolean): Promise<FileManifest> {
    const { folder, destination } = this.#options;
    const { name, columns: incoming, strategy } = destination;
    const known = await readManifest(folder, this.#name);
    const path = join(folder, this.#nextFile(known ?? emptyManifest));
    if (!known && strategy !== "replace" && (await pathExists(path))) {
      throw new DataProblem(
        `${path} already exists and was not written by Lakehelm. Move it, or use the write strategy "replace".`,
      );
    }
    const existing = known?.columns ?? [];
    const { added } = mapColumns({ table: name, existing, incoming, fits: duckdbFits });
    const columns = [...existing, ...added].map((column) => ({ name: column.name, type: column.type }));
    const manifest = { ...(known ?? emptyManifest), columns };
    if (!known || added.length > 0) await writeManifest(folder, this.#name, manifest);
    const isIncoming = (column: { name: string }) => incoming.some((one) => one.name === column.name);
    return whole ? { ...manifest, columns: columns.filter(isIncoming) } : manifest;
  }

  #nextManifest(
    manifest: FileManifest,
    written: { file: string[]; rows: number; whole: boolean },
  ): FileManifest {
    const { file, rows, whole } = written;
    if (this.#appends && !whole) {
      return { ...manifest, files: [...manifest.files, ...file], rows: manifest.rows + rows };
    }
    // A full write removes what other streams have written.
    return { ...manifest, files: file, rows, marks: whole ? {} : manifest.marks };
  }

  /** The number of a part comes from the manifest. Until that is written, a run writes the same part again. */
  #nextFile({ files }: FileManifest): string {
    const { format, destination } = this.#options;
    if (!this.#appends) return `${destination.name}.${format.extension}`;
    const last = Number(/part-(\d+)/.exec(files.at(-1)?.slice(destination.name.length) ?? "")?.[1] ?? 0);
    return `${destination.name}/part-${String(last + 1).padStart(6, "0")}.${format.extension}`;
  }

  async #existing({ files }: FileManifest): Promise<string[]> {
    const paths = files.map((file) => join(this.#options.folder, file));
    const exists = await Promise.all(paths.map(fileExists));
    return paths.filter((_, at) => exists[at]);
  }
}
