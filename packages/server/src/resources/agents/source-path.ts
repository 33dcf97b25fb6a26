import { forbidden } from "../../core/errors.ts";
import { mayAct } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import { foldedPath, segmentsOf } from "../files/path.ts";

/** A `source_path` names code that will run here: only admins may register it. */
export function requireMayRunCode(caller: Caller, sourcePath: string | null | undefined): void {
  if (sourcePath === null || sourcePath === undefined) return;
  if (!mayAct(caller, "admin")) {
    throw forbidden("Only an admin may set source_path: it names code that will run.");
  }
  // A workspace folder: paths that could leave the workspace are rejected, as for any file.
  segmentsOf(sourcePath);
}

/**
 * Marks a folder as code in every environment during a registration; throws 409 if it contains files that anyone may
 * have written.
 */
export type Claim = <T>(sourcePath: string, register: () => Promise<T>) => Promise<T>;

/** Whether a path is in a folder, or is the folder itself, on any file system. */
export const isBelow = (path: string, folder: string): boolean =>
  `${foldedPath(path)}/`.startsWith(`${foldedPath(folder)}/`);
