import { contextBelow, isSecretKey, type SecretContext } from "@lakehelm/contract/connections";

/**
 * Whether the value at this path of a config may be a secret. A false positive costs one more secret to create; a miss
 * writes a secret into a file. So every header counts unless it is known to be harmless, and so do driver settings such
 * as `passcode` and `keyVaultProviderClientKey`.
 */
export function mayBeSecret(path: readonly string[]): boolean {
  let context: SecretContext = "plain";
  // `{}` stands for the value on the path, because only a map or list can be a map of headers.
  path.forEach((key, at) => {
    context = contextBelow(key, at < path.length - 1 ? {} : "", context);
  });
  const key = path.at(-1) ?? "";
  return (
    (context as SecretContext) === "secret" ||
    isSecretKey(key) ||
    /(?:secret|token|credential|key)$/i.test(key)
  );
}
