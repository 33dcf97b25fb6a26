import { DataProblem } from "../../../protocol/problem.ts";
import { literal } from "../../../warehouse/names.ts";
import { mapColumns } from "../../target/column-mapping.ts";
import type { TargetContext } from "../../target/context.ts";
import { duckdbFits } from "../../target/duckdb-types.ts";
import { fileProblem, withExternalDuckdb } from "../../target/external-duckdb.ts";
import { createRefusedRows, refuseKeylessRows } from "../../target/staged-rows.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../../target/target.ts";
import { copyMerged, countMerged, createMergeViews } from "./file-merge.ts";
import { emptyManifest, type FileManifest, manifestColumns } from "./manifest.ts";
import { manifestSource } from "./manifest-source.ts";
import type { TargetFileFormat } from "./target-format.ts";
import type { TargetStore } from "./target-store.ts";

interface FilesTableOptions {
  readonly store: TargetStore;
  readonly format: TargetFileFormat;
  readonly destination: Destination;
  readonly context: Pick<TargetContext, "openExternal">;
}

/**
 * One file with all rows or, for `append`, a folder with one part per run. Files have no transactions: a file is written
 * out of sight, made visible as a whole, and then recorded in the manifest. A run after a crash writes the same files again.
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
    const { store, destination } = this.#options;
    const manifest = (await store.readManifest(this.#name)) ?? emptyManifest;
    // Consumers may remove parts. A single file must exist: if it is missing, it is written again.
    if (!this.#appends && (await this.#existing(manifest)).length === 0) return undefined;
    return manifest.marks[destination.stream];
  }

  async existingRows() {
    const { store, format, destination } = this.#options;
    const manifest = (await store.readManifest(this.#name)) ?? emptyManifest;
    const files = await this.#existing(manifest);
    if (files.length === 0) return undefined;
    return {
      source: manifestSource(destination.name, format, files, store, manifest),
      dataset: destination.name,
    };
  }

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { store, format, destination, context } = this.#options;
    const { columns: incoming, keys, strategy, stream } = destination;
    const manifest = await this.#prepareManifest(changes.whole);
    const file = this.#nextFile(manifest);
    const staged = await changes.stageFile();
    const existing = changes.whole || this.#appends ? [] : await this.#existing(manifest);
    return store.withFiles(existing, async (old, folder) => {
      const unfinished = await store.create(file);
      const access = { folders: [folder, unfinished.folder], databases: [staged] };
      return withExternalDuckdb(context, access, signal, async (external) => {
        await external.run(`ATTACH ${literal(staged)} AS stage (READ_ONLY)`);
        await createRefusedRows(external);
        const rejected = strategy === "upsert" ? await refuseKeylessRows(external, destination) : [];
        const hasDeletedKeys = changes.deletedKeys !== undefined;
        const merge = { format, columns: manifestColumns(manifest), incoming, keys, old, hasDeletedKeys };
        await createMergeViews(external, merge);
        const { rows, inserted, updated, deleted } = await countMerged(external, merge);
        const bytes = await copyMerged(external, merge, unfinished.path);
        await crashPoint("staged");

        await changes.reject(rejected);
        signal.throwIfAborted();
        const isEmpty = this.#appends && rows === 0;
        // An empty part is not written. A file that a crashed run left under its name is removed.
        if (isEmpty) await store.remove(file);
        else await unfinished.commit();
        await crashPoint("written");

        const next = this.#nextManifest(manifest, {
          file: isEmpty ? [] : [file],
          rows,
          whole: changes.whole,
        });
        await store.writeManifest(this.#name, { ...next, marks: { ...next.marks, [stream]: checkpoint } });
        await crashPoint("checkpointed");
        // Parts of another write strategy. Their rows are now in the single file.
        const obsolete = manifest.files.filter((other) => other !== file && !next.files.includes(other));
        for (const other of obsolete) await store.remove(other);
        return { inserted, updated, deleted: changes.whole ? manifest.rows : deleted, rejected, bytes };
      })
        .catch((error: unknown) => {
          throw fileProblem(store.shown(file), error);
        })
        .finally(() => unfinished.discard());
    });
  }

  /** The manifest with the new columns. Written before any file has them, so that every file can be read. */
  async #prepareManifest(whole: boolean): Promise<FileManifest> {
    const { store, destination } = this.#options;
    const { name, columns: incoming, strategy } = destination;
    const known = await store.readManifest(this.#name);
    const file = this.#nextFile(known ?? emptyManifest);
    if (!known && strategy !== "replace" && (await store.exists(file))) {
      throw new DataProblem(
        `${store.shown(file)} already exists and was not written by Lakehelm. Move it, or use the write strategy "replace".`,
      );
    }
    const existing = known?.columns ?? [];
    const { added } = mapColumns({
      ...{ table: name, existing, incoming, fits: duckdbFits },
      remedy: () => "The files that are there have the old type: export to another target_name.",
    });
    const columns = [...existing, ...added].map((column) => ({ name: column.name, type: column.type }));
    const manifest = { ...(known ?? emptyManifest), columns };
    if (!known || added.length > 0) await store.writeManifest(this.#name, manifest);
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
    const exists = await Promise.all(files.map((file) => this.#options.store.isFile(file)));
    return files.filter((_, at) => exists[at]);
  }
}
