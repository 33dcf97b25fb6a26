import type { DuckDBConnection } from "@duckdb/node-api";
import type { FileArrivals } from "../connectors/source/source.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { readFilesTable } from "../warehouse/internal-tables.ts";
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

  constructor(catalog: string, dataset: Dataset) {
    this.#table = readFilesTable(catalog);
    this.#stream = literal(streamId(dataset));
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
}
