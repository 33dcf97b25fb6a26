/**
 * Verifies the files that retention has archived, without a running server:
 *
 *     npm run verify-archive -- <archive folder>
 *
 * With the secret key (`PLATFORM_SECRET_KEY_FILE`, `PLATFORM_SECRET_KEY`, or `secret-key` in `PLATFORM_DATA_DIR`) it
 * also checks every hash of the event log and the signature of every line of the manifests.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted, verbFor } from "../packages/contract/src/text/index.ts";
import { eventKey } from "../packages/server/src/core/events/chain.ts";
import { verifyArchive } from "../packages/server/src/core/retention/archive-verification.ts";
import { openVault } from "../packages/server/src/core/secrets/vault.ts";
import { readCredentialFiles } from "../packages/server/src/credentials.ts";

const [folder, ...more] = process.argv.slice(3);
if (folder === undefined || more.length > 0) {
  console.error("usage: npm run verify-archive -- <archive folder>");
  process.exit(2);
}

const secret = secretKey();
const key =
  secret === undefined
    ? undefined
    : eventKey(openVault(secret, () => Buffer.alloc(0)).deriveKey("event log"));
const verdicts = await verifyArchive(resolve(folder), key).catch((error: Error) => {
  console.error(error.message);
  process.exit(2);
});

for (const { kind, files, records, first, last, replaced, unlisted, problems } of verdicts) {
  const range = first === undefined ? "" : `, ${first} to ${last}`;
  console.log(
    `${kind}: ${problems.length === 0 ? "intact" : "NOT INTACT"}, ${counted(records, "record")} in ${counted(files, "file")}${range}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (replaced.length > 0)
    console.log(
      `  ${counted(replaced.length, "file")} ${verbFor(replaced.length, "was", "were")} replaced by later ones.`,
    );
  if (unlisted.length > 0)
    console.log(
      `  ${counted(unlisted.length, "file")} ${verbFor(unlisted.length, "is", "are")} not in the manifest: an interrupted write left ${verbFor(unlisted.length, "it", "them")}.`,
    );
}
if (verdicts.length === 0) console.log(`${folder} has no archive.`);
if (key === undefined)
  console.log(
    "Without the secret key, only checksums and positions were compared: set PLATFORM_SECRET_KEY_FILE.",
  );
process.exit(verdicts.length > 0 && verdicts.every(({ problems }) => problems.length === 0) ? 0 : 1);

function secretKey(): string | undefined {
  const { PLATFORM_SECRET_KEY: set, PLATFORM_DATA_DIR: dataDir = "data" } = readCredentialFiles(process.env);
  if (set) return set;
  try {
    return readFileSync(join(dataDir, "secret-key"), "utf8").trim();
  } catch {
    return undefined;
  }
}
