import type { DuckDBConnection } from "@duckdb/node-api";
import type { FileArrivals, ReadContent } from "../connectors/source/source.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { fileContentsTable, readFilesTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { streamId } from "./checkpoints.ts";

/** Identities of files that are gone are kept up to this number: a file that comes back is not read again. */
const maxIdentities = 200_000;
const batchSize = 10_000;

/** The files of a dataset that earlier runs have read, by their identities. */
export class ReadFiles implements FileArrivals {
  readonly #table: string;
  readonly #stream: string;
  #known: ReadonlySet<bigint> | undefined;
  #listed: readonly bigint[] = [];
  readonly appends: boolean;
  readonly #contents: string;
  readonly #byPlace = new Map<string, ReadContent>();
  readonly #byName = new Map<string, ReadContent>();
  #added: ReadContent[] = [];

  constructor(catalog: string, dataset: Dataset) {
    this.#table = readFilesTable(catalog);
    this.#stream = literal(streamId(dataset));
    this.#contents = fileContentsTable(catalog);
    // A full refresh of appended rows replaces them.
    this.appends = dataset.strategy !== "upsert";
  }

  /** False until a run has recorded its files: then only the time of a file tells whether it is new. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  async load(connection: DuckDBConnection): Promise<void> {
    const found = await connection.runAndReadAll(
      `SELECT file FROM ${this.#table} WHERE stream = ${this.#stream}`,
    );
    const identities = found.getColumns()[0] ?? [];
    if (identities.length > 0) this.#known = new Set(identities.map((one) => BigInt(String(one))));
    if (!this.appends) return;
    const contents = await connection.runAndReadAll(
      `SELECT name, place, bytes, digest, lines FROM ${this.#contents} WHERE stream = ${this.#stream} ORDER BY rowid`,
    );
    for (const [name, place, bytes, digest, lines] of contents.getRowsJson()) {
      const content: ReadContent = {
        ...{ name: String(name), place: String(place), digest: String(digest) },
        ...{ bytes: Number(bytes), lines: Number(lines) },
      };
      this.#byName.set(content.name, content);
      if (content.place !== "") this.#byPlace.set(content.place, content);
    }
  }

  contentOf(name: string, place: string): ReadContent | undefined {
    return this.#byPlace.get(place) ?? this.#byName.get(name);
  }

  addContent(content: ReadContent): void {
    this.#added.push(content);
  }

  /** What this run has read of its files, if rows are appended. */
  get contents(): readonly ReadContent[] {
    return this.#added;
  }

  wasRead(identities: readonly bigint[]): boolean | undefined {
    return this.#known && identities.some((one) => this.#known?.has(one));
  }

  list(identities: readonly bigint[]): void {
    this.#listed = identities;
  }

  /** The files that this run has found. */
  get listed(): readonly bigint[] {
    return this.#listed;
  }

  /** Records the files of this run, in the transaction of the connection. */
  async record(connection: DuckDBConnection): Promise<void> {
    await this.#recordContents(connection);
    const known = this.#known ?? new Set();
    const added = this.#listed.filter((one) => !known.has(one));
    if (added.length === 0) return;
    const isFull = known.size + added.length > Math.max(maxIdentities, 2 * this.#listed.length);
    if (!this.#known || isFull)
      await connection.run(`DELETE FROM ${this.#table} WHERE stream = ${this.#stream}`);
    const rows = !this.#known || isFull ? this.#listed : added;
    for (let at = 0; at < rows.length; at += batchSize) {
      await connection.run(
        `INSERT INTO ${this.#table} SELECT ${this.#stream}, unnest([${rows.slice(at, at + batchSize).join(", ")}]::UBIGINT[])`,
      );
    }
  }

  async #recordContents(connection: DuckDBConnection): Promise<void> {
    const ofStream = `${this.#contents} WHERE stream = ${this.#stream}`;
    // A run that reads all files again knows of no earlier ones.
    if (!this.#known && this.#listed.length > 0) await connection.run(`DELETE FROM ${ofStream}`);
    for (let at = 0; at < this.#added.length; at += 1_000) {
      const some = this.#added.slice(at, at + 1_000);
      const places = some.filter(({ place }) => place !== "").map(({ place }) => literal(place));
      const isReplaced = [
        `name IN (${some.map(({ name }) => literal(name)).join(", ")})`,
        ...(places.length > 0 ? [`place IN (${places.join(", ")})`] : []),
      ];
      await connection.run(`DELETE FROM ${ofStream} AND (${isReplaced.join(" OR ")})`);
      const rows = some.map(
        ({ name, place, bytes, digest, lines }) =>
          `(${this.#stream}, ${literal(name)}, ${literal(place)}, ${bytes}, ${literal(digest)}, ${lines})`,
      );
      await connection.run(`INSERT INTO ${this.#contents} VALUES ${rows.join(", ")}`);
    }
    if (this.#byName.size + this.#added.length <= maxIdentities) return;
    const newest = `SELECT rowid FROM ${ofStream} ORDER BY rowid DESC LIMIT ${maxIdentities}`;
    await connection.run(`DELETE FROM ${ofStream} AND rowid NOT IN (${newest})`);
  }
}
