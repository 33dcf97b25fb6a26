import { Problem } from "../../../core/errors.ts";
import type { Vault } from "../../../core/secrets/vault.ts";
import type { Platform } from "../platform.ts";
import type { WorkspaceClient } from "./client/client.ts";
import { volumePath } from "./client/path.ts";
import { isWorkspaceError } from "./client/workspace-error.ts";
import { installationId } from "./installation.ts";
import { outcomeOf } from "./jobs/request-handler.ts";
import { importLimit } from "./jobs/workspace-files.ts";
import type { Workspaces } from "./workspaces.ts";

/** Where files are written: below a folder of the workspace, or in a volume. Each call can be repeated. */
interface FileStore {
  write(path: string, content: Uint8Array): Promise<unknown>;
  makeFolder(path: string): Promise<unknown>;
  remove(path: string): Promise<unknown>;
  /** Refused unless the folder is empty. */
  removeFolder(path: string): Promise<unknown>;
}

const again = { isIdempotent: true } as const;

const workspaceStore = (client: WorkspaceClient): FileStore => {
  const remove = (path: string) =>
    client.send("POST", "/api/2.0/workspace/delete", { path, recursive: false }, again);
  return {
    // RAW: the workspace would make a notebook of some files, without their extension.
    write: (path, content) =>
      client.send(
        "POST",
        "/api/2.0/workspace/import",
        { path, content: Buffer.from(content).toString("base64"), format: "RAW", overwrite: true },
        again,
      ),
    makeFolder: (path) => client.send("POST", "/api/2.0/workspace/mkdirs", { path }, again),
    remove,
    removeFolder: remove,
  };
};

const volumeStore = (client: WorkspaceClient): FileStore => {
  const file = (path: string) => `/api/2.0/fs/files${volumePath(path)}`;
  const folder = (path: string) => `/api/2.0/fs/directories${volumePath(path)}`;
  return {
    write: (path, bytes) =>
      client.send("PUT", file(path), undefined, { ...again, bytes, query: { overwrite: true } }),
    makeFolder: (path) => client.send("PUT", folder(path), undefined, again),
    remove: (path) => client.send("DELETE", file(path), undefined, again),
    removeFolder: (path) => client.send("DELETE", folder(path), undefined, again),
  };
};

/** The files of environments, copied to where code in their workspaces can read them. */
export function createFileCopies(
  workspaces: Workspaces,
  vault: Pick<Vault, "deriveKey">,
): Required<Platform>["fileCopies"] {
  const installation = installationId(vault);

  async function placeOf(environmentId: string) {
    const { client, configuration } = await workspaces.open(environmentId);
    const { volume, rootPath } = configuration;
    return {
      // No other files are in this folder: neither those of another environment or installation, nor a stranger's.
      root: `${volume ?? rootPath}/${installation}/files/${environmentId}`,
      store: volume === null ? workspaceStore(client) : volumeStore(client),
    };
  }

  return {
    async problem(environmentId, bytes) {
      if (bytes <= importLimit.bytes) return undefined;
      try {
        const { volume } = (await workspaces.open(environmentId)).configuration;
        return volume === null
          ? `${importLimit.sentence} Set configuration.volume for larger ones.`
          : undefined;
      } catch (error) {
        // Problems of the environment are reported by its check, and when the file is copied.
        if (error instanceof Problem) return undefined;
        throw error;
      }
    },
    write: (environmentId, path, content) =>
      outcomeOf(async () => {
        const { root, store } = await placeOf(environmentId);
        const whole = `${root}/${path}`;
        try {
          await store.write(whole, content);
        } catch (error) {
          if (!isWorkspaceError(error, "gone")) throw error;
          await store.makeFolder(parentOf(whole));
          await store.write(whole, content);
        }
        return { done: true, reference: whole };
      }),
    remove: (environmentId, path) =>
      outcomeOf(async () => {
        const { root, store } = await placeOf(environmentId);
        const whole = `${root}/${path}`;
        await store.remove(whole).catch(orGone);
        try {
          for (let folder = parentOf(whole); folder.length >= root.length; folder = parentOf(folder))
            await store.removeFolder(folder).catch(orGone);
        } catch (error) {
          // The folder is not empty: other files are there.
          if (!isWorkspaceError(error, "refused", "conflict")) throw error;
        }
        return { done: true, reference: null };
      }),
  };
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

function orGone(error: unknown): void {
  if (!isWorkspaceError(error, "gone")) throw error;
}
