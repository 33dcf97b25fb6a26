import { isAbsolute, resolve } from "node:path";

/**
 * Why files at a path can never be watched on this machine, as a message for the author. A missing folder is fine: it may
 * be created later.
 */
export function watchedPathProblem(path: string, dataDir: string): string | undefined {
  if (!isAbsolute(path)) return `The path ${path} is not absolute: it must begin with "/".`;
  // File names appear in a run's cause: those of the server itself must not.
  if (`${resolve(path)}/`.startsWith(`${resolve(dataDir)}/`)) return "The data folder cannot be watched.";
  return undefined;
}
