import { hash, timingSafeEqual } from "node:crypto";

const digest = (secret: string | Buffer) => hash("sha256", secret, "buffer");

/**
 * Tells whether a candidate is one of the secrets, in constant time: digests have one length, and all of
 * them are compared whichever matches.
 */
export function secretMatcher(secrets: readonly string[]): (candidate: string | Buffer) => boolean {
  const digests = secrets.map(digest);
  return (candidate) => {
    const found = digest(candidate);
    return digests.filter((known) => timingSafeEqual(known, found)).length > 0;
  };
}
