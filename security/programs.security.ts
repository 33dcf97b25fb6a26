/**
 * Programs of callers: apps, agents, Python and shell tasks. Who may write them, and what a program gets, reaches, does
 * and leaves behind.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { type Caller, startTarget, type Target } from "./target.ts";

const json = { "content-type": "application/json" };
const allowed = { PLATFORM_PROCESS_TASKS: "on" };

/** The same program in every form that a definition allows. */
const programs: readonly object[] = [
  { name: "work", kind: "shell", script: "echo hi" },
  { name: "work", kind: "shell", command: ["echo", "hi"] },
  { name: "work", kind: "python", script: "print('hi')" },
  { name: "all", kind: "shell", script: "echo hi", for_each: { items: [1] } },
  { name: "all", kind: "python", script: "print('hi')", for_each: { items: "{{parameters.all}}" } },
];

/** The status codes of all requests that could store or release the definition. */
async function attempts(caller: Caller, definition: object, alias: string): Promise<number[]> {
  const at = `/api/automations/${alias}`;
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = json) =>
    (
      await caller.fetch(path, {
        method,
        headers,
        body: typeof body === "string" ? body : JSON.stringify(body),
      })
    ).status;
  const text = JSON.stringify(definition);
  return [
    await send("POST", "/api/automations", { alias: `${alias}-new`, definition }),
    await send("PUT", `${at}/definition`, definition),
    await send("PUT", `${at}/attempts/a1`, definition),
    // JSON is also YAML.
    await send("PUT", `${at}/attempts/a2`, text, { "content-type": "application/yaml" }),
    await send("PUT", `${at}/attempts/a3`, {
      tasks: [],
      files: [{ path: "definition.yaml", content: text }],
    }),
  ];
}

/**
 * Sends the definition in a batch, or in a field that the request does not have. Whatever the status is, nothing may be
 * stored.
 */
async function disguised({ fetch }: Caller, definition: object, alias: string): Promise<void> {
  const send = (method: string, path: string, body: unknown) =>
    fetch(path, { method, headers: json, body: JSON.stringify(body) });
  await send("PATCH", `/api/automations/${alias}`, { definition, description: "x" });
  for (const mode of ["all_or_nothing", "each"]) {
    const operation = {
      method: "POST",
      path: "/api/automations",
      body: { alias: `${alias}-${mode}`, definition },
    };
    const answer = await send("POST", "/api/v1/batch", { mode, operations: [{ id: "one", ...operation }] });
    assert.doesNotMatch(await answer.text(), /"status":20\d/);
  }
}

async function ended({ admin }: Target, id: string): Promise<Run> {
  const read = () => admin.client.getRun({ params: { run_id: id } });
  await until(async () => (await read()).ended_at !== null, 50);
  return read();
}

/** Releases a script as an admin, and runs it as an operator. */
async function runScript(target: Target, script: string, more: object = {}) {
  const alias = `p${Math.random().toString(36).slice(2, 10)}`;
  const params = { automation_alias: alias };
  const { environments } = await target.admin.client.listEnvironments({});
  const environment = environments[0]?.name ?? "";
  const definition = { tasks: [{ name: "work", kind: "shell" as const, script, ...more }] };
  await target.admin.client.createAutomation({ body: { alias, definition } });
  await target.admin.client.syncAutomationRelease({ body: { ...params, environment } });
  const { id } = await target.operator.client.runAutomation({ params, environment });
  return {
    params,
    environment,
    id,
    lines: async () =>
      (await target.admin.client.readRunLog({ params: { run_id: id }, query: { limit: 1000 } })).lines.map(
        ({ line }) => line,
      ),
  };
}

/** The processes whose command line still contains a mark. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(mark));
}

const startAllowed = (t: TestContext, more: Record<string, string> = {}) =>
  startTarget(t, { settings: { ...allowed, ...more } });

suite("programs of tasks", { concurrency: 2 }, () => {
  test("in production nobody can write or run one unless a setting allows it", async (t) => {
    const target = await startTarget(t);
    const { admin } = target;
    await admin.client.createAutomation({ body: { alias: "mine" } });
    for (const task of programs.slice(0, 3)) {
      const [created, defined] = await attempts(admin, { tasks: [task] }, "mine");
      assert.deepEqual([created, defined], [409, 409], JSON.stringify(task));
    }
    await admin.client.putAttempt({
      params: { automation_alias: "mine", attempt_id: "one" },
      body: { tasks: [{ name: "work", kind: "shell", script: "echo hi" }] },
    });
    const { environments } = await admin.client.listEnvironments({});
    const release = await admin.fetch("/api/automations/sync-release", {
      method: "POST",
      headers: json,
      body: JSON.stringify({
        automation_alias: "mine",
        environment: environments[0]?.name,
        metadata: { attempt_id: "one" },
      }),
    });
    assert.ok(release.status >= 400 && release.status < 500, String(release.status));
  });

  test("a viewer or operator cannot write, release or hide one; a viewer cannot run one", async (t) => {
    const target = await startAllowed(t);
    const { admin, operator, viewer } = target;
    await admin.client.createAutomation({ body: { alias: "mine" } });
    for (const caller of [viewer, operator]) {
      for (const task of programs) {
        const statuses = await attempts(caller, { tasks: [task] }, "mine");
        assert.ok(
          statuses.every((status) => status >= 400 && status < 500),
          `${JSON.stringify(task)}: ${statuses}`,
        );
        await disguised(caller, { tasks: [task] }, "mine");
      }
    }
    const { total } = await admin.client.listAutomations({});
    assert.equal(total, 1, "nothing was stored by the attacks");
    const stored = await admin.client.getAutomation({ params: { automation_alias: "mine" } });
    assert.doesNotMatch(JSON.stringify(stored), /echo hi|print/);
    // Legitimate use: an admin releases the same program.
    const { id, params, environment } = await runScript(target, "echo hi");
    assert.equal((await ended(target, id)).status, "succeeded");
    await assert.rejects(viewer.client.runAutomation({ params, environment }), { status: 403 });
    await assert.rejects(operator.client.syncAutomationRelease({ body: { ...params, environment } }), {
      status: 403,
    });
  });

  test("a program gets no credentials of the server in its variables", async (t) => {
    const canary = "cnry_7Jk2mQx9Lw4Rt8Zp";
    const target = await startAllowed(t, { PGPASSWORD: canary, AWS_SECRET_ACCESS_KEY: canary });
    const { id, lines } = await runScript(
      target,
      'env; tr "\\0" "\\n" < /proc/self/environ; pid=$PPID; while [ "$pid" -gt 1 ]; do tr "\\0" "\\n" < /proc/$pid/environ 2>/dev/null | grep -E "tst_|^PLATFORM_.*TOKEN=" && echo LEAKED $pid; pid=$(sed -n "s/^PPid:[^0-9]*//p" /proc/$pid/status); done; echo end',
    );
    const done = await ended(target, id);
    assert.equal(done.status, "succeeded", done.error ?? "");
    const all = (await lines()).join("\n");
    assert.match(all, /end/);
    assert.doesNotMatch(all, /LEAKED|cnry_|tst_5Vq8|PLATFORM_|DATABASE_URL|AWS_|PGPASSWORD/);
  });

  test("output without end fills neither the log nor the disk, and others are served meanwhile", async (t) => {
    const target = await startAllowed(t);
    const { id, lines } = await runScript(target, "yes 0123456789 | head -c 400000000; echo end");
    let slowest = 0;
    await until(async () => {
      const began = performance.now();
      const { ended_at } = await target.viewer.client.getRun({ params: { run_id: id } });
      slowest = Math.max(slowest, performance.now() - began);
      return ended_at !== null;
    }, 50);
    const done = await ended(target, id);
    assert.equal(done.status, "succeeded", done.error ?? "");
    assert.ok(JSON.stringify(done).length < 100_000);
    assert.ok((await lines()).length <= 1000);
    assert.ok(slowest < 10_000, `a request took ${slowest} ms`);
  });

  test("processes that are left behind end with their program, also in sessions of their own", async (t) => {
    const target = await startAllowed(t);
    const mark = `60${process.pid}.25`;
    const { id } = await runScript(
      target,
      `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c '(sleep ${mark} &) ; exit 0' &) ; for n in 1 2 3 4 5 6 7 8; do (setsid nohup sleep ${mark} > /dev/null 2>&1 &); done; echo left`,
    );
    const done = await ended(target, id);
    assert.equal(done.status, "succeeded", done.error ?? "");
    await until(async () => (await processesWith(mark)).length === 0, 100);
  });

  test("names of tasks, items and variables do not lead out of the program's folder", async (t) => {
    const target = await startAllowed(t);
    const { admin } = target;
    for (const name of ["../../escaped", "/tmp/escaped", "a/b", "..", "a\u0000b"]) {
      const response = await admin.fetch("/api/automations", {
        method: "POST",
        headers: json,
        body: JSON.stringify({
          alias: "names",
          definition: { tasks: [{ name, kind: "shell", script: "pwd; echo x > kept" }] },
        }),
      });
      assert.ok(response.status >= 400 && response.status < 500, `${name}: ${response.status}`);
    }
    const { id, lines } = await runScript(target, "pwd; ls -a ..; echo end");
    assert.equal((await ended(target, id)).status, "succeeded");
    const [folder] = (await lines()).filter((line) => line.startsWith("/"));
    assert.ok(folder?.startsWith(join(target.dataDir, "task-processes", id)), String(folder));
  });
});

/**
 * Prints a line with LEAK for each attack that works. It tries every process that it sees, and processes whose ids it
 * is given; the data folder by its name, through a link, and through other processes; finally it ends every process
 * that it may signal.
 */
const attack = `
marks='cnry_|tst_5Vq8|PLATFORM_SERVICE|PLATFORM_SECRET'
own=$(sed -n 's/^NSpid:.*[[:space:]]\\([0-9]*\\)$/\\1/p' /proc/self/status)
found() { grep -aqsE "$marks" && echo "LEAK $1"; }
for path in /proc/$PPID /proc/$SERVER /proc/[0-9]*; do
  case $path in /proc/$own) continue ;; esac
  tr '\\0' '\\n' < $path/environ 2>/dev/null | found "$path environ"
  for name in root cwd; do
    for file in data-folder-id service-token secret-key lakehelm.db; do
      [ -s "$path/$name$DATA/$file" ] && echo "LEAK $path/$name$DATA/$file"
    done
    cat "$path/$name$KEY" 2>/dev/null | found "$path/$name key"
  done
  for fd in $path/fd/*; do
    case $(readlink "$fd" 2>/dev/null) in *lakehelm.db* | *warehouse* | *data-folder* | *.sqlite*) echo "LEAK $fd" ;; esac
  done
done
[ -r /proc/$SERVER/mem ] && echo "LEAK mem"
ln -s "$DATA" "$HOME/data"
for folder in "$DATA" "$LINK" "$HOME/data" "/proc/self/cwd/../../../../.."; do
  for file in data-folder-id service-token secret-key lakehelm.db anchor; do
    [ -s "$folder/$file" ] && echo "LEAK $folder/$file"
  done
  [ -n "$(ls "$folder/warehouse" 2>/dev/null)" ] && echo "LEAK $folder/warehouse"
  grep -ras 'cnry_''other' "$folder/processes" "$folder/task-processes" "$folder/workspace" "$folder/files" 2>/dev/null | found "$folder others"
done
cat "$KEY" 2>/dev/null | found key
cat "$LINK" 2>/dev/null | found link
grep -ras 'cnry_''other' /tmp 2>/dev/null | found tmp
[ -n "$(find / -xdev -name 'lakehelm*.db*' 2>/dev/null)" ] && echo "LEAK find"
python3 -c 'import ctypes, os
lib = ctypes.CDLL(None, use_errno=True)
if lib.ptrace(16, int(os.environ["SERVER"]), 0, 0) == 0: print("LEAK ptrace")' 2>/dev/null
python3 -c 'import os
for fd in os.listdir("/proc/self/fd"):
    if int(fd) > 2 and os.path.exists("/proc/self/fd/" + fd): print("LEAK open file", fd)'
kill -0 "$SERVER" 2>/dev/null && echo "LEAK signal"
kill -KILL "$SERVER" 2>/dev/null && echo "LEAK kill"
echo "attack done"
`;

const node = `require("node:http").createServer((q, s) => s.end("up")).listen(process.env.PORT, "127.0.0.1")`;

/** Starts the server with an open file, as a careless service manager does. */
const withOpenFile = [
  ...["python3", "-c"],
  `import os, sys; os.dup2(os.open("/etc/passwd", os.O_RDONLY), 40); os.execvp(sys.argv[1], sys.argv[1:])`,
];

/** A user that is not root, but owns the files of this process. Undefined if namespaces are not allowed. */
function asOrdinaryUser(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const by = ["unshare", "--user", "--map-user=1000", "--map-group=1000"];
  return spawnSync("unshare", [...by.slice(1), "true"]).status === 0 ? by : undefined;
}

const users = [
  ["the user of these tests", []],
  ["a user that is not root", asOrdinaryUser()],
] as const;

suite("programs and the server", { concurrency: 1 }, () => {
  /** A server with a key file, another app, and an admin of only one environment. */
  async function given(t: TestContext, by?: readonly string[]) {
    const scratch = await mkdtemp(join(tmpdir(), "lakehelm-keys-"));
    t.after(() => rm(scratch, { recursive: true, force: true }));
    const key = join(scratch, "key");
    await writeFile(key, "cnry_key_7Jk2mQx9Lw4Rt8Zp1Ab3", { mode: 0o600 });
    const target = await startTarget(t, {
      settings: { ...allowed, PLATFORM_SECRET_KEY_FILE: key },
      by: [...withOpenFile, ...(by ?? [])],
    });
    const link = join(scratch, "link");
    await symlink(target.dataDir, link);
    const { client } = target.admin;
    const mine = await client.createEnvironment({ body: { name: "mine" } });
    const user = await client.createUser({ body: { username: "eve@example.test", role: "none" } });
    await client.putEnvironmentRole({
      params: { environment_id: mine.id, username: user.username },
      body: { role: "admin" },
    });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: { comment: "test" } });
    const eve = createClient({ baseUrl: target.url, token, retries: 0 });
    const variables = { SERVER: String(target.server.child.pid), DATA: target.dataDir, KEY: key, LINK: link };
    return { target, mine, eve, variables };
  }

  for (const [user, by] of users) {
    test(`an app of an admin of one environment, and an agent, learn nothing of the server, and serve, as ${user}`, async (t) => {
      if (!by) return t.skip("no namespaces of users on this machine");
      const { target, mine, eve, variables } = await given(t, by);
      const env = Object.entries(variables).map(([name, value]) => ({ name, value }));
      const files = {
        "app.yaml": JSON.stringify({ command: ["sh", "start.sh"], env }),
        "start.sh": `sh attack.sh; echo x > "$HOME/x" && test -s "$LAKEHELM_TOKEN_FILE" && echo "legitimate"; exec node -e '${node}'`,
        "attack.sh": attack,
      };
      const other = {
        "app.yaml": JSON.stringify({ command: ["node", "-e", node] }),
        "secret.txt": "cnry_other",
      };
      const { client } = target.admin;
      for (const [path, contents] of Object.entries({ other, evil: files })) {
        for (const [name, body] of Object.entries(contents)) {
          await eve.putFile({ params: { path: `${path}/${name}` }, body, environment: mine.id });
          await client.putFile({ params: { path: `agents/${path}/${name}` }, body });
        }
        await eve.createApp({ body: { name: path, source_path: path }, environment: mine.id });
        await eve.startApp({ body: { application_name: path }, environment: mine.id });
      }
      const { apps } = await client.listApps({});
      const app_id = apps.find(({ name }) => name === "evil")?.id ?? "";
      const agent = await client.createAgent({ body: { name: "evil", source_path: "agents/evil" } });
      const agent_id = agent.id;
      await client.retryComponent({ body: { agent_id, component: "agent_endpoint" } });
      const query = { limit: 1000 };
      for (const read of [
        () => eve.readAppLog({ params: { app_id }, query }),
        () => client.readAgentLog({ params: { agent_id }, query }),
      ]) {
        const log = async () => (await read()).lines.map(({ line }) => line);
        await until(async () => (await log()).includes("attack done"), 50);
        const lines = await log();
        assert.deepEqual(
          lines.filter((line) => line.includes("LEAK")),
          [],
        );
        assert.ok(lines.includes("legitimate"), lines.join("\n"));
      }
      assert.equal(target.server.child.exitCode, null);
      return undefined;
    });
  }

  /**
   * Before it ends, the app leaves traps that the server or its next start could follow: links in place of its folders
   * and its token, and pipes in place of files. Its first start ends when the server has seen it running.
   */
  const trap = `
case $(cat "$HOME/starts" 2>/dev/null) in
  "") echo 1 > "$HOME/starts" ;;
  *) for folder in /tmp "$HOME" . ..; do
      for file in data-folder-id lakehelm.db lease; do [ -e "$folder/$file" ] && echo "LEAK $folder/$file"; done
    done
    [ -n "$GIVEN" ] && echo "LEAK variable"
    echo "second start"
    exec node -e '${node}' ;;
esac
rm app.yaml
if [ "$LEAVE" = pipe ]; then mkfifo app.yaml; else echo '{"command":["sh","start.sh"],"env":[{"name":"GIVEN","value":"x"}]}' > app.yaml; fi
cd ..
for name in home tmp app; do mv "$name" "$name.old" && ln -s "$DATA" "$name"; done
rm -f token token.new; ln -s "$DATA/written" token.new; mkfifo token
cd "$HOME/../app"
exec node -e '${node}.on("request", () => setTimeout(() => process.kill(process.pid, "SIGKILL"), 500))'
`;

  for (const [user, by] of users) {
    test(`what an app leaves where the server looks leads the server nowhere, as ${user}`, async (t) => {
      if (!by) return t.skip("no namespaces of users on this machine");
      const { target, mine, eve, variables } = await given(t, by);
      const leaving = ["pipe", "pipe", "pipe", "pipe", "manifest"];
      for (const [at, leave] of leaving.entries()) {
        const env = Object.entries({ ...variables, LEAVE: leave }).map(([name, value]) => ({ name, value }));
        const path = `trap${at}`;
        const put = (name: string, body: string) =>
          eve.putFile({ params: { path: `${path}/${name}` }, body, environment: mine.id });
        await put("app.yaml", JSON.stringify({ command: ["sh", "start.sh"], env }));
        await put("start.sh", trap);
        await eve.createApp({ body: { name: path, source_path: path }, environment: mine.id });
        await eve.startApp({ body: { application_name: path }, environment: mine.id });
      }
      const { apps } = await target.admin.client.listApps({});
      for (const { id } of apps) {
        const log = async () =>
          (await eve.readAppLog({ params: { app_id: id }, query: { limit: 1000 } })).lines.map(
            ({ line }) => line,
          );
        await until(async () => (await log()).includes("second start"), 50);
        assert.deepEqual(
          (await log()).filter((line) => line.includes("LEAK")),
          [],
        );
      }
      assert.ok(!(await readdir(target.dataDir)).includes("written"));
      return undefined;
    });
  }

  /**
   * Takes over the first process of its sandbox, if that is possible, without the mark and in another session, and
   * keeps it running forever.
   */
  const takeOver = (mark: string) => `
import ctypes, os, struct, sys, time
lib = ctypes.CDLL(None, use_errno=True)
lib.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
if "--clean" not in sys.argv:
    if os.fork() == 0:
        os.setsid()
        os.execve("/usr/bin/python3", ["python3", sys.argv[0], "--clean"], {})
    time.sleep(600)
if os.fork() == 0: os.execve("/bin/sleep", ["sleep", "${mark}"], {})
if lib.ptrace(16, 1, None, None) == 0:
    os.waitpid(1, 0x40000000)
    read = ctypes.create_string_buffer(27 * 8)
    lib.ptrace(12, 1, None, read)
    registers = list(struct.unpack("27Q", read.raw))
    registers[10], registers[15], registers[16] = 112, 2**64 - 1, registers[16] - 2
    lib.ptrace(13, 1, None, ctypes.create_string_buffer(struct.pack("27Q", *registers)))
    lib.ptrace(9, 1, None, None)
    os.waitpid(1, 0x40000000)
    fields = open("/proc/1/stat").read().rsplit(")", 1)[1].split()
    start, end = int(fields[47]), int(fields[48])
    with open("/proc/1/mem", "r+b", 0) as memory:
        memory.seek(start)
        memory.write(b"\\0" * (end - start))
    print("taken over", flush=True)
else: print("refused", flush=True)
time.sleep(600)
`;

  for (const [user, by] of users) {
    test(`a program that takes its sandbox over ends with its task, as ${user}`, async (t) => {
      if (!by || process.platform !== "linux" || process.arch !== "x64")
        return t.skip("the attack is for Linux on x64, with namespaces of users");
      const { target } = await given(t, by);
      const mark = `61${process.pid}.${by.length}5`;
      const { id, lines } = await runScript(target, takeOver(mark), { kind: "python" });
      await until(async () => (await lines()).some((line) => /^(taken over|refused)$/.test(line)), 100);
      assert.ok((await processesWith(mark)).length > 0);
      await target.admin.client.cancelRun({ params: { run_id: id } });
      await ended(target, id);
      await until(async () => (await processesWith(mark)).length === 0, 100);
      return undefined;
    });
  }

  for (const [user, by] of users) {
    test(`tasks in shell and Python learn nothing of the server, and cannot end it, as ${user}`, async (t) => {
      if (!by) return t.skip("no namespaces of users on this machine");
      const { target, variables } = await given(t, by);
      const shell = await runScript(target, `${attack}\nkill -KILL -1`, { parameters: variables });
      await ended(target, shell.id);
      const python = await runScript(
        target,
        `import os, subprocess, signal\nprint(subprocess.run(["sh", "-c", ${JSON.stringify(attack)}], capture_output=True, text=True).stdout, flush=True)\nos.kill(-1, signal.SIGKILL)`,
        { kind: "python", parameters: variables },
      );
      await ended(target, python.id);
      for (const { lines } of [shell, python]) {
        const all = await lines();
        assert.deepEqual(
          all.filter((line) => line.includes("LEAK")),
          [],
        );
        assert.ok(all.includes("attack done"), all.join("\n"));
      }
      assert.equal((await fetch(`${target.url}/health`)).status, 200);
      assert.equal(target.server.child.exitCode, null);
      const { id } = await runScript(target, "echo fine");
      assert.equal((await ended(target, id)).status, "succeeded");
      return undefined;
    });
  }
});

suite("the process of a server that is root", () => {
  const isRoot = process.getuid?.() === 0;
  /**
   * Root with only one capability, and a reader with the same capability, which can read every process that its user
   * can access.
   */
  const by = ["setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all,+setgid"];
  const read = (file: string) =>
    spawnSync("setpriv", [...by.slice(1), "head", "-c", "1", file], { encoding: "utf8" });
  const canDrop = isRoot && read("/proc/self/environ").status === 0;

  test("is closed to other programs of the same user", { skip: !canDrop }, async (t) => {
    const other = spawn("setpriv", [...by.slice(1), "sleep", "600"]);
    t.after(() => other.kill());
    await until(() => read(`/proc/${other.pid}/environ`).status === 0, 50);
    const { server } = await startTarget(t, { by });
    for (const file of ["environ", "mem", "maps", "fd/1"]) {
      const { status, stderr } = read(`/proc/${server.child.pid}/${file}`);
      assert.notEqual(status, 0, file);
      assert.match(stderr, /Permission denied|Operation not permitted/, file);
    }
  });
});

suite("programs that nothing confines", () => {
  test("need an admin of the whole server", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_PROGRAMS: "unconfined" } });
    const { client } = target.admin;
    const mine = await client.createEnvironment({ body: { name: "mine" } });
    const user = await client.createUser({ body: { username: "eve@example.test", role: "none" } });
    await client.putEnvironmentRole({
      params: { environment_id: mine.id, username: user.username },
      body: { role: "admin" },
    });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: { comment: "test" } });
    const eve = createClient({ baseUrl: target.url, token, retries: 0 });
    const here = { environment: mine.id };
    const file = (path: string) => ({ params: { path }, body: "command: [ls]", ...here });
    await assert.rejects(eve.createApp({ body: { name: "evil", source_path: "evil" }, ...here }), {
      status: 403,
    });
    await assert.rejects(eve.putFile(file("evil/app.yaml")), { status: 403 });
    await eve.putFile(file("evil/notes.txt"));
    await client.createApp({ body: { name: "fine", source_path: "fine" }, ...here });
    await assert.rejects(eve.putFile(file("fine/start.sh")), { status: 403 });
    await client.putFile(file("fine/start.sh"));
  });
});
