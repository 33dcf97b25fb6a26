import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { StagingConfig } from "../../protocol/transfer.ts";
import { literal } from "../../warehouse/names.ts";
import { scalar } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openStaging, type Staging } from "./staging/index.ts";
import type { StagedAttempt } from "./staging/staging.ts";

/** The Parquet files of one attempt: DuckDB writes and reads them on this machine, the cluster where they are staged. */
export class StagedFiles {
  readonly #staging: Staging;
  readonly #local: string;

  private constructor(staging: Staging, local: string) {
    this.#staging = staging;
    this.#local = local;
  }

  static async open(
    staging: StagingConfig,
    attempt: StagedAttempt,
    { stagingFolder, limits: { diskReserveMb } }: Pick<Warehouse, "stagingFolder" | "limits">,
    { folders, egress, signal }: Pick<RequestContext, "folders" | "egress" | "signal">,
  ): Promise<StagedFiles> {
    const opened = await openStaging(staging, attempt, { folders, egress, signal, diskReserveMb });
    return new StagedFiles(opened, join(stagingFolder, `cluster-${attempt.attempt}`));
  }

  /** Writes rows as Parquet. Returns the address of the folder for the cluster. */
  async write(connection: DuckDBConnection, name: string, select: string): Promise<string> {
    await this.writePart(connection, name, 0, select);
    const address = await this.share(name);
    await this.discard(name);
    return address;
  }

  /** Writes rows as Parquet that only this server sees. Returns the number of rows. */
  async writePart(connection: DuckDBConnection, name: string, part: number, select: string): Promise<number> {
    const local = join(this.#local, name);
    await mkdir(local, { recursive: true });
    const written = await scalar(
      connection,
      `COPY (${select}) TO ${literal(join(local, String(part)))} (FORMAT parquet, COMPRESSION zstd, PER_THREAD_OUTPUT true)`,
    );
    return Number(written);
  }

  /** Removes the parts. What the cluster sees stays. */
  async discard(name: string): Promise<void> {
    await rm(join(this.#local, name), { recursive: true, force: true });
  }

  /** SQL: the rows of all parts that were written. */
  relationOf(name: string): string {
    return `read_parquet(${literal(join(this.#local, name, "*", "*.parquet"))})`;
  }

  /** Copies the parts to where the cluster sees them. Returns the address of the folder for the cluster. */
  async share(name: string): Promise<string> {
    const local = join(this.#local, name);
    const parts = await readdir(local);
    const files = await Promise.all(
      parts.map(async (part) =>
        (await readdir(join(local, part))).map((file) => ({
          name: `${part}-${file}`,
          path: join(local, part, file),
        })),
      ),
    );
    return this.#staging.store(name, files.flat());
  }

  /** Lets the cluster write a folder. Returns the address of the folder for the cluster. */
  writableByCluster(name: string): Promise<string> {
    return this.#staging.writableByCluster(name);
  }

  /** SQL: the rows that the cluster wrote to a folder, until it is discarded; undefined if there are no files. */
  async retrieve(name: string): Promise<string | undefined> {
    const local = join(this.#local, name, "retrieved");
    await mkdir(local, { recursive: true });
    const count = await this.#staging.retrieve(name, ".parquet", local);
    return count === 0 ? undefined : this.relationOf(name);
  }

  async remove(): Promise<void> {
    await rm(this.#local, { recursive: true, force: true }).catch(() => {});
    await this.#staging.remove();
  }
}
