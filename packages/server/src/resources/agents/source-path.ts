import { forbidden } from "../../core/errors.ts";
import { type Caller, mayAct } from "../../web/identity/caller.ts";
import { namesOf, spelledAlike } from "../files/path.ts";

/** A `source_path` names code that will run here: registering such a thing is an admin's. */
export function requireMayRunCode(caller: Caller, sourcePath: string | null | undefined): void {
  if (sourcePath === null || sourcePath === undefined) return;
  if (!mayAct(caller, "admin")) {
    throw forbidden("Only an admin may set source_path: it names code that will run.");
  }
  // It is a folder of the workspace: what could lead out of it is refused, as for any file.
  namesOf(sourcePath);
}

/** Makes a folder code in every environment, by a change; 409 where files are there that anybody may have written. */
export type Claim = <T>(sourcePath: string, register: () => Promise<T>) => Promise<T>;

/** Whether a file is in a folder, or is in its place, on any disk. */
export const isBelow = (path: string, folder: string): boolean =>
  `${spelledAlike(path)}/`.startsWith(`${spelledAlike(folder)}/`);
