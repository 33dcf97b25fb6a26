import { timingSafeEqual } from "node:crypto";

/**
 * Whether a candidate is one of the secrets. All of them are compared, and a comparison takes the same time wherever
 * they differ: a caller can measure at most a length.
 */
export function secretMatcher(secrets: readonly string[]): (candidate: string | Buffer) => boolean {
  const known = secrets.map((secret) => Buffer.from(secret));
  return (candidate) => {
    const sent = typeof candidate === "string" ? Buffer.from(candidate) : candidate;
    let matches = 0;
    for (const secret of known) {
      if (sent.length === secret.length && timingSafeEqual(sent, secret)) matches += 1;
    }
    return matches > 0;
  };
}
