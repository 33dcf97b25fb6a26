import { readdir, stat } from "node:fs/promises";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import type { TargetContext } from "../target/context.ts";
import { pathExists, requireWritable, targetPath } from "../target/paths.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { manifestFolder, readManifest } from "./write/manifest.ts";
import { describeFiles } from "./write/manifest-source.ts";
import type { TargetFileFormat } from "./write/target-format.ts";
import { FilesTargetTable } from "./write/target-table.ts";

/** A folder with files of one format as a target. */
export async function openFilesTarget(
  connection: ConnectionConfig,
  format: TargetFileFormat,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const folder = await targetPath(connection, context);
  await requireFolder(folder);
  const suffix = `.${format.extension}.json`;
  return {
    check: (names) =>
      runChecks(
        async () => {
          await requireWritable(folder);
          return `can write files to ${folder}`;
        },
        names.map((name) => async () => {
          requireFileName(name);
          const manifest = await readManifest(folder, `${name}.${format.extension}`);
          return manifest
            ? `can write ${name}, which has ${manifest.columns.length} columns`
            : `${name} will be created by the first run`;
        }),
      ),
    async discover() {
      const manifestFiles = (await pathExists(manifestFolder(folder)))
        ? await readdir(manifestFolder(folder))
        : [];
      const names = manifestFiles
        .filter((file) => file.endsWith(suffix))
        .map((file) => file.slice(0, -suffix.length));
      const found = await Promise.all(
        names.sort().map(async (name) => {
          const manifest = await readManifest(folder, `${name}.${format.extension}`);
          return manifest ? [describeFiles(name, manifest)] : [];
        }),
      );
      return found.flat();
    },
    async table(destination) {
      requireFileName(destination.name);
      return new FilesTargetTable({ folder, format, destination, context });
    },
    async close() {},
  };
}

/** A file name, not a path. Names that begin with a dot are hidden, or Lakehelm's. */
function requireFileName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/^[^./\\\u0000-\u001f][^/\\\u0000-\u001f]*$/.test(name) && Buffer.byteLength(name) <= 200) return;
  throw new DataProblem(
    `${JSON.stringify(name)} is not a valid file name: it must not begin with ".", contain "/", "\\" or control characters, or be longer than 200 bytes.`,
  );
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new DataProblem(`There is no folder ${folder}.`);
  if (!found.isDirectory()) throw new DataProblem(`${folder} is not a folder.`);
}
