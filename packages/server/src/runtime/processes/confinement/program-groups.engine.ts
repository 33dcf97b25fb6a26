/** Limits of the kernel. They need a delegated control group: docs/contributing.md says how to start these tests with one. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { until } from "@lakehelm/testing/until";
import { readSettings } from "../../../settings.ts";
import { processAt } from "../operating-system.ts";
import { endProcess } from "../process-end.ts";
import { markVariable } from "../variables.ts";
import { createConfinement } from "./confinement.ts";
import { exceededMemory } from "./program-groups.ts";

suite("control groups of programs", () => {
  async function given(t: TestContext) {
    const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-groups-"));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    await writeFile(join(dataDir, "data-folder-id"), "id", { mode: 0o600 });
    const confinement = createConfinement(readSettings({ PLATFORM_ENV: "production" }), { dataDir });
    const problem =
      (await confinement.mode()) === "none" ? "programs are off" : await confinement.limitsProblem();
    if (problem !== undefined) t.skip(problem);

    async function start(script: string) {
      const folder = join(dataDir, "processes", "one", "deploy");
      const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
      const owned = [home, temporary];
      for (const path of owned) await mkdir(path, { recursive: true, mode: 0o700 });
      const mark = `test.${process.pid}.${performance.now()}`;
      const { command, env } = await confinement.confine({
        command: ["/bin/sh", "-c", script],
        env: { HOME: home, PATH: "/usr/bin:/bin", [markVariable]: mark },
        ...{ cwd: home, folder, home, temporary, writable: owned, readable: [], owned },
        ...{ needsNetwork: true, limits: { memoryMb: 64 } },
      });
      const [file, ...rest] = command;
      const child = spawn(file, rest, { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
      let output = "";
      child.stdout.on("data", (part) => {
        output += part;
      });
      const exit = new Promise<number | null>((ended) => child.once("close", ended));
      const pid = child.pid ?? 0;
      const group = await confinement.groupOf(mark);
      assert.ok(group !== undefined);
      const identity = { pid, began: (await processAt(pid))?.began ?? "", mark, group };
      t.after(() => endProcess(identity, 0));
      return { identity, group, exit, output: () => output };
    }
    return { start, hasGroups: problem === undefined };
  }
  const valueIn = async (group: string, name: string) => (await readFile(join(group, name), "utf8")).trim();
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );

  test("a program has a group with its limits, which is removed with all that is in it", async (t) => {
    const { start, hasGroups } = await given(t);
    if (!hasGroups) return;
    const { identity, group, output } = await start(
      "(setsid sleep 600 &) ; cat /proc/self/cgroup; sleep 600",
    );
    await until(() => output().includes("\n"));
    assert.match(output(), /program-[0-9a-f]{32}\n$/);
    assert.equal(await valueIn(group, "memory.max"), String(64 * 1024 * 1024));
    assert.equal(await valueIn(group, "pids.max"), "1000");
    assert.ok(Number(await valueIn(group, "pids.current")) >= 3);
    await endProcess(identity, 0);
    assert.equal(await exists(group), false);
  });

  test("a program above its memory limit is ended as a whole", async (t) => {
    const { start, hasGroups } = await given(t);
    if (!hasGroups) return;
    const { group, exit } = await start(
      "sleep 600 & head -c 200000000 /dev/zero | tail -c 190000000; sleep 600",
    );
    await exit;
    assert.equal(await exceededMemory(group), true);
    await until(async () => (await valueIn(group, "pids.current")) === "0");
  });

  test("a server that is not root moves into a group of its own below the one that is delegated to it", async (t) => {
    const { start, hasGroups } = await given(t);
    if (!hasGroups) return;
    if (process.getuid?.() !== 0) return t.skip("only root can delegate a group to another user");
    const { group } = await start("sleep 600");
    const folder = join(group, "..", `delegated-${process.pid}`);
    await mkdir(folder);
    t.after(async () => {
      const below = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory());
      for (const { name } of below) await rmdir(join(folder, name));
      await rmdir(folder);
    });
    const scratch = await mkdtemp(join(tmpdir(), "lakehelm-groups-"));
    t.after(() => rm(scratch, { recursive: true, force: true }));
    await chmod(scratch, 0o777);
    const script = `
      import { programGroups } from ${JSON.stringify(new URL("./program-groups.ts", import.meta.url).href)};
      import { readFileSync } from "node:fs";
      const groups = programGroups();
      const made = await groups.create("mark", { memoryMb: 32 });
      console.log(JSON.stringify([await groups.problem(), made, readFileSync("/proc/self/cgroup", "utf8")]));`;
    await writeFile(join(scratch, "script.mjs"), script);
    const delegate = `echo 0 > ${folder}/cgroup.procs; chown -R 1000 ${folder}; exec setpriv --reuid=1000 --clear-groups "$@"`;
    const command = [process.execPath, join(scratch, "script.mjs")];
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", delegate, "sh", ...command]);
    const [problem, made, own] = JSON.parse(stdout);
    assert.equal(problem, null);
    assert.match(made, /\/delegated-\d+\/program-[0-9a-f]{32}$/);
    assert.match(own, /\/delegated-\d+\/server\n$/);
    return undefined;
  });
});
