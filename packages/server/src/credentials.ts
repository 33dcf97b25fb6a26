import { mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import type { SettingPath, Settings } from "./settings.ts";

/** Settings that hold a credential. Each can also come from the file that `<setting>_FILE` names. */
export const credentialSettings = [
  "DATABASE_URL",
  "PLATFORM_SERVICE_AUTH_TOKEN",
  "PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS",
  "PLATFORM_CLIENT_SECRET",
  "PLATFORM_JWT_SECRET",
  "PLATFORM_SECRET_KEY",
  "PLATFORM_MAIL_WEBHOOK_URL",
  "PLATFORM_AUDIT_ANCHOR_URL",
  "PLATFORM_AUDIT_ANCHOR_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OPENLINEAGE_API_KEY",
] as const satisfies readonly (keyof Settings)[];
type CredentialSetting = (typeof credentialSettings)[number];

/** The environment variables of a process. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Names the folder that holds the credentials while the process restarts itself. */
const handoverVariable = "LAKEHELM_CREDENTIALS_FOLDER";

const fileVariable = (name: CredentialSetting) => `${name}_FILE` as const;

/** Settings in which each credential that was given as a file has the content of that file. */
export function readCredentialFiles(variables: Variables): Variables {
  const read = credentialSettings.flatMap((name) => {
    const path = variables[fileVariable(name)];
    if (!path) return [];
    if (variables[name])
      throw new Error(`Lakehelm did not start. Set either ${name} or ${fileVariable(name)}, not both.`);
    return [[name, contentOf(path, fileVariable(name))]];
  });
  return { ...variables, ...Object.fromEntries(read) };
}

function contentOf(path: string, variable: string): string {
  let content: string;
  try {
    content = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `Lakehelm did not start. ${variable} names the file ${path}, which cannot be read (${code}).`,
    );
  }
  if (content === "")
    throw new Error(`Lakehelm did not start. ${variable} names the file ${path}, which is empty.`);
  return content;
}

/**
 * Replaces this process by the same program without credentials in its variables, if it has any.
 *
 * Other processes of the same user can read `/proc/<pid>/environ`, which shows the variables that a process was started
 * with, even if it deletes them later. So the credentials are written to files that only this user can read, and
 * `takeCredentials` reads and deletes them. Windows has neither `execve` nor a way to read another process's variables.
 */
export function restartWithoutCredentials(): void {
  const given = credentialSettings.filter((name) => process.env[name]);
  const isRestarted = process.env[handoverVariable] !== undefined;
  if (given.length === 0 || isRestarted || process.execve === undefined || process.platform === "win32")
    return;
  let variables: Record<string, string>;
  try {
    variables = handOver(given);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    console.error(
      `Other programs of this user can read the credentials in /proc/${process.pid}/environ: they could not be moved out of the environment, because ${tmpdir()} is not writable (${code}). Set TMPDIR to a writable folder, or give each credential as a file, such as ${fileVariable("PLATFORM_SERVICE_AUTH_TOKEN")}.`,
    );
    return;
  }
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, variables);
}

const handoverPrefix = "lakehelm-handover-";

/** Writes the credentials to files, and returns the variables of this process with the names of the files instead. */
function handOver(given: readonly CredentialSetting[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), handoverPrefix));
  const variables: Record<string, string> = { [handoverVariable]: folder };
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  try {
    for (const name of given) {
      // A variable and a file for the same credential are an error that the restarted process reports.
      if (variables[fileVariable(name)]) continue;
      writeFileSync(join(folder, name), variables[name] ?? "", { mode: 0o600 });
      variables[fileVariable(name)] = join(folder, name);
      delete variables[name];
    }
  } catch (error) {
    removeHandover(folder);
    throw error;
  }
  return variables;
}

/** Deletes only the files that `handOver` wrote, even if the variable names another folder. */
function removeHandover(folder: string): void {
  if (dirname(folder) !== tmpdir() || !basename(folder).startsWith(handoverPrefix)) return;
  for (const name of credentialSettings) rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Another program has put a file into the folder, or the folder is gone.
  }
}

/**
 * Closes `/proc/<pid>/environ` and the memory of this process to processes without capabilities, even of the same user.
 * Linux does that when the effective group of a process changes (prctl(2), PR_SET_DUMPABLE). Only root may change it;
 * Node has no other way.
 */
export function makeUndumpable(): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  const group = process.getegid?.() ?? 0;
  try {
    process.setegid?.(group + 1);
    process.setegid?.(group);
  } catch {
    // Root without CAP_SETGID.
  }
}

/** The credential files that variables name, without those of a handover, which are deleted. */
export function credentialFilesIn(variables: Variables): SettingPath[] {
  const handover = variables[handoverVariable];
  return credentialSettings.flatMap((name) => {
    const path = variables[fileVariable(name)];
    return path && dirname(path) !== handover ? [{ setting: fileVariable(name), path }] : [];
  });
}

/** Reads the variables of this process with their credentials, and removes the credentials from its environment. */
export function takeCredentials(): Variables {
  const folder = process.env[handoverVariable];
  try {
    return readCredentialFiles({ ...process.env });
  } finally {
    if (folder !== undefined) removeHandover(folder);
    delete process.env[handoverVariable];
    for (const name of credentialSettings) {
      delete process.env[name];
      delete process.env[fileVariable(name)];
    }
  }
}
