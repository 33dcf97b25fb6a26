import { relative } from "node:path";
import { engineMemoryMb, warehouseMemoryMb } from "./runtime/platforms/embedded/engine-limits.ts";
import type { Server } from "./server.ts";
import type { Settings } from "./settings.ts";

/** What the server prints after its start. */
export function greeting(
  {
    url,
    appsUrl,
    madeToken,
    connectorFolders,
    consoleLink,
  }: Pick<Server, "url" | "appsUrl" | "madeToken" | "connectorFolders" | "consoleLink">,
  settings: Settings,
): string {
  const path = madeToken && shortened(madeToken.path);
  const token = path ? `$(cat ${path})` : "$PLATFORM_SERVICE_AUTH_TOKEN";
  const store = settings.DATABASE_URL === undefined ? settings.PLATFORM_DATA_DIR : "PostgreSQL";
  return [
    "",
    `  Lakehelm    ${url}${movedFrom(url, settings.PORT)}`,
    `  Docs        ${url}/docs`,
    `  Apps        ${settings.PLATFORM_APPS_URL ?? appsUrl}${movedFrom(appsUrl, settings.APPS_PORT)}`,
    `  Token       ${path ? `in ${path}` : "as set in the environment"}`,
    `  State       ${store}`,
    `  Memory      ${warehouseMemoryMb(settings)} MB for each warehouse (PLATFORM_WAREHOUSE_MEMORY_MB), ${engineMemoryMb(settings)} MB for the engine (PLATFORM_ENGINE_MEMORY_MB)`,
    `  Files       ${connectorFolders.map(shortened).join(", ") || "none"} (what connectors may use)`,
    ...(consoleLink === undefined
      ? []
      : ["", "  Open the console (this link signs you in once, within 15 minutes):", `  ${consoleLink}`]),
    "",
    "  Try it:",
    `  curl -H "Authorization: Bearer ${token}" ${url}/api/v1/environments/`,
    "",
  ].join("\n");
}

/** The port that was asked for, if another program has it. */
const movedFrom = (url: string, port: number): string =>
  port === 0 || url.endsWith(`:${port}`) ? "" : ` (port ${port} is in use)`;

/** Relative to the working folder if it is below it. */
function shortened(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
}
