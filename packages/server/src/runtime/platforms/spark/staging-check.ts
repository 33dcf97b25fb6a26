import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedaction } from "@lakehelm/contract/connections";
import { type FolderAccess, isS3Path, type StagingConfig } from "@lakehelm/engine";
import type { EgressRules } from "@lakehelm/engine/egress";
import { openStaging, type Staging, stagingCredentials } from "@lakehelm/engine/staging";
import type { SparkSession } from "@lakehelm/spark-connect";
import { sqlString } from "@lakehelm/sql/names";
import { type Finding, failed, ok, skipped } from "./check-finding.ts";
import type { Cluster } from "./clusters.ts";
import { rowsOf } from "./warehouse/catalog.ts";

interface StagingCheckOptions {
  readonly folders: FolderAccess;
  readonly egress: EgressRules;
  readonly signal: AbortSignal;
}

/** Enough for a random text and a line end. Anything else that the cluster wrote there is not copied. */
const mostRetrievedBytes = 1_000;

/** What to do when the server or the cluster cannot use `staging`. */
export const stagingAction = ({ configuration: { staging } }: Pick<Cluster, "configuration">): string =>
  staging !== null && isS3Path(staging)
    ? "Check configuration.staging_options, and that the cluster has hadoop-aws and a key of the bucket; see docs/reference/spark.md."
    : "Create the folder, grant it to connectors, and mount it on the driver and all workers of the cluster.";

/** Whether each side reads what the other one writes: a file with a random text goes there and back. */
export async function checkStaging(
  cluster: Cluster,
  environment: string,
  context: StagingCheckOptions,
): Promise<Finding> {
  const config = await cluster.staging();
  if (config === null) return skipped("configuration.staging is not set, so connectors cannot load rows.");
  // The answers of a bucket may repeat what was sent.
  return createRedaction(stagingCredentials(config)).outcome(
    checkPlace(cluster, environment, config, context),
  );
}

async function checkPlace(
  cluster: Cluster,
  environment: string,
  config: StagingConfig,
  { folders, egress, signal }: StagingCheckOptions,
): Promise<Finding> {
  const attempt = randomUUID();
  const staging = await openStaging(
    config,
    { environment, stream: `check-${attempt}`, attempt },
    { folders, egress, signal, diskReserveMb: 0, mostRetrievedBytes },
  );
  try {
    return await sentAndReturned(cluster, staging, { place: config.path, text: attempt, signal });
  } finally {
    await staging.remove();
  }
}

async function sentAndReturned(
  cluster: Cluster,
  staging: Staging,
  { place, text, signal }: { readonly place: string; readonly text: string; readonly signal: AbortSignal },
): Promise<Finding> {
  const local = await mkdtemp(join(tmpdir(), "lakehelm-check-"));
  let session: SparkSession | undefined;
  try {
    session = await cluster.session(randomUUID());
    const [sent, returned] = [join(local, "sent"), join(local, "returned")];
    await writeFile(sent, text);
    await mkdir(returned);
    const address = await staging.store("sent", [{ name: "sent.txt", path: sent }]);
    const view = `CREATE TEMPORARY VIEW staging (value STRING) USING text OPTIONS (path ${sqlString(address)})`;
    await rowsOf(session, view, signal);
    const rows = await rowsOf(session, "SELECT value FROM staging", signal);
    if (rows[0]?.[0] !== text) {
      return failed(
        `The cluster has another ${place} than this server: it does not see the file that this server wrote.`,
        stagingAction(cluster),
      );
    }
    const target = await staging.writableByCluster("returned");
    await rowsOf(
      session,
      `INSERT OVERWRITE DIRECTORY ${sqlString(target)} USING text SELECT value FROM staging`,
      signal,
    );
    await staging.retrieve("returned", ".txt", returned);
    const [name] = await readdir(returned);
    const found = name === undefined ? "" : (await readFile(join(returned, name), "utf8")).trim();
    if (found !== text) {
      return failed(
        `This server does not see what the cluster writes to ${place}: exports and previews need that.`,
        stagingAction(cluster),
      );
    }
    return ok(`This server and the cluster can both write to ${place}, and each sees what the other wrote.`);
  } finally {
    await rm(local, { recursive: true, force: true });
    await session?.release().catch(() => undefined);
  }
}
