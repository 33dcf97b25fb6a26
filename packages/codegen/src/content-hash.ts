import { createHash } from "node:crypto";

/** One file of a design, by its relative path. */
export interface DesignFile {
  readonly path: string;
  readonly content: string;
}

/**
 * One hash of a set of files, the same on any machine. It ignores the order of the files, the kind of line breaks
 * (CRLF, CR or LF) and line breaks at the end of a file, because git, editors and operating systems change these. Every
 * path and content is prefixed with its length in bytes, so that text cannot move from one to the next unnoticed.
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

/** Compares by code units, because the order of a locale would depend on the machine. */
export const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : Number(a > b));
