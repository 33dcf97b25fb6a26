import { isSecretKey } from "@lakehelm/contract/connections";

/** Headers whose values people write down without a second thought. */
const openHeaders = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "api-version",
  "cache-control",
  "content-type",
  "prefer",
  "user-agent",
  "x-api-version",
]);

/**
 * Whether the value at this path of a config may be a secret. What is taken for one by mistake costs somebody a secret
 * to create; what is missed stands in a file for all to read. So every header counts that is not known to be open, and
 * words of drivers that have no words in them (`sslpassword`, `passcode`, `keyVaultProviderClientKey`).
 */
export function mayBeSecret(path: readonly string[]): boolean {
  const key = path.at(-1) ?? "";
  if (path[0] === "headers" && path.length > 1) return !openHeaders.has(key.toLowerCase());
  return (
    isSecretKey(key) || /passw|passcode|passphrase|pwd|secret|token|credential|key$|^sas$|sastoken/i.test(key)
  );
}
