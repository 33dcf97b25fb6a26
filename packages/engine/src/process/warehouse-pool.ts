import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withFileMutex } from "../warehouse/file-mutex.ts";
import { Warehouse, type WarehouseOptions } from "../warehouse/warehouse.ts";

/** The open warehouses of this process, one per environment. */
export class WarehousePool {
  /** `folder` holds one folder per environment. */
  readonly #options: WarehouseOptions;
  readonly #open = new Map<string, Promise<Warehouse>>();
  readonly #dropping = new Map<string, Promise<void>>();

  constructor(options: WarehouseOptions) {
    this.#options = options;
  }

  get(environment: string): Promise<Warehouse> {
    const known = this.#open.get(environment);
    if (known) return known;
    const opening = this.#openNew(environment);
    this.#open.set(environment, opening);
    opening.catch(() => this.#open.delete(environment));
    return opening;
  }

  async #openNew(environment: string): Promise<Warehouse> {
    const folder = this.#folderOf(environment);
    await this.#dropping.get(environment);
    return Warehouse.open({ ...this.#options, folder });
  }

  /** A warehouse that is not open stays closed meanwhile. */
  holdCommits(environment: string, work: () => Promise<void>): Promise<void> {
    return withFileMutex(this.#folderOf(environment), work);
  }

  /** Deletes a warehouse once `ended` is fulfilled. Requests for it wait until then and get a new one. */
  async drop(environment: string, ended: Promise<unknown>): Promise<void> {
    const opened = this.#open.get(environment);
    this.#open.delete(environment);
    const dropping = this.#remove(this.#folderOf(environment), opened, ended);
    this.#dropping.set(environment, dropping);
    await dropping.finally(() => this.#dropping.delete(environment));
  }

  async #remove(
    folder: string,
    opened: Promise<Warehouse> | undefined,
    ended: Promise<unknown>,
  ): Promise<void> {
    await ended;
    (await opened?.catch(() => undefined))?.close();
    await rm(folder, { recursive: true, force: true });
  }

  /** DuckDB writes its logs into the database files when it closes them. */
  async close(): Promise<void> {
    for (const opened of this.#open.values()) (await opened.catch(() => undefined))?.close();
    this.#open.clear();
  }

  #folderOf(environment: string): string {
    if (!/^[\w-][\w.-]*$/.test(environment)) {
      throw new Error(`${JSON.stringify(environment)} cannot be the name of a folder.`);
    }
    return join(this.#options.folder, environment);
  }
}
