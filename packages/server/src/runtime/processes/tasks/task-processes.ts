import { type ChildProcess, spawn } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunLine } from "@lakehelm/contract";
import type { Dependencies } from "../../../core/dependencies.ts";
import type { DiskWatch } from "../../../core/disk-watch.ts";
import { hasCode } from "../../../core/files/disk.ts";
import type { Confinement } from "../confinement/confinement.ts";
import { exceededMemory } from "../confinement/program-groups.ts";
import { lastLines, maxLines } from "../exit-message.ts";
import { type ProcessLog, processLog } from "../log-file.ts";
import { allProcesses, bootId, memoryOf, processAt, withVariable } from "../operating-system.ts";
import { endMarked, endProcess, membersOf, type ProcessIdentity, startedBy } from "../process-end.ts";
import { identifyingUser } from "../process-rows.ts";
import { processSecrets } from "../process-secrets.ts";
import { inheritedVariables, markPrefix, taskMarkVariable } from "../variables.ts";
import { startOf, type TaskFolder, type TaskStart, taskFolder } from "./task-folder.ts";
import { wrapper } from "./wrapper.ts";

export interface TaskProgram {
  readonly runId: string;
  /** The task, its item and its attempt: the same key never runs twice, even after a crash. */
  readonly key: string;
  /** The program and its arguments. `scriptPath` in it stands for the file with the script. */
  readonly command: readonly [program: string, ...rest: string[]];
  readonly script: string | null;
  /** In addition to the variables that every program gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values of variables that are masked when the output is read. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  /** The program cannot work without a network. */
  readonly needsNetwork?: boolean;
}

/** The argument that is replaced by the path of the script. */
export const scriptPath = "\0script";

interface TaskProcessResult {
  /** The last lines of its output, with secrets masked. */
  readonly lines: readonly string[];
  /** How often the program was started. */
  readonly starts: number;
}

interface ProgramControl {
  readonly signal: AbortSignal;
  /** Whether the server stops and another attempt, perhaps on another server, starts the program again. */
  readonly isInterrupted: () => boolean;
  line(level: RunLine["level"], text: string): void;
  /** Called before each start. */
  starting(starts: number): Promise<void>;
}

/** Programs of tasks: each in its own process group, with limits. */
export interface TaskProcesses {
  /**
   * Resolves if the program ended with exit code 0. After a crash of the server, the running program is found again.
   */
  run(program: TaskProgram, control: ProgramControl): Promise<TaskProcessResult>;
  /** Ends the programs of a run that still run. */
  abandon(runId: string): Promise<void>;
  /** Ends the programs of runs that have ended, and removes their folders. */
  clean(hasEnded: (runId: string) => Promise<boolean>): Promise<void>;
}

const pollMs = 200;
/** Reading the environment of all processes costs some milliseconds. */
const checkMs = 1_000;
/** Between SIGTERM and SIGKILL; a server that stops has 9 s in all. */
const termMs = 5_000;
const interruptedTermMs = 2_000;
/** Children that still hold the output of an ended program are ended after this time. */
const leftoverMs = 2_000;
const maxOutputBytes = 1024 * 1024;
const maxProcesses = 200;
const linesAtOnce = 1000;

const noArchive = { isArchived: false, archive: async () => false, failed: () => {}, removed: () => {} };

export function createTaskProcesses(
  { settings, system, vault }: Pick<Dependencies, "settings" | "system" | "vault">,
  {
    dataDir,
    dataFolderId,
    confinement,
    disk,
  }: {
    readonly dataDir: string;
    readonly dataFolderId: string;
    readonly confinement: Confinement;
    readonly disk: Pick<DiskWatch, "look">;
  },
): TaskProcesses {
  const root = join(dataDir, "task-processes");
  const prefix = markPrefix(dataFolderId, dataDir);
  const memoryMb = settings.PLATFORM_PROCESS_MEMORY_MB;

  /** The program of an earlier start, if it still runs. */
  async function running({ mark, boot, pid, began, user }: TaskStart): Promise<ProcessIdentity | undefined> {
    // The programs of a copied data folder belong to the copy.
    if (boot !== (await bootId()) || !mark.startsWith(prefix)) return undefined;
    const group = await confinement.groupOf(mark);
    const marked = pid === null ? await withVariable(taskMarkVariable, mark) : [{ pid }];
    for (const one of marked) {
      const found = await processAt(one.pid);
      const isLeader = found && found.group === found.pid;
      if (isLeader && (began === null || began === found.began))
        return { pid: found.pid, began: found.began, mark, user, group };
    }
    // The first process has ended, but others of its group may still run.
    const left = pid === null ? [] : membersOf(await allProcesses(), { pid, began: began ?? "" });
    return left.length > 0 ? { pid: pid ?? 0, began: began ?? "", mark, user, group } : undefined;
  }

  async function start(program: TaskProgram, folder: TaskFolder, starts: number, control: ProgramControl) {
    await folder.create();
    await folder.reset();
    if (program.script !== null) await writeFile(folder.script, program.script, { mode: 0o600 });
    await processSecrets(folder.path, vault).add(program.secrets);
    await control.starting(starts);
    const mark = `${prefix}${system.randomBytes(16).toString("hex")}`;
    const env = {
      ...inheritedVariables(),
      PATH: [dirname(process.execPath), process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"].join(delimiter),
      HOME: folder.home,
      TMPDIR: folder.temporary,
      LAKEHELM_RUN_ID: program.runId,
      ...program.variables,
      [taskMarkVariable]: mark,
    };
    const command = program.command.map((part) => (part === scriptPath ? folder.script : part));
    const limits = [String(maxOutputBytes / 512), String(memoryMb * 1024)];
    const { home, temporary, work, script } = folder;
    const confined = await confinement.confine({
      ...{ command, env, home, temporary, cwd: work, folder: folder.path },
      writable: [work, home, temporary],
      readable: program.script === null ? [] : [script],
      owned: [work, home, temporary, script],
      needsNetwork: program.needsNetwork ?? false,
      limits: { memoryMb },
    });
    const start: TaskStart = {
      ...{ mark, starts, pid: null, began: null, user: identifyingUser(confined), stopped: false },
      boot: await bootId(),
      startedAt: system.now().toISOString(),
    };
    await folder.save(start);
    const child = spawn("/bin/sh", ["-c", wrapper, "task", folder.path, ...limits, ...confined.command], {
      cwd: work,
      env: confined.env,
      detached: true,
      stdio: "ignore",
    });
    const pid = await pidOf(child);
    child.unref();
    const { began } = (await processAt(pid)) ?? { began: "" };
    const started = { ...start, pid, began };
    await folder.save(started);
    const group = await confinement.groupOf(mark);
    return { started, identity: { pid, began, mark, user: start.user, group } };
  }

  /** Starts the program, or finds the one that an earlier server has left. */
  async function startOrFind(program: TaskProgram, folder: TaskFolder, control: ProgramControl) {
    const before = await folder.start();
    if (!before) return start(program, folder, 1, control);
    await processSecrets(folder.path, vault).add(program.secrets);
    if (before.stopped) {
      control.line("warn", "The program was ended when the server stopped. It starts again.");
      return start(program, folder, before.starts + 1, control);
    }
    const identity = await running(before);
    if (identity) {
      control.line("info", "The program kept running without the server and was found again.");
      return { started: before, identity };
    }
    if (await folder.exit()) return { started: before, identity: undefined };
    // A server may be killed after it has written the start, and before the program exists.
    if (!(await folder.wasStarted())) return start(program, folder, before.starts, control);
    throw new Error(
      "The program ended while no server was watching it, and its exit code is not known. It may have done its work or a part of it.",
    );
  }

  async function limitProblem(identity: ProcessIdentity): Promise<string | undefined> {
    // The program writes to this disk and cannot be told to stop writing.
    if ((await disk.look()).isLow)
      return "It was ended, because the disk of the data folder has less free space than must stay free (PLATFORM_DISK_RESERVE_MB). Free some space, then run it again.";
    const marked = await withVariable(taskMarkVariable, identity.mark);
    const marks = new Map(marked.map(({ pid, value }) => [pid, value]));
    const members = startedBy(await allProcesses(), marks, identity);
    if (members.length > maxProcesses)
      return `It had more than ${maxProcesses} processes at once and was ended.`;
    const used = Math.round((await memoryOf(members)) / 1024 / 1024);
    return used > memoryMb
      ? `It used ${used} MB of memory, more than ${memoryMb} MB (PLATFORM_PROCESS_MEMORY_MB), and was ended.`
      : undefined;
  }

  const end = (identity: ProcessIdentity, waitMs: number) => endProcess(identity, waitMs, taskMarkVariable);

  /** Returns the exit code. If the program must end early, throws after all its processes have ended. */
  async function watch(
    { started, identity }: { readonly started: TaskStart; readonly identity: ProcessIdentity | undefined },
    program: TaskProgram,
    folder: TaskFolder,
    tail: () => Promise<void>,
    { signal, isInterrupted }: ProgramControl,
  ): Promise<number> {
    // After a restart, the time since the start counts by the wall clock; from then on by the monotonic clock, so that
    // setting the clock has no effect.
    const passedMs = Math.max(0, system.now().getTime() - Date.parse(started.startedAt));
    const deadline = performance.now() + program.timeoutMs - passedMs;
    let nextCheck = performance.now() + checkMs;
    let endedAt: number | undefined;
    for (;;) {
      const exit = await folder.exit();
      if (exit?.final || (exit && !identity)) return exit.code;
      if (exit) {
        endedAt ??= performance.now();
        if (performance.now() - endedAt > leftoverMs) return exit.code;
      }
      if (!identity) throw new Error("It ended without an exit code.");
      if (signal.aborted) {
        await end(identity, isInterrupted() ? interruptedTermMs : termMs);
        if (isInterrupted()) await folder.save({ ...started, stopped: true });
        throw signal.reason;
      }
      if (performance.now() > deadline) {
        await end(identity, termMs);
        throw new Error(`It took longer than ${program.timeoutMs / 1000} s and was ended.`);
      }
      if (performance.now() >= nextCheck) {
        const problem = await limitProblem(identity);
        if (problem !== undefined) {
          await end(identity, 0);
          throw new Error(problem);
        }
        const isGone = membersOf(await allProcesses(), identity).length === 0;
        if (isGone && !(await folder.exit())) {
          await end(identity, 0);
          throw new Error("It was ended from outside: it has no exit code.");
        }
        nextCheck = performance.now() + checkMs;
      }
      await tail();
      await pause(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  function tailOf(log: ProcessLog, folder: TaskFolder, control: ProgramControl) {
    let position: number | undefined;
    let bytes = 0;
    return async () => {
      for (;;) {
        const from = position ?? (await folder.position.read());
        const { lines, nextAfter } = await log.read(from, linesAtOnce);
        position = nextAfter;
        if (lines.length === 0) break;
        for (const { line } of lines) if (line !== "") control.line("info", line);
        // A killed server may not have written these lines to the run yet: the next server reads them again.
        await folder.position.write(from);
      }
      const size = await log.size();
      if (size >= maxOutputBytes && bytes < maxOutputBytes) {
        control.line("warn", `Only the first ${maxOutputBytes} bytes of the output are kept.`);
      }
      bytes = size;
    };
  }

  /** Ends all processes with the mark of a start, even if their group is unknown. */
  async function endStart(start: TaskStart): Promise<void> {
    const identity = await running(start);
    if (identity) await end(identity, 0);
    else if (start.mark.startsWith(prefix)) {
      const group = await confinement.groupOf(start.mark);
      await endMarked({ ...start, group }, taskMarkVariable);
    }
  }

  async function abandon(runId: string): Promise<void> {
    for (const name of await namesIn(join(root, runId))) {
      const start = await startOf(join(root, runId, name));
      if (start) await endStart(start);
    }
  }

  return {
    async run(program, control) {
      const folder = taskFolder(root, program.runId, program.key);
      const log = processLog(folder.path, processSecrets(folder.path, vault).redaction, noArchive);
      const found = await startOrFind(program, folder, control);
      const tail = tailOf(log, folder, control);
      try {
        const code = await watch(found, program, folder, tail, control);
        const isOutOfMemory = code !== 0 && (await exceededMemory(found.identity?.group));
        if (found.identity) await end(found.identity, 0);
        await tail();
        const { lines } = await log.read(undefined, maxLines);
        const shown = lines.filter(({ line }) => line !== "");
        if (isOutOfMemory)
          throw new Error(
            `It used more than ${memoryMb} MB of memory (PLATFORM_PROCESS_MEMORY_MB), and was ended.${lastLines(shown)}`,
          );
        if (code !== 0) throw new Error(`${endOf(code)}${lastLines(shown)}`);
        return { lines: shown.map(({ line }) => line), starts: found.started.starts };
      } catch (error) {
        await tail();
        throw error;
      } finally {
        // Start and exit code stay until the run has ended: without them, the program would run again after a crash.
        await folder.clear();
      }
    },
    abandon,
    async clean(hasEnded) {
      for (const runId of await namesIn(root)) {
        if (!(await hasEnded(runId))) continue;
        await abandon(runId);
        await rm(join(root, runId), { recursive: true, force: true });
      }
    },
  };
}

/** A shell reports a program that a signal has ended as 128 and the signal's number. */
const endOf = (code: number) =>
  code > 128 ? `It was ended by the signal ${code - 128}.` : `It ended with exit code ${code}.`;

async function pidOf(child: ChildProcess): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  throw await new Promise<Error>((failed) => child.once("error", failed));
}

const namesIn = (path: string) =>
  readdir(path).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
