import type { OpenedFile } from "./file-store.ts";

/** The total size in bytes. */
export const sizeOf = (files: readonly OpenedFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The paths that DuckDB opens to read files: it checks access to the pattern and to the file that matches it. */
export const openedPaths = (files: readonly OpenedFile[]): string[] =>
  files.flatMap(({ path }) => (duckdbPath(path) === path ? [path] : [path, duckdbPath(path)]));

/** DuckDB treats every path as a glob pattern, so special characters are escaped. */
export const duckdbPath = (path: string): string => path.replace(/[[*?]/g, "[$&]");
