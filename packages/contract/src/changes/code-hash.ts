/** A file of a resource's code, by its content. */
export interface HashedFile {
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
}

/** The hash of a resource's code (`lakehelm.code`): it covers the paths and contents of its files, in any order. */
export const codeHash = (files: readonly HashedFile[], sha256: (text: string) => string): string => {
  const lines = files.map((file) => `${file.path}\n${file.sha256}\n`).sort();
  return `sha256:${sha256(lines.join("")).slice(0, 32)}`;
};
