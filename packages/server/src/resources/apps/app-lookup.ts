import type { App } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
import type { AppReference } from "../../web/gateway/host-label.ts";
import type { Environments } from "../environments/environments.ts";
import type { Apps } from "./apps.ts";

/** Resolves an app from an address: by its name in an environment, or by its id. */
export function createAppLookup(apps: Pick<Apps, "read" | "find">, environments: Pick<Environments, "find">) {
  return async ({ environment, app }: AppReference): Promise<App | undefined> => {
    const found = environment === undefined ? undefined : await environments.find(environment);
    if (environment !== undefined && !found) return undefined;
    const named = found && (await apps.find(found.id, app));
    if (named) return named.doc;
    const byId = await apps.read(app).catch(absent);
    return !found || byId?.doc.environment_id === found.id ? byId?.doc : undefined;
  };
}

function absent(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== "notFound") throw error;
}
