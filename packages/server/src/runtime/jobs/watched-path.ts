import { isAbsolute } from "node:path";
import {
  type FolderAccess,
  globProblem,
  isGlob,
  isS3Path,
  pathProblem,
  splitGlob,
  writtenPathProblem,
} from "@lakehelm/engine";

/** Why files at a path can never be watched. A missing folder is fine: it may be created later. */
export function watchedPathProblem(path: string, access: FolderAccess): string | undefined {
  if (isS3Path(path))
    return `${path} is in object storage. Only a connector that reads it can wait for files there.`;
  if (!isGlob(path) || !isAbsolute(path)) return writtenPathProblem(path, access);
  const { folder, pattern } = splitGlob(path);
  return writtenPathProblem(folder, access) ?? globProblem(pattern);
}

/** Why files at a path cannot be watched now: links can lead out of the granted folders. */
export const watchProblem = (path: string, access: FolderAccess): Promise<string | undefined> =>
  pathProblem(isGlob(path) ? splitGlob(path).folder : path, access);
