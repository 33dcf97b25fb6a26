import { createHash } from "node:crypto";
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
 * The hash of the code of a resource. A pipeline has it in its configuration, so that a change of its SQL is a change of the
 * pipeline: in plans, in policies, and in the hash of its design.
 */
export function codeHash(code: readonly CodeFile[], usedBy: string): string | undefined {
  const own = code.filter((file) => file.usedBy === usedBy);
  if (own.length === 0) return undefined;
  const hash = createHash("sha256");
  for (const { path, bytes } of own) hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  return `sha256:${hash.digest("hex").slice(0, 32)}`;
}

export const codeKey = "lakehelm.code";
