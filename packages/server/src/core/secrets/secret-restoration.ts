import type { Extracted, FreeFormMap, SecretPath } from "./secret-path.ts";

/** Secrets as a tree of the steps of their paths. */
interface SecretTree {
  secret?: Extracted[string];
  readonly below: Map<string | number, SecretTree>;
}

/** The map with its secret values restored, for the platform only. Parts without a secret are not copied. */
export function restoreSecrets(masked: FreeFormMap, secrets: Extracted): FreeFormMap {
  const root: SecretTree = { below: new Map() };
  for (const [location, secret] of Object.entries(secrets)) {
    let at = root;
    for (const step of JSON.parse(location) as SecretPath)
      at = at.below.getOrInsertComputed(step, () => ({ below: new Map() }));
    at.secret = secret;
  }
  return restored(masked, root) as FreeFormMap;
}

function restored(value: unknown, { secret, below }: SecretTree): unknown {
  if (value === null || typeof value !== "object") return secret ?? value;
  if (below.size === 0) return value;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<number, unknown>)
    : { ...value };
  for (const [step, tree] of below) {
    const isThere = Array.isArray(value)
      ? typeof step === "number" && step < value.length
      : typeof step === "string" && Object.hasOwn(value, step);
    if (isThere) copy[step] = restored(copy[step], tree);
  }
  return copy;
}
