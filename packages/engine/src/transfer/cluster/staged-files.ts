import { chmod, constants, copyFile, mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { resolvePath } from "../../protocol/files/folder-access.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { literal } from "../../warehouse/names.ts";
import { scalar } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** The files of one attempt, in a folder that the cluster sees. */
export class StagedFiles {
  readonly #folder: string;
  readonly #local: string;

  private constructor(folder: string, local: string) {
    this.#folder = folder;
    this.#local = local;
  }

  static async open(
    staging: string,
    {
      environment,
      stream,
      attempt,
    }: { readonly environment: string; readonly stream: string; readonly attempt: string },
    warehouse: Pick<Warehouse, "stagingFolder">,
    { folders }: Pick<RequestContext, "folders">,
  ): Promise<StagedFiles> {
    const root = await resolvePath(staging.replace(/^file:\/\//, ""), folders);
    const ofStream = join(root, `lakehelm-${environment}`, stream);
    try {
      await mkdir(ofStream, { recursive: true, mode: folderMode });
      // Others can write to the folder: a link could lead anywhere.
      if ((await realpath(ofStream)) !== ofStream) throw new Error(`${ofStream} leads to another folder`);
      for (const one of [dirname(ofStream), ofStream]) await chmod(one, folderMode);
      // An attempt that was killed left its files. Nothing reads them: a commit that is not in the table is made anew.
      for (const name of await readdir(ofStream))
        await rm(join(ofStream, name), { recursive: true, force: true });
    } catch (error) {
      throw stagingProblem(staging, error);
    }
    return new StagedFiles(join(ofStream, attempt), join(warehouse.stagingFolder, `cluster-${attempt}`));
  }

  /** Writes rows as Parquet. Returns the folder. */
  async write(connection: DuckDBConnection, name: string, select: string): Promise<string> {
    await this.writePart(connection, name, 0, select);
    const shared = await this.share(name);
    await this.discard(name);
    return shared;
  }

  /** Writes rows as Parquet that only this server sees. Returns how many. */
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

  /** Copies the parts to where the cluster sees them. Returns the folder. */
  async share(name: string): Promise<string> {
    const [local, shared] = [join(this.#local, name), join(this.#folder, name)];
    try {
      await mkdir(shared, { recursive: true, mode: folderMode });
      // The mask of this process would hide the rows from the cluster.
      for (const folder of [this.#folder, shared]) await chmod(folder, folderMode);
      for (const part of await readdir(local)) {
        for (const file of await readdir(join(local, part)))
          await copyDurably(join(local, part, file), join(shared, `${part}-${file}`));
      }
    } catch (error) {
      throw stagingProblem(shared, error);
    }
    return shared;
  }

  /** A folder that the cluster can write. */
  async folderForCluster(name: string): Promise<string> {
    const shared = join(this.#folder, name);
    try {
      await mkdir(this.#folder, { recursive: true });
      await chmod(this.#folder, writableMode);
    } catch (error) {
      throw stagingProblem(shared, error);
    }
    return shared;
  }

  async remove(): Promise<void> {
    for (const folder of [this.#local, this.#folder]) {
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** The cluster's user reads by the group of the folder. */
const folderMode = 0o2750;
const writableMode = 0o2770;
const fileMode = 0o640;

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const file = await open(to, "r+");
  try {
    await file.chmod(fileMode);
    await file.sync();
  } finally {
    await file.close();
  }
}

function stagingProblem(path: string, cause: unknown): DataProblem {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const retryable = /^(?:ENOSPC|EIO|EAGAIN|ETIMEDOUT|ESTALE|EDQUOT)$/.test(code);
  const sentence = `Rows cannot be staged in ${path}: ${message}. Check configuration.staging of the environment.`;
  return new DataProblem(sentence, { retryable, cause });
}
