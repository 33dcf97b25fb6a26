import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { hasCode, lookAt, openPlain } from "../../core/files/disk.ts";
import type { Confinement, Program } from "./confinement/confinement.ts";
import type { ProcessLog } from "./log-file.ts";
import { type Manifest, ManifestProblem, readManifest } from "./manifest.ts";
import { bootId, processAt } from "./operating-system.ts";
import { freePort } from "./port.ts";
import type { ProcessIdentity } from "./process-end.ts";
import { identifyingUser, type ProcessRecord, type ProcessStart } from "./process-rows.ts";
import { type TokenFile, tokenFile } from "./token-file.ts";
import { variablesOf } from "./variables.ts";

export interface ProcessInputs {
  /** Copies a consistent snapshot of the files below a folder of an environment's workspace. */
  copyCode(environmentId: string, path: string, to: string): Promise<void>;
  secretOf(environmentId: string, scope: string, key: string): Promise<string | undefined>;
  missingSecret(environmentId: string, scope: string, key: string): Promise<string>;
}

/** A running process, started by this server or by an earlier one. */
export interface ProcessInstance {
  readonly identity: ProcessIdentity;
  readonly port: number;
  readonly manifest: Manifest;
  readonly token: TokenFile;
  /** Aborted when the process has ended or must end; the abort reason is the message. */
  readonly ended: AbortController;
  /** An earlier server started the process, so this server gets no exit event. */
  readonly isAdopted: boolean;
}

export interface LaunchOptions extends ProcessInputs {
  /** The URL of the API for processes. */
  readonly url: () => string;
  readonly newMark: () => string;
  readonly isReservedPort: (port: number) => boolean;
  readonly tokenSeconds: number;
  /** The limit for programs whose `app.yaml` has none. */
  readonly memoryMb: number;
  readonly issueToken: (subject: string, environmentId: string) => Promise<string>;
  /** Called before the process starts: reading its log masks the secrets that the process gets. */
  readonly hideInLog: (processId: string, secrets: readonly string[]) => Promise<void>;
  readonly confinement: Confinement;
  readonly onError: (error: unknown) => void;
}

export interface Launcher {
  /** Starts the process. `save` is called with the start before the process exists, and again with its pid. */
  launch(
    record: ProcessRecord,
    log: ProcessLog,
    save: (start: ProcessStart) => Promise<void>,
  ): Promise<ProcessInstance>;
  /** Continues with a running process. */
  adopt(record: ProcessRecord, identity: ProcessIdentity, port: number): Promise<ProcessInstance>;
}

/** `folder`: the deploy folder of a record, with its code, its home and its token. */
export function createLauncher(folder: (record: ProcessRecord) => string, options: LaunchOptions): Launcher {
  const pathsOf = (record: ProcessRecord) => ({
    code: join(folder(record), "app"),
    /** A copy that the program cannot change, because it says which program runs and which secrets the program gets. */
    manifest: join(folder(record), manifestName),
    home: join(folder(record), "home"),
    temporary: join(folder(record), "tmp"),
    token: join(folder(record), "token"),
  });

  /** Copied once per deploy: later changes of the workspace do not affect what runs. */
  async function codeOf(record: ProcessRecord): Promise<string> {
    const { code, manifest, home, temporary } = pathsOf(record);
    for (const made of [home, temporary]) await mkdir(made, { recursive: true, mode: 0o700 });
    const copied = `${code}.new`;
    await rm(copied, { recursive: true, force: true });
    if (await lookAt(code)) return code;
    await options.copyCode(record.environmentId, record.sourcePath, copied);
    await keepManifest(copied, manifest, record.sourcePath);
    await rename(copied, code);
    return code;
  }

  async function manifestOf(record: ProcessRecord): Promise<Manifest> {
    const { code, manifest } = pathsOf(record);
    // A version that read the manifest from the code started this process.
    if (!(await lookAt(manifest))) await keepManifest(code, manifest, record.sourcePath);
    return readManifest(await readFile(manifest, "utf8"));
  }

  function tokenOf(record: ProcessRecord, user: number | null): TokenFile {
    const subject = `${record.id.split("/", 1)[0]}/${record.name}`;
    const issue = () => options.issueToken(subject, record.environmentId);
    return tokenFile(
      pathsOf(record).token,
      options.tokenSeconds,
      issue,
      (path) => options.confinement.own(path, user),
      options.onError,
    );
  }

  async function secretsOf({ environmentId }: ProcessRecord, { env }: Manifest): Promise<string[]> {
    const values = env.map((one) =>
      "secret" in one ? options.secretOf(environmentId, one.secret.scope, one.secret.key) : undefined,
    );
    return (await Promise.all(values)).filter((value) => value !== undefined);
  }

  return {
    async launch(record, log, save) {
      const code = await codeOf(record);
      const manifest = await manifestOf(record);
      const named = {
        mark: options.newMark(),
        port: await freePort(options.isReservedPort),
        url: options.url(),
      };
      const { home, temporary, token: path } = pathsOf(record);
      const details = { ...record, ...named, home, temporary, tokenFile: path };
      const secrets: string[] = [];
      const env = await variablesOf(details, manifest.env, async (scope, key) => {
        const { environmentId } = record;
        const value = await options.secretOf(environmentId, scope, key);
        if (value === undefined) return { missing: await options.missingSecret(environmentId, scope, key) };
        secrets.push(value);
        return { value };
      });
      await options.hideInLog(record.id, secrets);
      const { command, mode, user, ...confined } = await options.confinement.confine({
        command: manifest.command,
        env,
        cwd: code,
        ...{ folder: folder(record), home, temporary, needsNetwork: true },
        limits: { memoryMb: manifest.memoryMb ?? options.memoryMb },
        // The whole folder is readable, because the token in it is replaced repeatedly. It is not writable: a program
        // could replace the token, or a folder that the next start mounts, with a link and redirect the server.
        readable: [folder(record)],
        ...{ writable: [code, home, temporary], owned: [code, home, temporary] },
      } satisfies Program);
      const start: ProcessStart = { ...named, boot: await bootId(), pid: null, began: null, mode, user };
      const token = tokenOf(record, user);
      await token.keep();
      await save(start);
      try {
        const child = await spawned(command, code, confined.env, log);
        const ended = endOf(child, mode === "unconfined" ? undefined : manifest.command[0]);
        const { began } = (await processAt(child.pid)) ?? { began: "" };
        await save({ ...start, pid: child.pid, began });
        const group = await options.confinement.groupOf(start.mark);
        const identity = { pid: child.pid, began, mark: start.mark, user: identifyingUser(start), group };
        return { identity, port: start.port, manifest, token, ended, isAdopted: false };
      } catch (error) {
        token.stop();
        throw error;
      }
    },
    async adopt(record, identity, port) {
      const manifest = await manifestOf(record);
      // An older version, which did not hide secrets, may have started the process.
      await options.hideInLog(record.id, await secretsOf(record, manifest));
      const token = tokenOf(record, record.start?.user ?? null);
      await token.keep();
      return { identity, port, manifest, token, ended: new AbortController(), isAdopted: true };
    },
  };
}

const manifestName = "app.yaml";

/** Called before the code runs: a program may replace this file with a pipe or a link. */
async function keepManifest(code: string, to: string, sourcePath: string): Promise<void> {
  const handle = await openPlain(join(code, manifestName));
  if (!handle) throw new ManifestProblem(`There is no app.yaml in "${sourcePath}".`);
  try {
    await writeFile(`${to}.new`, await handle.readFile(), { mode: 0o600 });
    await rename(`${to}.new`, to);
  } finally {
    await handle.close();
  }
}

/**
 * Starts the program in its own process group, with the log as its output, so that it can continue without this server.
 */
async function spawned(
  [program, ...rest]: Manifest["command"],
  cwd: string,
  env: Readonly<Record<string, string>>,
  log: ProcessLog,
): Promise<ChildProcess & { readonly pid: number }> {
  const output = await log.open();
  try {
    const child = spawn(program, rest, { cwd, env, detached: true, stdio: ["ignore", output.fd, output.fd] });
    if (child.pid === undefined) throw await new Promise<Error>((failed) => child.once("error", failed));
    child.unref();
    return child as ChildProcess & { readonly pid: number };
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new Error(`The program "${program}" was not found.`);
    if (hasCode(error, "EACCES")) throw new Error(`The program "${program}" cannot be executed.`);
    throw error;
  } finally {
    await output.close();
  }
}

/** `confined`: the program, if a shell runs it. The shell reports the end of the program in its own exit code. */
function endOf(child: ChildProcess, confined: string | undefined): AbortController {
  const ended = new AbortController();
  child.once("exit", (code, name) => ended.abort(endSentence(code, name, confined)));
  return ended;
}

function endSentence(code: number | null, name: string | null, confined: string | undefined): string {
  if (code === null) return `It was ended by ${name}.`;
  if (confined !== undefined) {
    const [signalName] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
    if (signalName !== undefined) return `It was ended by ${signalName}.`;
    if (code === 127)
      return `The program "${confined}" was not found. It sees the programs of the system and PLATFORM_PROGRAMS_FOLDERS.`;
    if (code === 126) return `The program "${confined}" cannot be executed.`;
  }
  return `It ended with exit code ${code}.`;
}
