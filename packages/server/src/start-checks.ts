import { mkdtemp, realpath, rmdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join, resolve, sep } from "node:path";
import { requireNativeLibrary } from "@lakehelm/engine";
import { readAllowed } from "@lakehelm/engine/egress";
import { readRecipient } from "./resources/backups/encryption.ts";
import { readServerPolicies } from "./resources/plans/server-policies.ts";
import { exchangeFolder } from "./runtime/platforms/embedded/connector-folders.ts";
import { settingPaths } from "./setting-paths.ts";
import { type FolderSetting, folderSettings, type Settings } from "./settings.ts";
import { createClientAddresses } from "./web/http/client-address.ts";
import { type ListenOptions, listen } from "./web/http/listen.ts";
import { requireCredential } from "./web/identity/first-credential.ts";
import { requireUsableClient } from "./web/identity/reserved-names.ts";

/**
 * What can be known before a start writes anything: a library that is missing, values and folders that cannot be used, files and
 * folders of ours that connectors could read, and ports that are taken. Throws with the setting to change.
 */
export async function checkStart(settings: Settings): Promise<void> {
  requireNativeLibrary();
  await checkFolders(settings);
  checkValues(settings);
  await checkPorts(settings);
}

/** Checks values that would otherwise be refused only when they are used, after the database was opened. */
function checkValues(settings: Settings): void {
  requireCredential(settings);
  requireUsableClient(settings);
  createClientAddresses(settings.PLATFORM_TRUSTED_PROXIES);
  readAllowed(settings.PLATFORM_PRIVATE_ADDRESSES);
  readRecipient(settings);
  readServerPolicies(settings.PLATFORM_POLICIES_DIR);
}

async function checkFolders(settings: Settings): Promise<void> {
  const given = folderSettings.flatMap((setting) => {
    const folder = settings[setting];
    return folder === undefined ? [] : [{ setting, folder: resolve(folder) }];
  });
  for (const { setting, folder } of given) {
    // The server only reads this folder.
    if (setting !== "PLATFORM_POLICIES_DIR") await checkWritable(setting, folder);
  }
  const granted =
    settings.PLATFORM_CONNECTOR_FOLDERS.length > 0
      ? settings.PLATFORM_CONNECTOR_FOLDERS.map((folder) => resolve(folder))
      : [exchangeFolder(resolve(settings.PLATFORM_DATA_DIR))];
  const ours = await Promise.all(given.map(async (one) => ({ ...one, real: await realPath(one.folder) })));
  const dataFolder = await realPath(resolve(settings.PLATFORM_DATA_DIR));
  const files = await ownFiles(settings);
  for (const folder of granted) {
    const real = await realPath(folder);
    for (const own of [...ours, ...files]) {
      const where = `${own.setting} (${own.folder})`;
      const theirs = `${folder}, a folder of PLATFORM_CONNECTOR_FOLDERS`;
      // Connectors never use the data folder, even if it is below a folder that they may use.
      const isOpen = !isBelow(own.real, dataFolder) && isBelow(own.real, real);
      if (isOpen)
        throw new Error(`${where} is below ${theirs}: every connector could read it. Move one of them.`);
      if (!files.includes(own) && isBelow(real, own.real))
        throw new Error(
          `${theirs.replace(",", ` (${real}),`)}, is below ${where}, which connectors never use. Move one of them.`,
        );
    }
  }
}

interface OwnPath {
  readonly setting: string;
  readonly folder: string;
  /** Without symbolic links. */
  readonly real: string;
}

/** Files that settings name, such as a key file. */
async function ownFiles(settings: Settings): Promise<OwnPath[]> {
  const folders: readonly string[] = [...folderSettings, "PLATFORM_CONNECTOR_FOLDERS"];
  const found = settingPaths(settings)
    .filter(({ setting, isWord }) => !isWord && !folders.includes(setting))
    .map(async ({ setting, path }) => {
      const real = await realpath(path).catch(() => undefined);
      return real === undefined ? [] : [{ setting, folder: path, real }];
    });
  return (await Promise.all(found)).flat();
}

const isBelow = (path: string, folder: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** The path without symbolic links; the folder need not exist yet. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPath(dirname(path)), basename(path));
}

/** This user must be able to create something in the folder, or in the nearest existing folder above it. */
async function checkWritable(setting: FolderSetting, folder: string): Promise<void> {
  let existing = folder;
  let found = await stat(existing).catch(() => undefined);
  while (found === undefined && dirname(existing) !== existing) {
    existing = dirname(existing);
    found = await stat(existing).catch(() => undefined);
  }
  const which = existing === folder ? folder : `${folder} cannot be created: ${existing}`;
  if (!found?.isDirectory())
    throw new Error(`${setting}: ${which} is not a folder. Set ${setting} to another folder.`);
  try {
    await rmdir(await mkdtemp(join(existing, ".lakehelm-start-")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${setting}: this user (${process.getuid?.()}) cannot write to ${existing} (${code}). ` +
        `Change the owner of the folder, or set ${setting} to another one.`,
    );
  }
}

/** In development, ports that others use are replaced by the next free ones. */
export const mayMovePorts = ({ PLATFORM_ENV }: Settings): ListenOptions => ({
  orNext: PLATFORM_ENV === "development",
});

async function checkPorts(settings: Settings): Promise<void> {
  const { HOST, PORT, APPS_PORT } = settings;
  const probes = [createServer(), createServer()] as const;
  try {
    await listen(probes[0], HOST, PORT, "PORT", mayMovePorts(settings));
    await listen(probes[1], HOST, APPS_PORT, "APPS_PORT", mayMovePorts(settings));
  } finally {
    await Promise.all(
      probes.filter(({ listening }) => listening).map((one) => new Promise((closed) => one.close(closed))),
    );
  }
}
