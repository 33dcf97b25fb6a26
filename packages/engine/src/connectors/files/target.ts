import { stat } from "node:fs/promises";
import { field, storageFields } from "@lakehelm/contract/connections";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import { createS3Client } from "../s3/client.ts";
import { isS3Path } from "../s3/location.ts";
import { readS3Settings } from "../s3/settings.ts";
import { s3TargetStore } from "../s3/target-store.ts";
import { readTargetSettings } from "../settings.ts";
import type { TargetContext } from "../target/context.ts";
import { targetPath } from "../target/paths.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { localTargetStore } from "./write/local-target-store.ts";
import { describeFiles } from "./write/manifest-source.ts";
import type { TargetFileFormat } from "./write/target-format.ts";
import type { TargetStore } from "./write/target-store.ts";
import { FilesTargetTable } from "./write/target-table.ts";

const fields = { ...storageFields, path: field.text() };

/** A folder or a bucket with files of one format as a target. */
export async function openFilesTarget(
  connection: ConnectionConfig,
  format: TargetFileFormat,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const store = await openStore(connection, context);
  const manifestOf = (name: string) => store.readManifest(`${name}.${format.extension}`);
  const suffix = `.${format.extension}`;
  return {
    check: (names) =>
      runChecks(
        async () => {
          await store.requireWritable();
          return `can write files to ${store.place}`;
        },
        names.map((name) => async () => {
          requireFileName(name);
          const manifest = await manifestOf(name);
          return manifest
            ? `can write ${name}, which has ${counted(manifest.columns.length, "column")}`
            : `${name} will be created by the first run`;
        }),
      ),
    async discover() {
      const names = (await store.manifests())
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length));
      const found = await Promise.all(
        names.sort().map(async (name) => {
          const manifest = await manifestOf(name);
          return manifest ? [describeFiles(name, manifest)] : [];
        }),
      );
      return found.flat();
    },
    async table(destination) {
      requireFileName(destination.name);
      return new FilesTargetTable({ store, format, destination, context });
    },
    async close() {},
  };
}

async function openStore(connection: ConnectionConfig, context: TargetContext): Promise<TargetStore> {
  const { path } = readTargetSettings(fields, connection, (values) => values);
  if (!isS3Path(path)) {
    const folder = await targetPath(connection, context);
    await requireFolder(folder);
    return localTargetStore(folder);
  }
  const settings = readS3Settings(connection.config, "target_config");
  const client = createS3Client(settings, context.egress, context.signal);
  return s3TargetStore(client, context);
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
