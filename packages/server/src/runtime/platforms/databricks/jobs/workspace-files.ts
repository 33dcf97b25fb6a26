import type { DeployedFile } from "@lakehelm/codegen";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";

/** A file to write. A notebook is in Python unless it says otherwise. */
export type UploadedFile = Omit<DeployedFile, "content"> & {
  readonly content: string | Uint8Array;
  readonly language?: "PYTHON" | "SQL" | "SCALA" | "R" | undefined;
  /** The file stays a file, whatever it begins with: the workspace would make a notebook of some files. */
  readonly isRaw?: true;
};

export const importLimit = {
  bytes: 10 * 1024 * 1024,
  sentence: "A workspace imports files of up to 10 MB.",
};

/** Writes the files below a folder. Idempotent. */
export async function uploadFiles(
  client: WorkspaceClient,
  folder: string,
  files: readonly UploadedFile[],
): Promise<void> {
  const folders = new Set(files.map(({ path }) => `${folder}/${path}`.replace(/\/[^/]*$/, "")));
  for (const path of folders) {
    await client.send("POST", "/api/2.0/workspace/mkdirs", { path }, { isIdempotent: true });
  }
  for (const { path, content, isNotebook, language, isRaw } of files) {
    const body = {
      path: `${folder}/${path}`,
      content: Buffer.from(content as string).toString("base64"),
      overwrite: true,
      ...(isNotebook
        ? { format: "SOURCE", language: language ?? "PYTHON" }
        : { format: isRaw ? "RAW" : "AUTO" }),
    };
    await client.send("POST", "/api/2.0/workspace/import", body, { isIdempotent: true });
  }
}

/** Deletes a folder with everything in it; one that is gone already is fine. */
export async function removeFolder(client: WorkspaceClient, path: string): Promise<void> {
  try {
    await client.send("POST", "/api/2.0/workspace/delete", { path, recursive: true }, { isIdempotent: true });
  } catch (error) {
    if (!isWorkspaceError(error, "gone")) throw error;
  }
}

/** Deletes the folders in a folder, except one. */
export async function removeOtherFolders(client: WorkspaceClient, path: string, kept: string): Promise<void> {
  const { objects = [] } = await client.get<{
    objects?: readonly { readonly object_type?: string; readonly path?: string }[];
  }>("/api/2.0/workspace/list", { path });
  for (const { object_type, path: found } of objects) {
    if (object_type === "DIRECTORY" && found !== undefined && !isSamePath(found, kept))
      await removeFolder(client, found);
  }
}

/** `/Workspace/Shared/x` and `/Shared/x` are the same path. */
export const isSamePath = (a: string, b: string): boolean =>
  a.replace(/^\/Workspace/, "") === b.replace(/^\/Workspace/, "");
