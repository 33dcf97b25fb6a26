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

/** Whether a value under this key is a secret: `dbPassword`, `client-secret`, `X-Api-Key`. */
export function isSecretKey(key: string): boolean {
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
