import { type Caller, mayAct } from "../identity/caller.ts";
import { forbidden } from "../problems.ts";

/** A `source_path` names code that will run here: registering such a thing is an admin's. */
export function requireMayRunCode(caller: Caller, sourcePath: string | null | undefined): void {
  if (sourcePath === null || sourcePath === undefined || mayAct(caller, "admin")) return;
  throw forbidden("Only an admin may set source_path: it names code that will run.");
}
