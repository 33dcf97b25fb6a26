import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, lookAt } from "../../core/files/disk.ts";
import type { ProcessLog } from "./log-file.ts";
import { type Manifest, ManifestProblem, readManifest } from "./manifest.ts";
import { bootId, processAt } from "./operating-system.ts";
import { freePort } from "./port.ts";
import type { ProcessIdentity } from "./process-end.ts";
import type { ProcessRecord, ProcessStart } from "./process-rows.ts";
import { type TokenFile, tokenFile } from "./token-file.ts";
import { variablesOf } from "./variables.ts";

/** The inputs for starting a process. */
export interface ProcessInputs {
  /** Copies a consistent snapshot of the files below a folder of an environment's workspace. */
  copyCode(environmentId: string, path: string, to: string): Promise<void>;
  secretOf(environmentId: string, scope: string, key: string): Promise<string | undefined>;
}

/** A process from its start, here or by an earlier server, to its end. */
export interface ProcessInstance {
  readonly identity: ProcessIdentity;
  readonly port: number;
  readonly manifest: Manifest;
  readonly token: TokenFile;
  /** Aborted when it has ended or must end; the abort reason is the message. */
  readonly ended: AbortController;
  /** An earlier server started it: we get no exit event. */
  readonly isAdopted: boolean;
}

export interface LaunchOptions extends ProcessInputs {
  /** The URL of the API for processes. */
  readonly url: () => string;
  readonly newMark: () => string;
  readonly isReservedPort: (port: number) => boolean;
  readonly tokenSeconds: number;
  readonly issueToken: (subject: string, environmentId: string) => Promise<string>;
  /** Before the process starts: the secrets that it gets are not shown when its log is read. */
  readonly hideInLog: (processId: string, secrets: readonly string[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface Launcher {
  /** Starts it; `save` is called with the start before the process exists, and again with its pid. */
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
    home: join(folder(record), "home"),
    temporary: join(folder(record), "tmp"),
    token: join(folder(record), "token"),
  });

  /** Copied once per deploy: later changes of the workspace do not affect what runs. */
  async function codeOf(record: ProcessRecord): Promise<string> {
    const { code, home, temporary } = pathsOf(record);
    for (const made of [home, temporary]) await mkdir(made, { recursive: true, mode: 0o700 });
    const copied = `${code}.new`;
    await rm(copied, { recursive: true, force: true });
    if (await lookAt(code)) return code;
    await options.copyCode(record.environmentId, record.sourcePath, copied);
    await rename(copied, code);
    return code;
  }

  function tokenOf(record: ProcessRecord): TokenFile {
    const subject = `${record.id.split("/", 1)[0]}/${record.name}`;
    const issue = () => options.issueToken(subject, record.environmentId);
    return tokenFile(pathsOf(record).token, options.tokenSeconds, issue, options.onError);
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
      const manifest = await manifestIn(code, record.sourcePath);
      const start: ProcessStart = {
        mark: options.newMark(),
        port: await freePort(options.isReservedPort),
        url: options.url(),
        boot: await bootId(),
        pid: null,
        began: null,
      };
      const { home, temporary, token: path } = pathsOf(record);
      const details = { ...record, ...start, home, temporary, tokenFile: path };
      const secrets: string[] = [];
      const env = await variablesOf(details, manifest.env, async (scope, key) => {
        const secret = await options.secretOf(record.environmentId, scope, key);
        if (secret !== undefined) secrets.push(secret);
        return secret;
      });
      await options.hideInLog(record.id, secrets);
      const token = tokenOf(record);
      await token.keep();
      await save(start);
      try {
        const child = await spawned(manifest.command, code, env, log);
        const ended = endOf(child);
        const { began } = (await processAt(child.pid)) ?? { began: "" };
        await save({ ...start, pid: child.pid, began });
        const identity = { pid: child.pid, began, mark: start.mark };
        return { identity, port: start.port, manifest, token, ended, isAdopted: false };
      } catch (error) {
        token.stop();
        throw error;
      }
    },
    async adopt(record, identity, port) {
      const manifest = await manifestIn(pathsOf(record).code, record.sourcePath);
      // A server that did not hide secrets yet may have started it.
      await options.hideInLog(record.id, await secretsOf(record, manifest));
      const token = tokenOf(record);
      await token.keep();
      return { identity, port, manifest, token, ended: new AbortController(), isAdopted: true };
    },
  };
}

async function manifestIn(code: string, sourcePath: string): Promise<Manifest> {
  const text = await readFile(join(code, "app.yaml"), "utf8").catch((error) => {
    if (hasCode(error, "ENOENT")) throw new ManifestProblem(`There is no app.yaml in "${sourcePath}".`);
    throw error;
  });
  return readManifest(text);
}

/** In its own process group, with the log as its output: it can continue without this server. */
async function spawned(
  [program, ...rest]: Manifest["command"],
  cwd: string,
  env: Record<string, string>,
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

function endOf(child: ChildProcess): AbortController {
  const ended = new AbortController();
  child.once("exit", (code, name) =>
    ended.abort(code === null ? `It was ended by ${name}.` : `It ended with exit code ${code}.`),
  );
  return ended;
}
