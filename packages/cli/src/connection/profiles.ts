import { chmod, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Io, note } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** How a profile authenticates. Passwords are never stored; the token for a password is, until it expires. */
export type Credentials =
  | { readonly kind: "token"; readonly token: string }
  | {
      readonly kind: "client";
      readonly client_id: string;
      readonly client_secret: string;
      readonly token?: string;
      readonly expires_at?: string;
    }
  | { readonly kind: "user"; readonly username: string; readonly token: string; readonly expires_at: string };

interface Profile {
  readonly url: string;
  readonly environment?: string | undefined;
  readonly credentials: Credentials;
}

export interface ProfileFile {
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Io["env"];

/** `LAKEHELM_CONFIG_DIR`, or the operating system's folder for settings. */
function profilePath(env: Environment): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const folder =
    env.LAKEHELM_CONFIG_DIR ||
    join(
      (process.platform === "win32" && env.APPDATA) || env.XDG_CONFIG_HOME || join(home, ".config"),
      "lakehelm",
    );
  return join(folder, "profiles.json");
}

export async function readProfiles(io: Io): Promise<ProfileFile> {
  const path = profilePath(io.env);
  const file = await open(path).catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
  if (!file) return { profiles: {} };
  try {
    const { mode } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      const rights = (mode & 0o777).toString(8);
      note(
        io,
        `Warning: other users can access ${path}, which has your tokens (mode ${rights}). Run: chmod 600 ${path}`,
      );
    }
    return parse(await file.readFile("utf8"), path);
  } finally {
    await file.close();
  }
}

function parse(text: string, path: string): ProfileFile {
  try {
    const { current, profiles } = JSON.parse(text);
    if (typeof profiles === "object" && profiles !== null) return { current, profiles };
  } catch {
    // The error below reports this. The text has tokens, so it is not shown.
  }
  throw new UsageError(`${path} is not a file of profiles. Delete it and log in again.`);
}

/** Writes a new file and replaces the old one with it, so that a crash leaves one of them complete. */
export async function writeProfiles(env: Environment, profiles: ProfileFile): Promise<string> {
  const path = profilePath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await chmod(next, 0o600);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  return path;
}
