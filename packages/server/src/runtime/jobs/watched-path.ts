import { isAbsolute, resolve } from "node:path";

/**
 * Why files at a path could never be waited for on this machine, in a sentence for the one who wrote it. A folder that is only
 * missing may come.
 */
export function watchedPathProblem(path: string, dataDir: string): string | undefined {
  if (!isAbsolute(path)) return `The path ${path} is not absolute: it must begin with "/".`;
  // The names of files are in a run's cause: those of the server's own are nobody's business.
  if (`${resolve(path)}/`.startsWith(`${resolve(dataDir)}/`)) return "The data folder cannot be watched.";
  return undefined;
}
