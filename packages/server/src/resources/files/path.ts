import { conflict } from "../../core/errors.ts";

/** The longest name in common file systems, and a path length that leaves space for our own folders. */
const longestName = 255;
const longestPath = 1024;

/** The prefix of our own names. */
const reserved = ".lakehelm-";

/** A key that is equal for all spellings that some file system treats as the same: macOS and Windows ignore case. */
export const spelledAlike = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase();

/** The segments of a path in a workspace folder. Rejects paths that could leave the folder or are invalid. */
export function namesOf(path: string): string[] {
  if (path === "") throw conflict("The path of a file is missing.");
  if (Buffer.byteLength(path) > longestPath) throw conflict(`A path has at most ${longestPath} bytes.`);
  if (path.includes("\0") || path.includes("\\") || !path.isWellFormed()) {
    throw conflict("A path has no backslashes, NUL or broken characters.");
  }
  const names = path.split("/");
  for (const name of names) requireName(name);
  return names;
}

function requireName(name: string): void {
  if (name === "") throw conflict("A path has no empty names: it neither begins nor ends with a slash.");
  if (name === "." || name === "..") throw conflict(`A path cannot have "${name}" in it.`);
  if (name.startsWith(reserved)) throw conflict(`Names that begin with "${reserved}" are reserved.`);
  if (Buffer.byteLength(name) > longestName) {
    throw conflict(`A name in a path has at most ${longestName} bytes.`);
  }
}
