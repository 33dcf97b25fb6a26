import { isS3Path } from "../../../connectors/s3/location.ts";
import type { StagingConfig } from "../../../protocol/transfer.ts";
import { openBucket } from "./bucket.ts";
import { openFolder } from "./folder.ts";
import type { StagedAttempt, Staging, StagingContext } from "./staging.ts";

export { stagingCredentials } from "../../connection-redaction.ts";
export type { Staging } from "./staging.ts";

/** Opens the place for the files of an attempt, and removes what earlier attempts left there. */
export const openStaging = (
  config: StagingConfig,
  attempt: StagedAttempt,
  context: StagingContext,
): Promise<Staging> =>
  isS3Path(config.path) ? openBucket(config, attempt, context) : openFolder(config.path, attempt, context);
