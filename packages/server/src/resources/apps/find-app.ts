import type { App } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
import type { AppReference } from "../../web/gateway/host-label.ts";
import type { Environments } from "../environments/environments.ts";
import type { Apps } from "./apps.ts";

/** Resolves an app from an address: by its name in an environment, or by its id. */
export function createFinding(apps: Pick<Apps, "read" | "find">, environments: Pick<Environments, "find">) {
  return async ({ environment, app }: AppReference): Promise<App | undefined> => {
    const place = environment === undefined ? undefined : await environments.find(environment);
    if (environment !== undefined && !place) return undefined;
    const named = place && (await apps.find(place.id, app));
    if (named) return named.doc;
    const byId = await apps.read(app).catch(absent);
    return !place || byId?.doc.environment_id === place.id ? byId?.doc : undefined;
  };
}

function absent(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== "notFound") throw error;
}
