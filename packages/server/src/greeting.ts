import { relative } from "node:path";
import type { Server } from "./server.ts";
import type { Settings } from "./settings.ts";

/** What the server prints after its start. */
export function greeting(
  { url, appsUrl, madeToken }: Pick<Server, "url" | "appsUrl" | "madeToken">,
  settings: Settings,
): string {
  const near = madeToken && relative(process.cwd(), madeToken.path);
  const path = near?.startsWith("..") ? madeToken?.path : near;
  const token = path ? `$(cat ${path})` : "$PLATFORM_SERVICE_AUTH_TOKEN";
  const store = settings.DATABASE_URL === undefined ? settings.PLATFORM_DATA_DIR : "PostgreSQL";
  return [
    "",
    `  Lakehelm    ${url}`,
    `  Docs        ${url}/docs`,
    `  Apps        ${settings.PLATFORM_APPS_URL ?? appsUrl}`,
    `  Token       ${path ? `in ${path}` : "as set in the environment"}`,
    `  State       ${store}`,
    "",
    "  Try it:",
    `  curl -H "Authorization: Bearer ${token}" ${url}/api/v1/environments/`,
    "",
  ].join("\n");
}
