import { forbidden } from "../../core/errors.ts";
import { mayAct, mayActOnServer } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import { type AreUnconfined, unconfinedSentence } from "../agents/source-path.ts";
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
  areUnconfined: AreUnconfined,
): Promise<void> {
  if (mayActOnServer(caller, "admin")) return;
  const owner = await codeAt(environmentId, path);
  const isManifest = foldedPath(path).split("/").at(-1) === "app.yaml";
  if (owner === undefined && !isManifest) return;
  const why = owner === undefined ? "an app.yaml defines what runs" : `it is code of ${owner}`;
  if (!mayAct(caller, "admin")) throw forbidden(`Only an admin may change "${path}": ${why}.`);
  if (await areUnconfined()) {
    throw forbidden(`Only an admin of the whole server may change "${path}": ${why}. ${unconfinedSentence}`);
  }
}
