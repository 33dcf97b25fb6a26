import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type CredentialSetting, credentialSettings } from "./settings.ts";

/** The variables of a process, or what is left of them. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Names the folder that holds credentials between two starts of one process. */
const handoverVariable = "LAKEHELM_CREDENTIALS_FOLDER";

const fileVariable = (name: CredentialSetting) => `${name}_FILE` as const;

/** Settings in which each credential that was given as a file has the content of that file. */
export function readCredentialFiles(variables: Variables): Variables {
  const read = credentialSettings.flatMap((name) => {
    const path = variables[fileVariable(name)];
    if (!path) return [];
    if (variables[name]) throw new Error(`Settings: set either ${name} or ${fileVariable(name)}, not both.`);
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
    throw new Error(`Settings: ${variable} names the file ${path}, which cannot be read (${code}).`);
  }
  if (content === "") throw new Error(`Settings: ${variable} names the file ${path}, which is empty.`);
  return content;
}

/**
 * The variables of this process with their credentials, which afterwards nothing can read from the process.
 *
 * Other processes of the same user can read `/proc/<pid>/environ`, which shows the variables that a process was started
 * with, whatever it deletes later. So a process that was started with credentials writes them to files that only its
 * user can read, replaces itself by the same program without those variables, and then reads and deletes the files.
 */
export function takeCredentials(): Variables {
  const folder = process.env[handoverVariable];
  const given = credentialSettings.filter((name) => process.env[name]);
  if (given.length > 0 && folder === undefined) restartWithout(given);
  try {
    return readCredentialFiles({ ...process.env });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    delete process.env[handoverVariable];
    for (const name of credentialSettings) delete process.env[name];
  }
}

/** Does not return, except on Windows, which has neither `execve` nor a way to read another process's variables. */
function restartWithout(names: readonly CredentialSetting[]): void {
  if (process.execve === undefined || process.platform === "win32") return;
  const folder = mkdtempSync(join(tmpdir(), "lakehelm-"));
  const variables: Record<string, string> = { [handoverVariable]: folder };
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  for (const name of names) {
    // A file beside the variable is an error that the restarted process reports.
    if (variables[fileVariable(name)]) continue;
    writeFileSync(join(folder, name), variables[name] ?? "", { mode: 0o600 });
    variables[fileVariable(name)] = join(folder, name);
    delete variables[name];
  }
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    variables,
  );
}
