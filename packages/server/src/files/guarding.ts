import { type Caller, mayAct } from "../identity/caller.ts";
import { forbidden } from "../problems.ts";

/** Whose code a path of an environment's workspace is: of an agent or app that runs it. */
export type CodeAt = (environmentId: string, path: string) => Promise<string | undefined>;

/** What an operator deploys is what an admin has put there: changing code that will run is an admin's. */
export async function requireMayChange(
  codeAt: CodeAt,
  caller: Caller,
  environmentId: string,
  path: string,
): Promise<void> {
  if (mayAct(caller, "admin")) return;
  const owner = await codeAt(environmentId, path);
  if (owner === undefined) return;
  throw forbidden(`Only an admin may change "${path}": it is code of ${owner}, and will run.`);
}
