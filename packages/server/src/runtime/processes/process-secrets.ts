import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedaction, type Redaction } from "@lakehelm/contract/connections";
import { hasCode } from "../../core/files/disk.ts";
import type { Vault } from "../../core/secrets/vault.ts";

/**
 * The secrets that a process was started with, encrypted in `log-secrets` beside its log. A secret that has been
 * replaced since is still in the log.
 */
export interface ProcessSecrets {
  add(values: readonly string[]): Promise<void>;
  redaction(): Promise<Redaction>;
}

/** Older secrets are only in lines that the log has dropped long ago. */
const maxValues = 200;

export function processSecrets(folder: string, vault: Pick<Vault, "encrypt" | "decrypt">): ProcessSecrets {
  const path = join(folder, "log-secrets");
  let known: { readonly sealed: string; readonly redaction: Redaction } | undefined;
  const read = () =>
    readFile(path, "utf8").catch((error) => {
      if (hasCode(error, "ENOENT")) return "";
      throw error;
    });
  const valuesOf = (sealed: string) => (sealed === "" ? [] : (JSON.parse(vault.decrypt(sealed)) as string[]));
  return {
    async add(values) {
      const before = valuesOf(await read());
      const added = values.filter((value) => !before.includes(value));
      if (added.length === 0) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = [...before, ...added].slice(-maxValues);
      await writeFile(`${path}.new`, vault.encrypt(JSON.stringify(kept)), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    async redaction() {
      const sealed = await read();
      // Cached, because a followed log is read three times a second.
      if (known?.sealed !== sealed) known = { sealed, redaction: createRedaction(valuesOf(sealed)) };
      return known.redaction;
    },
  };
}
