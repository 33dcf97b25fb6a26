import { createWriteStream } from "node:fs";
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openPlainFile } from "../../../connectors/plain-file.ts";
import { resolvePath } from "../../../protocol/files/folder-access.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import {
  isWrittenPart,
  requireRetrievable,
  type StagedAttempt,
  type Staging,
  type StagingContext,
} from "./staging.ts";

/** The cluster's user reads by the group of the folder. */
const folderMode = 0o2750;
const writableMode = 0o2770;
const fileMode = 0o640;

/** A folder that is mounted here and on the cluster under the same path. */
export async function openFolder(
  path: string,
  { environment, stream, attempt }: StagedAttempt,
  context: StagingContext,
): Promise<Staging> {
  const { folders, signal } = context;
  const root = await resolvePath(path.replace(/^file:\/\//, ""), folders);
  const ofStream = join(root, `lakehelm-${environment}`, stream);
  const own = join(ofStream, attempt);
  const address = (folder: string) => `file://${join(own, folder)}`;
  const explained = async <Result>(place: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof DataProblem ? error : stagingProblem(place, error);
    }
  };

  await explained(path, async () => {
    // The folder is not created here, because the cluster would not see it.
    if (!(await isFolder(root))) throw new Error("there is no such folder");
    await mkdir(ofStream, { recursive: true, mode: folderMode });
    // Others can write to the folder: a link could lead anywhere.
    if ((await realpath(ofStream)) !== ofStream) throw new Error(`${ofStream} leads to another folder`);
    for (const one of [dirname(ofStream), ofStream]) await chmod(one, folderMode);
    // An attempt that was killed left its files. Nothing reads them: a commit that is not in the table is made again.
    for (const name of await readdir(ofStream))
      await rm(join(ofStream, name), { recursive: true, force: true });
  });
  return {
    store: (folder, files) =>
      explained(join(own, folder), async () => {
        const shared = join(own, folder);
        await mkdir(shared, { recursive: true, mode: folderMode });
        // The umask of this process would hide the rows from the cluster.
        for (const one of [own, shared]) await chmod(one, folderMode);
        for (const { name, path: from } of files) await copyDurably(from, join(shared, name));
        return address(folder);
      }),
    writableByCluster: (folder) =>
      explained(join(own, folder), async () => {
        await mkdir(own, { recursive: true });
        await chmod(own, writableMode);
        return address(folder);
      }),
    retrieve: (folder, extension, into) =>
      explained(join(own, folder), async () => {
        const written = join(own, folder);
        // Only files of this folder: a link could lead to one that the cluster must not see.
        if ((await realpath(written)) !== written) throw new Error("it leads to another folder");
        const found = (await readdir(written, { withFileTypes: true })).filter(
          (file) => file.isFile() && isWrittenPart(file.name, extension),
        );
        let bytes = 0;
        for (const { name } of found) bytes += (await lstat(join(written, name))).size;
        await requireRetrievable(into, bytes, context);
        for (const { name } of found) {
          const from = (await openPlainFile(join(written, name))).createReadStream({
            highWaterMark: 2 ** 20,
          });
          await pipeline(from, createWriteStream(join(into, name), { flags: "wx", mode: 0o600 }), { signal });
        }
        return found.length;
      }),
    async remove() {
      await rm(own, { recursive: true, force: true })
        .then(() => rmdir(ofStream))
        .catch(() => {});
    },
  };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

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
