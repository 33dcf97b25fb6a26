import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { literal } from "../../../warehouse/names.ts";
import { fitColumns } from "../../target/column-mapping.ts";
import type { TargetContext } from "../../target/context.ts";
import { duckdbFits } from "../../target/duckdb-types.ts";
import { fileProblem, inOutside } from "../../target/external-duckdb.ts";
import { isThere } from "../../target/paths.ts";
import { keylessRows, makeRefused } from "../../target/staged-rows.ts";
import type { Changes, CrashPoint, Destination, Mark, Table, Written } from "../../target/target.ts";
import { putInPlace, removeDurably, unfinished } from "./durable-file.ts";
import { copyMerged, countMerged, makeViews } from "./file-merge.ts";
import { emptyLedger, type FilesLedger, keptColumns, readLedger, writeLedger } from "./manifest.ts";
import { filesSource } from "./manifest-source.ts";
import type { FileFormat } from "./target-format.ts";

interface Parts {
  readonly folder: string;
  readonly format: FileFormat;
  readonly destination: Destination;
  readonly context: Pick<TargetContext, "outside">;
}

/**
 * A file that holds all rows, or for `append` a folder with one part for each run. A file takes part in no transaction: it is
 * written beside, put in its place, and then the ledger says so. A run that follows a killed one writes the same files.
 */
export class FilesTable implements Table {
  readonly rewrites = true;
  readonly #parts: Parts;
  readonly #appends: boolean;
  /** Of the ledger: a folder may have orders.csv and orders.parquet. */
  readonly #name: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#appends = parts.destination.strategy === "append";
    this.#name = `${parts.destination.name}.${parts.format.extension}`;
  }

  async mark(): Promise<Mark | undefined> {
    const { folder, destination } = this.#parts;
    const ledger = (await readLedger(folder, this.#name)) ?? emptyLedger;
    // Parts may be taken away by whoever reads them. The one file belongs there: without it, it is written anew.
    if (!this.#appends && (await this.#existing(ledger)).length === 0) return undefined;
    return ledger.marks[destination.stream];
  }

  async present() {
    const { folder, format, destination } = this.#parts;
    const ledger = (await readLedger(folder, this.#name)) ?? emptyLedger;
    const files = await this.#existing(ledger);
    if (files.length === 0) return undefined;
    return { source: filesSource(destination.name, format, files, ledger), dataset: destination.name };
  }

  async write(changes: Changes, mark: Mark, crashPoint: CrashPoint, signal: AbortSignal): Promise<Written> {
    const { folder, format, destination, context } = this.#parts;
    const { columns: coming, keys, strategy, stream } = destination;
    const ledger = await this.#fit(changes.whole);
    const file = this.#nextFile(ledger);
    const path = join(folder, file);
    const staged = await changes.file();
    const old = changes.whole || this.#appends ? [] : await this.#existing(ledger);
    return inOutside(context, signal, async (outside) => {
      try {
        await outside.run(`ATTACH ${literal(staged)} AS here (READ_ONLY)`);
        await makeRefused(outside);
        const rejected = strategy === "upsert" ? await keylessRows(outside, destination) : [];
        const gone = changes.gone !== undefined;
        const merging = { format, columns: keptColumns(ledger), coming, keys, old, gone };
        await makeViews(outside, merging);
        const { rows, inserted, updated, deleted } = await countMerged(outside, merging);
        const bytes = await copyMerged(outside, merging, path);
        await crashPoint("staged");

        await changes.reject(rejected);
        signal.throwIfAborted();
        const isEmpty = this.#appends && rows === 0;
        // An empty part says nothing; what a killed run has left under its name goes.
        if (isEmpty) await removeDurably(path);
        else await putInPlace(path);
        await crashPoint("written");

        const after = this.#after(ledger, { file: isEmpty ? [] : [file], rows, whole: changes.whole });
        await writeLedger(folder, this.#name, { ...after, marks: { ...after.marks, [stream]: mark } });
        await crashPoint("marked");
        // Another write strategy has left parts; their rows are in the one file now.
        const left = ledger.files.filter((other) => other !== file && !after.files.includes(other));
        for (const other of left) await removeDurably(join(folder, other));
        return { inserted, updated, deleted: changes.whole ? ledger.rows : deleted, rejected, bytes };
      } catch (error) {
        throw fileProblem(path, error);
      } finally {
        await rm(unfinished(path), { force: true });
      }
    });
  }

  /** The ledger with the columns that come. It is written before any file has them, so that each file can be read. */
  async #fit(whole: boolean): Promise<FilesLedger> {
    const { folder, destination } = this.#parts;
    const { name, columns: coming, strategy } = destination;
    const known = await readLedger(folder, this.#name);
    const path = join(folder, this.#nextFile(known ?? emptyLedger));
    if (!known && strategy !== "replace" && (await isThere(path))) {
      throw new DataProblem(
        `${path} is there already, and Lakehelm has not written it. Move it away, or use the write strategy "replace".`,
      );
    }
    const there = known?.columns ?? [];
    const { added } = fitColumns({ table: name, there, coming, fits: duckdbFits });
    const columns = [...there, ...added].map((column) => ({ name: column.name, type: column.type }));
    const ledger = { ...(known ?? emptyLedger), columns };
    if (!known || added.length > 0) await writeLedger(folder, this.#name, ledger);
    const isComing = (column: { name: string }) => coming.some((one) => one.name === column.name);
    return whole ? { ...ledger, columns: columns.filter(isComing) } : ledger;
  }

  #after(ledger: FilesLedger, written: { file: string[]; rows: number; whole: boolean }): FilesLedger {
    const { file, rows, whole } = written;
    if (this.#appends && !whole) {
      return { ...ledger, files: [...ledger.files, ...file], rows: ledger.rows + rows };
    }
    // What other streams have written is not there any more, if this is the whole.
    return { ...ledger, files: file, rows, marks: whole ? {} : ledger.marks };
  }

  /** The number of a part comes from the ledger: until that is written, a run writes the same part again. */
  #nextFile({ files }: FilesLedger): string {
    const { format, destination } = this.#parts;
    if (!this.#appends) return `${destination.name}.${format.extension}`;
    const last = Number(/part-(\d+)/.exec(files.at(-1)?.slice(destination.name.length) ?? "")?.[1] ?? 0);
    return `${destination.name}/part-${String(last + 1).padStart(6, "0")}.${format.extension}`;
  }

  async #existing({ files }: FilesLedger): Promise<string[]> {
    const paths = files.map((file) => join(this.#parts.folder, file));
    const there = await Promise.all(paths.map(isThere));
    return paths.filter((_, at) => there[at]);
  }
}
