import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Io } from "../io.ts";

const run = promisify(execFile);

/** The commit and branch of the folder, from CI or from git; nothing if it is not a repository. */
export async function commitOf({ env }: Io, folder: string): Promise<{ commit?: string; branch?: string }> {
  const git = async (...args: string[]) => {
    try {
      return (await run("git", ["-C", folder, ...args], { timeout: 5000 })).stdout.trim();
    } catch {
      return "";
    }
  };
  const [commit, branch] = await Promise.all([
    env.GITHUB_SHA || env.CI_COMMIT_SHA || git("rev-parse", "HEAD"),
    env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME || env.CI_COMMIT_REF_NAME || git("branch", "--show-current"),
  ]);
  return { ...(commit && { commit: commit.slice(0, 200) }), ...(branch && { branch: branch.slice(0, 200) }) };
}
