import { isSecretKey } from "@lakehelm/contract/connections";

/** Headers that never contain secrets. */
const harmlessHeaders = new Set([
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
 * Whether the value at this path of a config may be a secret. A false positive costs one more secret to create; a miss puts a
 * secret into a file. So every header counts unless it is known to be harmless, and so do driver settings such as `sslpassword`,
 * `passcode` and `keyVaultProviderClientKey`.
 */
export function mayBeSecret(path: readonly string[]): boolean {
  const key = path.at(-1) ?? "";
  if (path[0] === "headers" && path.length > 1) return !harmlessHeaders.has(key.toLowerCase());
  return (
    isSecretKey(key) || /passw|passcode|passphrase|pwd|secret|token|credential|key$|^sas$|sastoken/i.test(key)
  );
}
