import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { settingPaths } from "../../../setting-paths.ts";
import type { Settings } from "../../../settings.ts";
import { markVariables } from "../variables.ts";
import {
  bubblewrapArguments,
  commonLayout,
  copiedPaths,
  type LayoutPart,
  layoutArguments,
} from "./layout.ts";
import { enterScript, type ProgramLimits, programGroups } from "./program-groups.ts";
import { programUsers } from "./program-users.ts";
import { type PythonInstallation, pythonInstallation } from "./python-installation.ts";
import { asUserScript, filterScript, namespaceScript, runScript, variablePrefix } from "./sandbox-scripts.ts";
import { systemCallFilter } from "./system-call-filter.ts";

/** How programs of callers are kept apart from the server. */
type Method = "namespaces" | "bubblewrap" | "user";

/** The confinement in force on this machine. `none`: programs do not start. */
export type ProgramMode = Method | "unconfined" | "none";

/** A program of a caller: an app, an agent, or what a task runs. */
export interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A folder in the data folder, for this program alone. */
  readonly folder: string;
  readonly home: string;
  readonly temporary: string;
  /**
   * Paths that the program sees, and those that it owns. The content of a writable folder is untrusted: the server,
   * often the same user, opens no link or pipe there.
   */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly owned: readonly string[];
  /** The program must reach another machine or the API, even if PLATFORM_TASKS_NETWORK is off. */
  readonly needsNetwork: boolean;
  readonly limits: ProgramLimits;
}

interface ConfinedProgram {
  readonly command: readonly [program: string, ...rest: string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly mode: ProgramMode;
  /** The user that the program runs as, if it differs from the server's. */
  readonly user: number | null;
}

export interface Confinement {
  /** Determined once, by trying the methods. */
  mode(): Promise<ProgramMode>;
  /** The command that starts the program. Throws if programs are off, or if the network must be off and cannot be. */
  confine(program: Program): Promise<ConfinedProgram>;
  /** Why the kernel does not limit programs: then only the supervising server does. */
  limitsProblem(): Promise<string | undefined>;
  /** The control group of the start with this mark, if control groups are available. */
  groupOf(mark: string): Promise<string | undefined>;
  /** Gives a new file, such as a token, to the user of a program. */
  own(path: string, user: number | null): Promise<void>;
}

/** Bubblewrap first: it is one program, and starts in a tenth of the time of the script. */
const allMethods: readonly Method[] = ["bubblewrap", "namespaces", "user"];
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const checkMs = 20_000;

export const programsOff =
  "Programs of callers (agents, apps, tasks in Python and shell) are off on this server: it can neither run them as another user nor in a sandbox. Start the server as root, or allow user namespaces (util-linux or bubblewrap), or accept that programs can do what the server can: PLATFORM_PROGRAMS=unconfined. See docs/explanation/security.md.";

export function createConfinement(
  settings: Settings,
  { dataDir, methods = allMethods }: { readonly dataDir: string; readonly methods?: readonly Method[] },
): Confinement {
  const isRoot = process.getuid?.() === 0;
  const emptyFolder = join(dataDir, "program-root");
  const users = programUsers(settings.PLATFORM_PROGRAMS_USERS, () => homesIn(dataDir));
  const groups = programGroups();
  let found: Promise<ProgramMode> | undefined;
  let bubblewrap: Promise<[string, ...string[]]> | undefined;
  /** Why methods do not work here. */
  const problems: string[] = [];
  const pythons = new Map<string, Promise<PythonInstallation | undefined>>();

  function pythonOf(program: string): Promise<PythonInstallation | undefined> {
    const known = pythons.get(program) ?? pythonInstallation(program);
    pythons.set(program, known);
    return known;
  }

  async function findMode(): Promise<ProgramMode> {
    if (settings.PLATFORM_PROGRAMS === "unconfined") return "unconfined";
    if (process.platform === "linux") {
      for (const method of methods) {
        const problem = await problemOf(method);
        if (problem === undefined) return method;
        problems.push(problem);
      }
    }
    return settings.PLATFORM_ENV === "production" ? "none" : "unconfined";
  }

  /** Undefined if a program starts, can write to its home, and cannot read a file of the server. */
  async function problemOf(method: Method): Promise<string | undefined> {
    if (method === "user" && !isRoot) return "user: the server is not root";
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // A unique folder, because servers that share the data folder may run this check at the same time.
    const folder = await mkdtemp(join(dataDir, "program-check-"));
    const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
    try {
      for (const path of [home, temporary]) await mkdir(path, { recursive: true, mode: 0o700 });
      const attempt = ': > "$HOME/file" && ! cat "$1" > /dev/null 2>&1';
      const program: Program = {
        command: ["/bin/sh", "-c", attempt, "check", join(dataDir, "data-folder-id")],
        env: { HOME: home, PATH: systemPath },
        cwd: home,
        ...{ folder, home, temporary, needsNetwork: true, readable: [], limits: { memoryMb: 0 } },
        ...{ writable: [home, temporary], owned: [home, temporary] },
      };
      const { command, env } = await confineBy(method, program);
      const [file, ...rest] = command;
      await promisify(execFile)(file, rest, { env, timeout: checkMs, killSignal: "SIGKILL" });
      return undefined;
    } catch (error) {
      const { stderr = "", message } = error as Error & { stderr?: string };
      return `${method}: ${stderr.trim().split("\n").at(-1) || message.split("\n", 1)[0]}`;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Whether a path stays hidden. A connector folder is shown if PLATFORM_PROGRAMS_FOLDERS grants it or a folder in it:
   * the operator has set both, and the more specific setting wins.
   */
  const isNotGranted = (path: string) =>
    !settings.PLATFORM_CONNECTOR_FOLDERS.some((folder) => resolve(folder) === path) ||
    !settings.PLATFORM_PROGRAMS_FOLDERS.some((entry) =>
      `${resolve(entry.replace(/:rw$/, ""))}/`.startsWith(`${path}/`),
    );

  async function layout(
    { writable, readable, temporary }: Program,
    python: PythonInstallation | undefined,
  ): Promise<LayoutPart[]> {
    const ownPaths = settingPaths(settings).map(({ path }) => path);
    const common = await commonLayout({
      folders: settings.PLATFORM_PROGRAMS_FOLDERS,
      interpreters: [process.execPath, ...(python?.folders ?? [])],
      hidden: [dataDir, ...ownPaths.filter(isNotGranted)],
    });
    const bind = (path: string, isWritable: boolean) =>
      ({ kind: "bind", path, at: path, isWritable }) as const;
    return [
      { kind: "bind", path: temporary, at: "/tmp", isWritable: true },
      { kind: "link", target: "/tmp", at: "/var/tmp" },
      ...common,
      // Writable folders come last, because a readable folder may contain them.
      ...readable.map((path) => bind(path, false)),
      ...writable.map((path) => bind(path, true)),
    ];
  }

  /** The bubblewrap command, with the system call filter as file descriptor 9. */
  async function withFilter(): Promise<[string, ...string[]]> {
    const bytes = systemCallFilter(process.arch);
    if (!bytes) return ["bwrap"];
    const file = join(dataDir, "program-filter");
    // Renamed into place, because servers that share the data folder write the same file.
    const written = `${file}.${process.pid}`;
    await writeFile(written, bytes, { mode: 0o600 });
    await rename(written, file);
    return ["/bin/sh", "-c", filterScript, "sandbox", file, "bwrap", "--seccomp", "9"];
  }

  async function confineBy(method: Method, program: Program): Promise<ConfinedProgram> {
    const isMark = (name: string) => markVariables.includes(name);
    const names = Object.keys(program.env).filter((name) => !isMark(name));
    const renamed = Object.entries(program.env).map(([name, value]) => [
      isMark(name) ? name : `${variablePrefix}${name}`,
      value,
    ]);
    const env = { PATH: systemPath, ...Object.fromEntries(renamed) };
    const [file = "", ...rest] = program.command;
    const isPython = [settings.PLATFORM_PYTHON, ...settings.PLATFORM_SPARK_PYTHON].includes(file);
    const python = await pythonOf(isPython ? file : settings.PLATFORM_PYTHON);
    const command = [isPython && python && method !== "user" ? python.executable : file, ...rest];
    const run = ["/bin/sh", "-c", runScript, "program", program.cwd, ...names, "--", ...command];
    const hasNetwork = program.needsNetwork || settings.PLATFORM_TASKS_NETWORK === "on";
    const user = isRoot ? await users.claim(program.home) : null;
    if (user !== null) {
      await users.give(user, program.owned);
      await users.openPath(user, program.folder, method === "user" ? dataDir : program.folder);
    }
    const drop = [
      ...["setpriv", "--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"],
      ...(user === null ? [] : [`--reuid=${user}`, `--regid=${user}`, `--groups=${users.group}`]),
    ];
    switch (method) {
      case "user":
        if (!hasNetwork) throw new Error(noNetwork);
        return { command: asUser(user, [...drop, ...run]), env, mode: method, user };
      case "namespaces": {
        await mkdir(emptyFolder, { recursive: true, mode: 0o700 });
        const parts = await layout(program, python);
        const copied = [copiedPaths(parts, "copy-file"), copiedPaths(parts, "copy-folder")];
        // umount works only for root. Without capabilities, the program is root in name only.
        const rights = isRoot ? [] : ["--map-root-user"];
        const network = hasNetwork ? [] : ["--net"];
        const flags = ["--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts", ...rights, ...network];
        const script = ["/bin/sh", "-c", namespaceScript, "sandbox", emptyFolder, String(user ?? "")];
        return {
          command: [
            "unshare",
            ...flags,
            ...script,
            ...copied,
            ...(await layoutArguments(parts)),
            "--",
            ...drop,
            ...run,
          ],
          ...{ env, mode: method, user },
        };
      }
      case "bubblewrap": {
        const parts = bubblewrapArguments(await layout(program, python));
        const rights = isRoot
          ? [
              "ALL",
              "--cap-add",
              "CAP_CHOWN",
              "--cap-add",
              "CAP_SETUID",
              "--cap-add",
              "CAP_SETGID",
              "--cap-add",
              "CAP_SETPCAP",
            ]
          : ["ALL", "--unshare-user"];
        const flags = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", ...rights];
        const network = hasNetwork ? [] : ["--unshare-net"];
        // A /dev/shm that bubblewrap creates belongs to root, and before version 0.7 its size has no limit.
        const shared = ["--bind", program.temporary, "/dev/shm"];
        const own = ["--proc", "/proc", "--dev", "/dev", ...shared];
        bubblewrap ??= withFilter();
        return {
          command: [
            ...(await bubblewrap),
            ...flags,
            ...network,
            ...own,
            ...parts,
            "--",
            ...asUser(user, [...drop, ...run]),
          ],
          ...{ env, mode: method, user },
        };
      }
    }
  }

  const mode = () => {
    found ??= findMode();
    return found;
  };
  const areConfined = async () => !["none", "unconfined"].includes(await mode());

  async function inGroup(program: Program, confined: ConfinedProgram): Promise<ConfinedProgram> {
    const mark = markVariables.map((name) => program.env[name]).find((value) => value !== undefined);
    const group = mark === undefined ? undefined : await groups.create(mark, program.limits);
    if (group === undefined) return confined;
    return { ...confined, command: ["/bin/sh", "-c", enterScript, "program", group, ...confined.command] };
  }

  return {
    mode,
    async confine(program) {
      const now = await mode();
      if (now === "none") throw new Error(`${programsOff} Tried: ${problems.join("; ")}.`);
      if (now !== "unconfined") return inGroup(program, await confineBy(now, program));
      if (!program.needsNetwork && settings.PLATFORM_TASKS_NETWORK === "off") throw new Error(noNetwork);
      const [file = "", ...rest] = program.command;
      return { command: [file, ...rest], env: program.env, mode: now, user: null };
    },
    limitsProblem: groups.problem,
    groupOf: async (mark) => ((await areConfined()) ? groups.of(mark) : undefined),
    own: async (path, user) => {
      if (user !== null) await users.give(user, [path]);
    },
  };
}

function asUser(user: number | null, command: readonly string[]): [string, ...string[]] {
  return ["/bin/sh", "-c", asUserScript, "program", String(user ?? ""), ...command];
}

const noNetwork =
  "PLATFORM_TASKS_NETWORK is off, and this server cannot run programs in a network of their own. Set it to on, or allow namespaces.";

/** The home folders of all agents, apps and tasks. */
async function homesIn(dataDir: string): Promise<string[]> {
  const roots = [join(dataDir, "processes"), join(dataDir, "task-processes")];
  const programs = (await Promise.all(roots.map(namesIn))).flat();
  const parts = (await Promise.all(programs.map(namesIn))).flat();
  return parts.map((path) => join(path, "home"));
}

const namesIn = async (folder: string) =>
  (await readdir(folder).catch((): string[] => [])).map((name) => join(folder, name));
