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
  CrashPoint,
  Destination,
  TargetTable,
  WriteResult,
} from "../../target/target.ts";
import { commitFile, removeDurably, unfinishedPath } from "./durable-file.ts";
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
 * A file that holds all rows, or for `append` a folder with one part for each run. A file takes part in no transaction: it is
 * written beside, put in its place, and then the manifest says so. A run that follows a killed one writes the same files.
 */
export class FilesTargetTable implements TargetTable {
  readonly rewritesAll = true;
  readonly #parts: FilesTableOptions;
  readonly #appends: boolean;
  /** Of the manifest: a folder may have orders.csv and orders.parquet. */
  readonly #name: string;

  constructor(parts: FilesTableOptions) {
    this.#parts = parts;
    this.#appends = parts.destination.strategy === "append";
    this.#name = `${parts.destination.name}.${parts.format.extension}`;
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const { folder, destination } = this.#parts;
    const manifest = (await readManifest(folder, this.#name)) ?? emptyManifest;
    // Parts may be taken away by whoever reads them. The one file belongs there: without it, it is written anew.
    if (!this.#appends && (await this.#existing(manifest)).length === 0) return undefined;
    return manifest.marks[destination.stream];
  }

  async existingRows() {
    const { folder, format, destination } = this.#parts;
    const manifest = (await readManifest(folder, this.#name)) ?? emptyManifest;
    const files = await this.#existing(manifest);
    if (files.length === 0) return undefined;
    return { source: manifestSource(destination.name, format, files, manifest), dataset: destination.name };
  }

  async write(
    changes: ChangeSet,
    mark: Checkpoint,
    crashPoint: CrashPoint,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { folder, format, destination, context } = this.#parts;
    const { columns: coming, keys, strategy, stream } = destination;
    const manifest = await this.#fit(changes.whole);
    const file = this.#nextFile(manifest);
    const path = join(folder, file);
    const staged = await changes.stageFile();
    const old = changes.whole || this.#appends ? [] : await this.#existing(manifest);
    return withExternalDuckdb(context, signal, async (outside) => {
      try {
        await outside.run(`ATTACH ${literal(staged)} AS here (READ_ONLY)`);
        await createRefusedRows(outside);
        const rejected = strategy === "upsert" ? await refuseKeylessRows(outside, destination) : [];
        const gone = changes.deletedKeys !== undefined;
        const merging = { format, columns: manifestColumns(manifest), coming, keys, old, gone };
        await createMergeViews(outside, merging);
        const { rows, inserted, updated, deleted } = await countMerged(outside, merging);
        const bytes = await copyMerged(outside, merging, path);
        await crashPoint("staged");

        await changes.reject(rejected);
        signal.throwIfAborted();
        const isEmpty = this.#appends && rows === 0;
        // An empty part says nothing; what a killed run has left under its name goes.
        if (isEmpty) await removeDurably(path);
        else await commitFile(path);
        await crashPoint("written");

        const after = this.#after(manifest, { file: isEmpty ? [] : [file], rows, whole: changes.whole });
        await writeManifest(folder, this.#name, { ...after, marks: { ...after.marks, [stream]: mark } });
        await crashPoint("checkpointed");
        // Another write strategy has left parts; their rows are in the one file now.
        const left = manifest.files.filter((other) => other !== file && !after.files.includes(other));
        for (const other of left) await removeDurably(join(folder, other));
        return { inserted, updated, deleted: changes.whole ? manifest.rows : deleted, rejected, bytes };
      } catch (error) {
        throw fileProblem(path, error);
      } finally {
        await rm(unfinishedPath(path), { force: true });
      }
    });
  }

  /** The manifest with the columns that come. It is written before any file has them, so that each file can be read. */
  async #fit(whole: boolean): Promise<FileManifest> {
    const { folder, destination } = this.#parts;
    const { name, columns: coming, strategy } = destination;
    const known = await readManifest(folder, this.#name);
    const path = join(folder, this.#nextFile(known ?? emptyManifest));
    if (!known && strategy !== "replace" && (await pathExists(path))) {
      throw new DataProblem(
        `${path} is there already, and Lakehelm has not written it. Move it away, or use the write strategy "replace".`,
      );
    }
    const there = known?.columns ?? [];
    const { added } = mapColumns({ table: name, there, coming, fits: duckdbFits });
    const columns = [...there, ...added].map((column) => ({ name: column.name, type: column.type }));
    const manifest = { ...(known ?? emptyManifest), columns };
    if (!known || added.length > 0) await writeManifest(folder, this.#name, manifest);
    const isComing = (column: { name: string }) => coming.some((one) => one.name === column.name);
    return whole ? { ...manifest, columns: columns.filter(isComing) } : manifest;
  }

  #after(manifest: FileManifest, written: { file: string[]; rows: number; whole: boolean }): FileManifest {
    const { file, rows, whole } = written;
    if (this.#appends && !whole) {
      return { ...manifest, files: [...manifest.files, ...file], rows: manifest.rows + rows };
    }
    // What other streams have written is not there any more, if this is the whole.
    return { ...manifest, files: file, rows, marks: whole ? {} : manifest.marks };
  }

  /** The number of a part comes from the manifest: until that is written, a run writes the same part again. */
  #nextFile({ files }: FileManifest): string {
    const { format, destination } = this.#parts;
    if (!this.#appends) return `${destination.name}.${format.extension}`;
    const last = Number(/part-(\d+)/.exec(files.at(-1)?.slice(destination.name.length) ?? "")?.[1] ?? 0);
    return `${destination.name}/part-${String(last + 1).padStart(6, "0")}.${format.extension}`;
  }

  async #existing({ files }: FileManifest): Promise<string[]> {
    const paths = files.map((file) => join(this.#parts.folder, file));
    const there = await Promise.all(paths.map(pathExists));
    return paths.filter((_, at) => there[at]);
  }
}
