import { mkdir, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { FolderAccess } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { Settings } from "../../../settings.ts";

/**
 * The folders that connectors and file triggers may use: those of the settings. Without any, one folder beside the data
 * folder, for the exchange of files.
 */
export async function connectorFolders(
  { PLATFORM_CONNECTOR_FOLDERS: configured }: Pick<Settings, "PLATFORM_CONNECTOR_FOLDERS">,
  dataFolder: string,
  log: Pick<Logger, "warn">,
): Promise<FolderAccess> {
  if (configured.length > 0) {
    const granted = configured.map((folder) => resolve(folder));
    for (const folder of granted) {
      const problem = await folderProblem(folder, dataFolder);
      if (problem) log.warn({ folder }, `PLATFORM_CONNECTOR_FOLDERS: ${problem}`);
    }
    return { granted, dataFolder };
  }
  const exchange = exchangeFolder(dataFolder);
  try {
    await mkdir(exchange, { recursive: true, mode: 0o700 });
    return { granted: [exchange], dataFolder };
  } catch (error) {
    log.warn(
      { folder: exchange, error: (error as Error).message },
      "connectors can use no files: the exchange folder cannot be created, and PLATFORM_CONNECTOR_FOLDERS names no other",
    );
    return { granted: [], dataFolder };
  }
}

/** What connectors may use if no folder is granted. */
export const exchangeFolder = (dataFolder: string): string => `${dataFolder}-exchange`;

/** Why connectors cannot use a granted folder. It may be mounted later, so the server starts anyway. */
async function folderProblem(folder: string, dataFolder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return "this folder does not exist, or the server's user cannot open it";
  return `${real}${sep}`.startsWith(`${await realpath(dataFolder)}${sep}`)
    ? "connectors never use the data folder"
    : undefined;
}
