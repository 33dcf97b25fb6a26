import type { ExpectedVersion } from "../../core/store/requests.ts";

/**
 * Reads `If-Match`: our entity tags are version numbers in quotes, some with a digest after the number. Any other tag
 * matches no version.
 */
export function readIfMatch(header: string | undefined): ExpectedVersion | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return header.split(",").flatMap((tag) => {
    const version = /^"(0|[1-9]\d{0,15})(?:-[\w-]{1,64})?"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** Whether `If-None-Match` names this entity tag, by weak comparison (RFC 9110, 13.1.2): the caller has the answer already. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const tags: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag);
}
