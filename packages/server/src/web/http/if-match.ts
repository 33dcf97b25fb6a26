import type { ExpectedVersion } from "../../core/store/requests.ts";

/** Reads `If-Match`: our entity tags are version numbers in quotes. A tag that is none of ours matches no version. */
export function readIfMatch(header: string | undefined): ExpectedVersion | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return header.split(",").flatMap((tag) => {
    const version = /^"(0|[1-9]\d{0,15})"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
