import { createHash } from "node:crypto";

/** One file of a design, by its relative path. */
export interface DesignFile {
  readonly path: string;
  readonly content: string;
}

/**
 * One hash over a set of files, the same on any machine. The order of the files does not count, nor does
 * how lines end (CRLF, CR or LF), nor line ends at the end of a file: git, editors and operating systems
 * change these without anybody wanting a new design. Everything is prefixed with its length in bytes, so
 * that nothing can be moved between a path and a content, or between two files, without being seen.
 */
export function contentHash(files: readonly DesignFile[]): string {
  const hash = createHash("sha256");
  const add = (text: string) => {
    const bytes = Buffer.from(text, "utf8");
    hash.update(`${bytes.length}:`).update(bytes);
  };
  const texts = files.map(({ path, content }) => ({ path, content: withPlainLines(content) }));
  for (const { path, content } of texts.toSorted(inOrder)) {
    add(path);
    add(content);
  }
  return `sha256:${hash.digest("hex")}`;
}

const withPlainLines = (content: string) => content.replace(/\r\n?/g, "\n").replace(/(?<!\n)\n+$/, "");

const inOrder = (a: DesignFile, b: DesignFile) =>
  compareCodeUnits(a.path, b.path) || compareCodeUnits(a.content, b.content);

/** By code units: a locale would sort differently from machine to machine. */
export const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : Number(a > b));
