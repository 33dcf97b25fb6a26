/** Replaces a secret value in responses, logs and events. A caller that sends it keeps the stored value. */
export const secretMask = "********";

const secretWords = new Set([
  "password",
  "passwd",
  "passphrase",
  "secret",
  "secrets",
  "token",
  "credential",
  "credentials",
  "authorization",
]);
const secretKeys = /^(api|access|private|secret|account|shared|encryption|signing|master|sas)_?key$/;

/** The same keys recur in every request, so the results for short keys are cached. */
const cache = new Map<string, boolean>();
const maxCacheSize = 4096;
const maxCachedLength = 100;

/** Whether a value under this key is a secret: `dbPassword`, `client-secret`, `X-Api-Key`. */
export function isSecretKey(key: string): boolean {
  let isSecret = cache.get(key);
  if (isSecret === undefined) {
    isSecret = hasSecretWord(key);
    if (cache.size < maxCacheSize && key.length < maxCachedLength) cache.set(key, isSecret);
  }
  return isSecret;
}

function hasSecretWord(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return (
    words.some((word) => secretWords.has(word) || secretKeys.test(word)) ||
    words.some((_, at) => secretKeys.test(words.slice(at, at + 2).join("_")))
  );
}
