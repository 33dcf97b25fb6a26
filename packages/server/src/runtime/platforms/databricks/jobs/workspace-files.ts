import type { DeployedFile } from "@lakehelm/codegen";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";

/** A file to write. A notebook is in Python unless it says otherwise. */
export type UploadedFile = DeployedFile & {
  readonly language?: "PYTHON" | "SQL" | "SCALA" | "R" | undefined;
};

/** Writes the files below a folder. Doing it again writes the same. */
export async function uploadFiles(
  client: WorkspaceClient,
  folder: string,
  files: readonly UploadedFile[],
): Promise<void> {
  const folders = new Set(files.map(({ path }) => `${folder}/${path}`.replace(/\/[^/]*$/, "")));
  for (const path of folders) {
    await client.send("POST", "/api/2.0/workspace/mkdirs", { path }, { isIdempotent: true });
  }
  for (const { path, content, isNotebook, language } of files) {
    const body = {
      path: `${folder}/${path}`,
      content: Buffer.from(content, "utf8").toString("base64"),
      overwrite: true,
      ...(isNotebook ? { format: "SOURCE", language: language ?? "PYTHON" } : { format: "AUTO" }),
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
