import { namesOf } from "../files/path.ts";
import { type Caller, mayAct } from "../identity/caller.ts";
import { forbidden } from "../problems.ts";

/** A `source_path` names code that will run here: registering such a thing is an admin's. */
export function requireMayRunCode(caller: Caller, sourcePath: string | null | undefined): void {
  if (sourcePath === null || sourcePath === undefined) return;
  if (!mayAct(caller, "admin")) {
    throw forbidden("Only an admin may set source_path: it names code that will run.");
  }
  // It is a folder of the workspace: what could lead out of it is refused, as for any file.
  namesOf(sourcePath);
}

/** Whether a file is in a folder, or is in its place. */
export const isBelow = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);
