import { createHash } from "node:crypto";
import { trimEnd } from "@lakehelm/contract/text";

/**
 * The name of a folder, a file or a bundle resource: the name itself if it is plain, otherwise its plain characters and eight
 * digits of its hash. Different names have different slugs, also on file systems that ignore case.
 */
export const fileSlug = (name: string): string => slug(name, /^[a-z0-9][a-z0-9_-]*$/, "-");

/** Like `fileSlug`, for the name of a table that belongs to a connector or flow. */
export const tableSlug = (name: string): string => slug(name, /^[a-z][a-z0-9_]*$/, "_");

/** Names that Windows reserves for devices. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/;

function slug(name: string, plain: RegExp, separator: string): string {
  const looksGenerated = /[-_][0-9a-f]{8}$/.test(name) || devices.test(name);
  if (plain.test(name) && name.length <= 64 && !looksGenerated) return name;
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, separator);
  const kept = trimEnd(words.replace(/^[-_]+/, ""), /[-_]/);
  const letterFirst = /^[a-z]/.test(kept) ? kept : `n${separator}${kept}`;
  const digits = createHash("sha256").update(name, "utf8").digest("hex").slice(0, 8);
  return `${trimEnd(letterFirst.slice(0, 48), /[-_]/)}${separator}${digits}`;
}
