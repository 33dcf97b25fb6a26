import { createHash } from "node:crypto";

/** A UUID (version 5) that follows from its parts: the same work has the same id on every server. */
export function derivedId(...parts: readonly string[]): string {
  const hash = createHash("sha1").update(namespace).update(JSON.stringify(parts)).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const text = hash.toString("hex");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    "-",
  );
}

const namespace = "lakehelm spark";
