import { forbidden } from "../../core/errors.ts";
import { type Caller, mayAct } from "../../web/identity/caller.ts";
import { spelledAlike } from "./path.ts";

/** Whose code a path of an environment's workspace is: of an agent or app that runs it. */
export type CodeAt = (environmentId: string, path: string) => Promise<string | undefined>;

/**
 * What an operator deploys is what an admin has put there: changing code that will run is an admin's. So is an `app.yaml`,
 * wherever it is: it may become code later, in an environment that the admin who registers it does not think of.
 */
export async function requireMayChange(
  codeAt: CodeAt,
  caller: Caller,
  environmentId: string,
  path: string,
): Promise<void> {
  if (mayAct(caller, "admin")) return;
  const owner = await codeAt(environmentId, path);
  if (owner !== undefined) {
    throw forbidden(`Only an admin may change "${path}": it is code of ${owner}, and will run.`);
  }
  if (spelledAlike(path).split("/").at(-1) === "app.yaml") {
    throw forbidden(`Only an admin may change "${path}": an app.yaml says what will run.`);
  }
}
