import { conflict } from "../../core/errors.ts";

/** The longest name that common file systems keep, and a length of paths that leaves room for our own folders. */
const longestName = 255;
const longestPath = 1024;

/** Names that begin so are ours. */
const reserved = ".lakehelm-";

/** One text for all spellings that some disk takes for the same: those of macOS and Windows do not tell `A` from `a`. */
export const spelledAlike = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase();

/** The names in a path of a workspace folder. What could lead out of the folder, or nowhere, is refused. */
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
