import { forbidden } from "../../core/errors.ts";
import { mayAct } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import { foldedPath } from "./path.ts";

/** The agent or app whose code is at a path of an environment's workspace. */
export type CodeAt = (environmentId: string, path: string) => Promise<string | undefined>;

/**
 * An operator deploys only what an admin has put there, so only admins may change code that will run. The same holds
 * for any `app.yaml`: it may become code later, in an environment that the registering admin is not aware of.
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
    throw forbidden(`Only an admin may change "${path}": it is code of ${owner}.`);
  }
  if (foldedPath(path).split("/").at(-1) === "app.yaml") {
    throw forbidden(`Only an admin may change "${path}": an app.yaml defines what runs.`);
  }
}
