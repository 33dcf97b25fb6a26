/** Tests each confinement method that this machine allows, and the refusal if none works. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { closeInheritedFiles } from "../../../inherited-files.ts";
import { readSettings, settingsSchema } from "../../../settings.ts";
import { createConfinement, type Program } from "./confinement.ts";

const canary = "cnry_7Jk2mQx9Lw4Rt8Zp";

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-confined-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
}

async function dataFolder(scratch: string): Promise<string> {
  const dataDir = join(scratch, "data");
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, "data-folder-id"), canary, { mode: 0o600 });
  return dataDir;
}

async function programIn(dataDir: string, name: string, script: string): Promise<Program> {
  const folder = join(dataDir, "task-processes", "run", name);
  const [home, temporary, work] = ["home", "tmp", "work"].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, temporary, work]) await mkdir(path, { recursive: true, mode: 0o700 });
  const owned = [home, temporary, work];
  return {
    command: ["/bin/sh", "-c", script],
    env: {
      HOME: home,
      TMPDIR: temporary,
      PATH: "/usr/bin:/bin",
      GREETING: "a 'b' $c",
      LD_PRELOAD: "/none.so",
    },
    ...{ cwd: work, folder, home, temporary, writable: owned, readable: [], owned, needsNetwork: false },
    limits: { memoryMb: 200 },
  };
}

async function run({ command, env }: Pick<Program, "command" | "env">): Promise<string> {
  const [file = "", ...rest] = command;
  return (await promisify(execFile)(file, rest, { env, timeout: 60_000 })).stdout;
}

/** Prints for each call EPERM if it was refused, or else its result. Without the filter, almost none is refused. */
const refusedCalls = `
import ctypes, errno, os, platform
lib = ctypes.CDLL(None, use_errno=True)
arm = platform.machine() == "aarch64"
space = ctypes.create_string_buffer(256)
calls = {
    "add_key": (217 if arm else 248, 0, 0, 0, 0, 0), "request_key": (218 if arm else 249, 0, 0, 0, 0),
    "keyctl": (219 if arm else 250, 99), "bpf": (280 if arm else 321, 99, 0, 0),
    "perf_event_open": (241 if arm else 298, 0, 0, -1, -1, 0), "userfaultfd": (282 if arm else 323, -1),
    "kexec_load": (104 if arm else 246, 0, 0, 0, 0), "init_module": (105 if arm else 175, 0, 0, 0),
    "finit_module": (273 if arm else 313, -1, 0, 0), "delete_module": (106 if arm else 176, 0, 0),
    "mount": (40 if arm else 165, 0, 0, 0, 0, 0), "umount2": (39 if arm else 166, 0, 0),
    "pivot_root": (41 if arm else 155, 0, 0), "open_by_handle_at": (265 if arm else 304, -1, 0, 0),
    "setns": (268 if arm else 308, -1, 0), "unshare": (97 if arm else 272, 0x10000000),
    "unshare time": (97 if arm else 272, 0x80), "clone": (220 if arm else 56, 0x10000011, 0, 0, 0, 0),
    "ptrace": (117 if arm else 101, 16, 1, 0, 0), "process_vm_readv": (270 if arm else 310, 1, 0, 0, 0, 0, 99),
    "process_vm_writev": (271 if arm else 311, 1, 0, 0, 0, 0, 99), "io_uring_setup": (425, 0, 0),
    "open_tree": (428, -1, 0, -1), "move_mount": (429, -1, 0, -1, 0, -1), "fsopen": (430, 0, -1),
    "fsconfig": (431, -1, 99, 0, 0, 0), "fsmount": (432, -1, 0, 0), "fspick": (433, -1, 0, -1), "mount_setattr": (442, -1, 0, -1, 0, 0),
    "TIOCSTI": (29 if arm else 16, -1, 0x5412, space), "TIOCLINUX": (29 if arm else 16, -1, 0x7000000000000000 + 0x541C, space),
    "clone3": (435, space, 64),
}
for name, (number, *values) in calls.items():
    ctypes.set_errno(0)
    result = lib.syscall(ctypes.c_long(number), *[ctypes.c_long(v) if isinstance(v, int) else v for v in values])
    if name == "clone" and result == 0: os._exit(0)
    print(name, errno.errorcode.get(ctypes.get_errno()) if result == -1 else result, flush=True)
`;

/** Calls getpid like a 32-bit program, for which the numbers mean other calls. */
const foreignCall = `
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b814000000cd80c3"))
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
`;

const ordinaryPython = `
import concurrent.futures, multiprocessing, os, socket, subprocess, tempfile, threading
assert subprocess.run(["sh", "-c", "echo fine | cat"], capture_output=True, text=True).stdout == "fine\\n"
thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
with multiprocessing.Pool(2) as pool: assert pool.map(abs, [-1, -2]) == [1, 2]
with tempfile.TemporaryFile() as file: file.write(b"x")
left, right = socket.socketpair(); left.send(b"x"); assert right.recv(1) == b"x"
print("python")
`;

const ordinaryNode = `
const { spawnSync } = require("node:child_process");
const { Worker } = require("node:worker_threads");
const { createServer } = require("node:net");
const { writeFile } = require("node:fs/promises");
const worker = new Worker("require('node:worker_threads').parentPort.postMessage(1)", { eval: true });
worker.once("message", async () => {
  await writeFile("file", "x");
  createServer().listen(0, "127.0.0.1", function () {
    this.close();
    console.log(spawnSync("echo", ["node"]).stdout.toString().trim());
  });
});
`;

for (const method of ["bubblewrap", "namespaces", "user"] as const) {
  suite(`programs confined by ${method}`, () => {
    async function given(t: TestContext, values: Readonly<Record<string, string>> = {}) {
      const scratch = await scratchFolder(t);
      const dataDir = await dataFolder(scratch);
      const settings = readSettings({ PLATFORM_ENV: "production", ...values });
      const confinement = createConfinement(settings, { dataDir, methods: [method] });
      const isHere = (await confinement.mode()) === method;
      if (!isHere) t.skip(`${method} does not work on this machine`);
      return { scratch, dataDir, settings, confinement, isHere };
    }

    test("a program has its variables, its folders and its exit code, and no rights", async (t) => {
      const { dataDir, confinement, isHere } = await given(t);
      if (!isHere) return;
      const script = `echo "$GREETING|$(pwd)"; touch "$HOME/h" "$TMPDIR/t" w && echo written; grep -E "NoNewPrivs|CapEff|CapBnd" /proc/self/status`;
      const program = await programIn(dataDir, "one", script);
      const output = (await run(await confinement.confine(program))).split("\n");
      assert.deepEqual(output.slice(0, 2), [`a 'b' $c|${program.cwd}`, "written"]);
      assert.match(output.join(" "), /CapEff:\s+0+ CapBnd:\s+0+ NoNewPrivs:\s+1/);
      const failing = await confinement.confine({ ...program, command: ["/bin/sh", "-c", "exit 7"] });
      await assert.rejects(run(failing), { code: 7 });
    });

    test("a program has no open files but its input and output", async (t) => {
      const { dataDir, confinement, isHere } = await given(t);
      if (!isHere) return;
      closeInheritedFiles();
      const program = await programIn(dataDir, "one", "exec ls -l /proc/self/fd");
      const lines = (await run(await confinement.confine(program))).trim().split("\n");
      const files = lines.flatMap((line) => / (\d+) -> (.*)/.exec(line)?.slice(1, 3).join(" ") ?? []);
      // The last one is the folder that ls reads.
      assert.deepEqual(
        files.map((file) => file.split(" ", 1)[0]),
        ["0", "1", "2", "3"],
      );
      assert.match(files[3] ?? "", /^3 \/proc\/\d+\/fd$/);
    });

    test("a program reaches neither the server nor another program", async (t) => {
      const { dataDir, confinement, isHere } = await given(t);
      if (!isHere) return;
      const other = await programIn(dataDir, "other", `echo ${canary} > "$HOME/own"; chmod -R 777 "$HOME"`);
      await run(await confinement.confine(other));
      const script = `
        grep -rs ${canary} ${dataDir} && echo LEAK folder
        cat ${other.home}/own && echo LEAK other
        for path in /proc/[0-9]*; do
          cat $path/root${dataDir}/data-folder-id && echo LEAK root
        done
        cat /proc/${process.pid}/environ && echo LEAK environ
        head -c 1 /proc/${process.pid}/mem && echo LEAK mem
        kill -0 ${process.pid} && echo LEAK signal
        echo end`;
      const program = await programIn(dataDir, "one", script);
      assert.equal(await run(await confinement.confine(program)), "end\n");
    });

    test("every file and folder that a setting names is out of sight", async (t) => {
      const scratch = await scratchFolder(t);
      const shown = join(scratch, "shown");
      await mkdir(shown);
      const dataDir = await dataFolder(shown);
      // Only a sandbox hides files that all users may read: with the method `user`, the program can read them.
      const mode = method === "user" ? 0o700 : 0o755;
      const values: Record<string, string> = {};
      for (const [name] of settingsSchema.fieldEntries) {
        const path = join(shown, name.toLowerCase());
        const isAccepted = (value: string) => {
          try {
            return readSettings({ [name]: value }) !== undefined;
          } catch {
            return false;
          }
        };
        if (!isAccepted(path) || name.startsWith("PLATFORM_PROGRAMS") || /PYTHON$/.test(name)) continue;
        values[name] = path;
        await mkdir(path);
        await writeFile(join(path, "file"), canary);
        await chmod(path, mode);
      }
      assert.ok(Object.keys(values).length > 5, "settings that name folders");
      const file = join(shown, "key");
      await writeFile(file, canary, { mode: mode & 0o644 });
      const settings = readSettings(
        { ...values, PLATFORM_ENV: "production", PLATFORM_PROGRAMS_FOLDERS: shown },
        [{ setting: "PLATFORM_SECRET_KEY_FILE", path: file }],
      );
      await writeFile(join(shown, "for-programs"), "granted");
      const confinement = createConfinement(settings, { dataDir, methods: [method] });
      if ((await confinement.mode()) !== method) return t.skip(`${method} does not work on this machine`);
      const script = `cat ${shown}/for-programs; grep -rs ${canary} ${shown}; cat ${Object.values(values).join("/file ")}/file ${file}; true`;
      const program = await programIn(dataDir, "one", script);
      assert.equal(await run(await confinement.confine(program)), "granted");
    });

    test("a folder for programs may be in one of connectors", async (t) => {
      const scratch = await scratchFolder(t);
      const shown = join(scratch, "out");
      await mkdir(shown);
      await chmod(shown, 0o777);
      const dataDir = await dataFolder(scratch);
      const settings = readSettings({
        PLATFORM_CONNECTOR_FOLDERS: scratch,
        PLATFORM_PROGRAMS_FOLDERS: `${shown}:rw`,
      });
      const confinement = createConfinement(settings, { dataDir, methods: [method] });
      if ((await confinement.mode()) !== method) return t.skip(`${method} does not work on this machine`);
      const program = await programIn(dataDir, "one", `echo fine > ${shown}/file`);
      await run(await confinement.confine(program));
      assert.equal(await readFile(join(shown, "file"), "utf8"), "fine\n");
    });

    test("a task without a network reaches nothing, or is refused", async (t) => {
      const { dataDir, confinement, isHere } = await given(t, { PLATFORM_TASKS_NETWORK: "off" });
      if (!isHere) return;
      const program = await programIn(dataDir, "one", "cat /proc/net/dev | grep -c : ; true");
      if (method === "user") return assert.rejects(confinement.confine(program), /PLATFORM_TASKS_NETWORK/);
      assert.ok(Number(await run(await confinement.confine(program))) <= 1, "only its own loopback");
      return undefined;
    });
  });
}

suite("system calls of programs confined by bubblewrap", () => {
  async function given(t: TestContext) {
    const dataDir = await dataFolder(await scratchFolder(t));
    const settings = readSettings({ PLATFORM_ENV: "production" });
    const confinement = createConfinement(settings, { dataDir, methods: ["bubblewrap"] });
    const isHere = (await confinement.mode()) === "bubblewrap" && ["x64", "arm64"].includes(process.arch);
    if (!isHere) t.skip("bubblewrap does not work on this machine, or its filter is not for it");
    const output = async (...command: string[]) =>
      run(await confinement.confine({ ...(await programIn(dataDir, "one", "")), command }));
    return { output, isHere };
  }

  test("calls that lead out of sandboxes are refused", async (t) => {
    const { output, isHere } = await given(t);
    if (!isHere) return;
    const lines = (await output("python3", "-c", refusedCalls)).trim().split("\n");
    assert.equal(lines.length, 32);
    assert.deepEqual(
      lines.filter((line) => !line.endsWith(" EPERM")),
      ["clone3 ENOSYS"],
    );
  });

  test("a call with the numbers of another architecture ends the program", async (t) => {
    const { output, isHere } = await given(t);
    if (!isHere || process.arch !== "x64") return t.skip("the attack is for x64");
    await assert.rejects(output("python3", "-c", foreignCall), { code: 128 + constants.signals.SIGSYS });
    return undefined;
  });

  test("ordinary programs run", async (t) => {
    const { output, isHere } = await given(t);
    if (!isHere) return;
    assert.equal(await output("python3", "-c", ordinaryPython), "python\n");
    assert.equal(await output(process.execPath, "-e", ordinaryNode), "node\n");
  });
});

test("where nothing is possible, programs are off in production and unconfined in development", async (t) => {
  const dataDir = await dataFolder(await scratchFolder(t));
  const program = await programIn(dataDir, "one", "echo fine");
  const inMode = (values: Readonly<Record<string, string>>) =>
    createConfinement(readSettings(values), { dataDir, methods: [] });
  const off = inMode({ PLATFORM_ENV: "production" });
  assert.equal(await off.mode(), "none");
  await assert.rejects(off.confine(program), /PLATFORM_PROGRAMS=unconfined/);
  for (const values of [
    { PLATFORM_ENV: "development" },
    { PLATFORM_ENV: "production", PLATFORM_PROGRAMS: "unconfined" },
  ]) {
    const open = inMode(values);
    assert.equal(await open.mode(), "unconfined");
    assert.deepEqual((await open.confine(program)).command, program.command);
  }
});
