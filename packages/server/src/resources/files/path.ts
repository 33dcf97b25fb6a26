import { conflict } from "../../core/errors.ts";
import { requirePlainName } from "../../core/plain-name.ts";

/** The longest name in common file systems, and a path length that leaves space for our own folders. */
const maxNameBytes = 255;
const maxPathBytes = 1024;

/** Limits the depth of folders, because folders count neither as files nor as bytes. */
const mostNames = 32;

/** The prefix of Lakehelm's own names. */
const reserved = ".lakehelm-";

/** A key that is equal for all spellings that some file system treats as the same: macOS and Windows ignore case. */
export const foldedPath = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase();

/** The segments of a path in a workspace folder. Rejects paths that could leave the folder or are invalid. */
export function segmentsOf(path: string): string[] {
  if (path === "") throw conflict("The path of a file is missing.");
  if (Buffer.byteLength(path) > maxPathBytes)
    throw conflict(`A path can have at most ${maxPathBytes} bytes.`);
  if (path.includes("\0") || path.includes("\\") || !path.isWellFormed()) {
    throw conflict("A path cannot contain backslashes, NUL or invalid characters.");
  }
  const segments = path.split("/");
  for (const name of segments) requireName(name);
  return segments;
}

/** The segments of the path of a file that is written. */
export function newSegmentsOf(path: string): string[] {
  const segments = segmentsOf(path);
  for (const name of segments) requirePlainName("path", name);
  if (segments.length > mostNames) throw conflict(`A path can have at most ${mostNames} names.`);
  return segments;
}

function requireName(name: string): void {
  if (name === "")
    throw conflict("A path cannot contain empty names: remove leading, trailing and double slashes.");
  if (name === "." || name === "..") throw conflict(`A path cannot contain the name "${name}".`);
  if (name.startsWith(reserved)) throw conflict(`Names that begin with "${reserved}" are reserved.`);
  if (Buffer.byteLength(name) > maxNameBytes) {
    throw conflict(`A name in a path can have at most ${maxNameBytes} bytes.`);
  }
}
