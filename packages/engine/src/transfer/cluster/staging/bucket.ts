import { basename, join } from "node:path";
import { createS3Client, type S3Client } from "../../../connectors/s3/client.ts";
import { download } from "../../../connectors/s3/download.ts";
import { inParallel } from "../../../connectors/s3/in-parallel.ts";
import { objectsBelow } from "../../../connectors/s3/listing.ts";
import { readS3Settings } from "../../../connectors/s3/settings.ts";
import { abortUnfinishedBelow, deleteObject, upload } from "../../../connectors/s3/upload.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import type { StagingConfig } from "../../../protocol/transfer.ts";
import {
  isWrittenPart,
  requireRetrievable,
  type StagedAttempt,
  type Staging,
  type StagingContext,
} from "./staging.ts";

/** Each upload holds up to 32 MB in memory. */
const uploadsAtOnce = 2;
const downloadsAtOnce = 4;
const deletionsAtOnce = 8;
/** A run that was cancelled still removes its objects, but must end soon. */
const removeCancelledMs = 5_000;
const removeMs = 60_000;

/** Objects below a prefix of a bucket, which the cluster names `s3a://`. */
export async function openBucket(
  config: StagingConfig,
  { environment, stream, attempt }: StagedAttempt,
  context: StagingContext,
): Promise<Staging> {
  const { egress, signal } = context;
  const settings = readS3Settings(config, "configuration.staging_options of the environment");
  if (settings.credentials === undefined) {
    throw new DataProblem(
      `Rows cannot be staged in ${config.path} without credentials. Set access_key_id and secret_access_key in configuration.staging_options of the environment.`,
    );
  }
  const client = createS3Client(settings, egress, signal);
  const ofStream = `${settings.prefix}lakehelm-${environment}/${stream}/`;
  const keyOf = (folder: string) => `${ofStream}${attempt}/${folder}/`;
  const addressOf = (folder: string) => `s3a://${settings.bucket}/${keyOf(folder).slice(0, -1)}`;

  // An attempt that was killed left its objects. Nothing reads them: a commit that is not in the table is made again.
  await removeBelow(client, ofStream);
  return {
    async store(folder, files) {
      await inParallel(files, uploadsAtOnce, ({ name, path }) => upload(client, keyOf(folder) + name, path));
      return addressOf(folder);
    },
    writableByCluster: async (folder) => addressOf(folder),
    async retrieve(folder, extension, into) {
      const found: { readonly key: string; readonly size: number; readonly version: string }[] = [];
      for await (const { key, size, etag } of objectsBelow(client, keyOf(folder))) {
        const isDirect = !key.slice(keyOf(folder).length).includes("/");
        if (isDirect && isWrittenPart(basename(key), extension)) found.push({ key, size, version: etag });
      }
      const bytes = found.reduce((sum, { size }) => sum + size, 0);
      await requireRetrievable(into, bytes, context);
      await inParallel(found, downloadsAtOnce, async (object) => {
        await download(client, object, join(into, basename(object.key)));
      });
      return found.length;
    },
    async remove() {
      const closing = createS3Client(
        settings,
        egress,
        AbortSignal.timeout(signal.aborted ? removeCancelledMs : removeMs),
      );
      await removeBelow(closing, `${ofStream}${attempt}/`).catch(() => {});
    },
  };
}

async function removeBelow(client: S3Client, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of objectsBelow(client, prefix)) keys.push(key);
  await inParallel(keys, deletionsAtOnce, (key) => deleteObject(client, key));
  await abortUnfinishedBelow(client, prefix);
}
