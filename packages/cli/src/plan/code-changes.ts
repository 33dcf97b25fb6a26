import { createHash, type Hash } from "node:crypto";
import type { Client } from "@lakehelm/contract/client";
import type { CodeFile } from "../project/code-files.ts";

/** A file that the workspace of the environment does not have, or has otherwise. */
export interface CodeChange {
  readonly path: string;
  readonly action: "create" | "update";
  readonly file: CodeFile;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Compares the code of a project with the workspace of an environment. */
export async function codeChanges(
  client: Client,
  environment: string,
  code: readonly CodeFile[],
  signal: AbortSignal,
): Promise<CodeChange[]> {
  if (code.length === 0) return [];
  const there = new Map<string, string>();
  // One list for each folder of code, not of the whole workspace.
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

export async function uploadCode(
  client: Client,
  environment: string,
  changes: readonly CodeChange[],
  signal: AbortSignal,
): Promise<void> {
  for (const { path, file } of changes)
    await client.putFile({ params: { path }, body: file.bytes, environment, signal });
}

/**
 * The hash of the code of each resource that has some, by `pipelines.sales`. It is part of the plan, so that a change of code is a
 * change of the resource: in plans, in policies, and in the hash of its design. A pipeline has it in its configuration.
 */
export function codeHashes(code: readonly CodeFile[]): Map<string, string> {
  const hashes = new Map<string, Hash>();
  for (const { path, bytes, usedBy } of code) {
    for (const user of usedBy)
      hashes
        .getOrInsertComputed(user, () => createHash("sha256"))
        .update(`${path}\n${bytes.length}\n`)
        .update(bytes);
  }
  return new Map([...hashes].map(([user, hash]) => [user, `sha256:${hash.digest("hex").slice(0, 32)}`]));
}

export const codeKey = "lakehelm.code";
