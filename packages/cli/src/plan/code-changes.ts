import { hash } from "node:crypto";
import type { Plan } from "@lakehelm/contract";
import { codeHash, type HashedFile } from "@lakehelm/contract/changes";
import type { Client } from "@lakehelm/contract/client";
import type { CodeFile } from "../project/code-files.ts";

/** A file that is missing from the workspace of the environment, or has other content there. */
export interface CodeChange {
  readonly path: string;
  readonly action: "create" | "update";
  readonly file: CodeFile;
}

const sha256 = (content: Uint8Array | string): string => hash("sha256", content);

/** Compares the code of a project with the workspace of an environment. */
export async function codeChanges(
  client: Client,
  environment: string,
  code: readonly CodeFile[],
  signal: AbortSignal,
): Promise<CodeChange[]> {
  if (code.length === 0) return [];
  const there = new Map<string, string>();
  // Lists each folder that has code, not the whole workspace.
  for (const prefix of new Set(code.map(({ path }) => path.split("/").slice(0, -1).join("/")))) {
    const query = { prefix: prefix === "" ? "" : `${prefix}/` };
    for await (const { path, sha256: hash } of client.all.listFiles({ query, environment, signal }))
      there.set(path, hash);
  }
  return code.flatMap((file): CodeChange[] => {
    const known = there.get(file.path);
    if (known === sha256(file.bytes)) return [];
    return [{ path: file.path, action: known === undefined ? "create" : "update", file }];
  });
}

/** Uploads files as part of a plan, because the environment may refuse direct writes. */
export async function uploadCode(
  client: Client,
  { id, environment }: Pick<Plan, "id" | "environment">,
  changes: readonly CodeChange[],
  signal: AbortSignal,
): Promise<void> {
  for (const { path, file } of changes)
    await client.putFile({ params: { path }, query: { plan: id }, body: file.bytes, environment, signal });
}

/**
 * The files of each resource that has code, by a name such as `pipelines.sales`. The hash of the files is part of the
 * plan, so a change of code is a change of the resource: in plans, in policies, and in the hash of its design. For a
 * pipeline, the hash is in its configuration.
 */
export function codeFilesOf(code: readonly CodeFile[]): Map<string, HashedFile[]> {
  const files = new Map<string, HashedFile[]>();
  for (const { path, bytes, usedBy } of code) {
    const file = { path, sha256: sha256(bytes) };
    for (const user of usedBy) files.getOrInsertComputed(user, () => []).push(file);
  }
  return files;
}

export const hashOf = (files: readonly HashedFile[]): string => codeHash(files, sha256);

export const codeKey = "lakehelm.code";
