/** Real processes with a real store and short timings, without a server. */
import assert from "node:assert/strict";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { tinyProgram } from "../../testing/tiny-program.ts";
import { DataFolderLost } from "../platforms/platform.ts";
import { testProcesses } from "./test-processes.ts";

suite("a process", () => {
  test("a deployed process responds, and nothing of it remains after a stop", async (t) => {
    const { processes, id, deploy, stop, ask, pids, lines } = await testProcesses(t);
    assert.equal(processes.acquire(id), undefined);
    assert.deepEqual(await deploy(), { done: true, reference: null });
    assert.deepEqual(await pids(), [await ask("/pid")]);
    assert.deepEqual(await stop(), { done: true, reference: null });
    assert.deepEqual([await pids(), await ask("/pid")], [[], undefined]);
    assert.match(
      (await lines()).join("\n"),
      /^--- \S+Z starting with port \d+\nlistening\n--- \S+Z stopped$/,
    );
    assert.deepEqual(await stop(), { done: true, reference: null }, "a second stop changes nothing");
  });

  test("repeating a deploy starts one process; another deploy replaces it", async (t) => {
    const { deploy, ask, pids, write } = await testProcesses(t);
    await Promise.all([deploy("a"), deploy("a"), deploy("a")]);
    const first = await ask("/pid");
    await deploy("a");
    assert.deepEqual([await ask("/pid"), await pids()], [first, [first]]);
    await write({ "app.mjs": tinyProgram('console.log("the second");') });
    assert.equal(await ask("/pid"), first, "changed files do not affect the running process");
    await deploy("b");
    assert.notEqual(await ask("/pid"), first);
    assert.equal((await pids()).length, 1);
  });

  test("a process has its own copy of the code, home, temporary folder and token", async (t) => {
    const { deploy, ask, dataDir, id } = await testProcesses(t);
    await deploy("a");
    const env = (await ask("/env")) as Record<string, string>;
    const folder = join(dataDir, "processes", id.replace("/", "-"), "a");
    assert.deepEqual([env.HOME, env.TMPDIR], [join(folder, "home"), join(folder, "tmp")]);
    assert.equal(env.PORT, env.DATABRICKS_APP_PORT);
    assert.deepEqual(
      [env.DATABRICKS_APP_NAME, env.LAKEHELM_URL, env.LAKEHELM_ENVIRONMENT],
      ["tiny", "http://127.0.0.1:1", "env"],
    );
    const file = env.LAKEHELM_TOKEN_FILE as string;
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const token = await readFile(file, "utf8");
    assert.match(token, /^token of app\/tiny /);
    // The token is replaced after half of its lifetime, which is two seconds in this test.
    await until(async () => (await readFile(file, "utf8")) !== token, 50);
    await deploy("b");
    assert.deepEqual(
      (await readdir(join(folder, ".."))).filter((name) => !name.startsWith("log")),
      ["b"],
    );
  });

  test("a process gets the variables of its app.yaml with secrets, and none of the server's", async (t) => {
    process.env.SECRET_OF_THE_SERVER = "server only";
    t.after(() => delete process.env.SECRET_OF_THE_SERVER);
    const { deploy, ask, write, secrets } = await testProcesses(t);
    const yaml = "env:\n  - {name: GREETING, value: hi}\n  - {name: KEY, valueFrom: crm/key}\n";
    await write({ "app.yaml": `command: "exec node app.mjs"\n${yaml}` });
    assert.deepEqual(await deploy(), { done: true, reference: null });
    const env = (await ask("/env")) as Record<string, string>;
    assert.deepEqual([env.GREETING, env.KEY], ["hi", "s3cret"]);
    const known = ["PATH", "LANG", "TZ", "HOME", "TMPDIR", "PORT", "PWD", "GREETING", "KEY"];
    const others = Object.keys(env).filter(
      (name) => !known.includes(name) && !/^(LAKEHELM|DATABRICKS_APP)_/.test(name),
    );
    assert.deepEqual(
      others.filter((name) => !["_", "SHLVL", "OLDPWD"].includes(name)),
      [],
    );

    secrets.clear();
    const refused = await deploy();
    assert.match(JSON.stringify(refused), /There is no secret crm\/key in this environment/);
  });

  test("a failed start has the reason and the last lines, and is not retried", async (t) => {
    const { deploy, write, pids, observations } = await testProcesses(t, { timing: { startMs: 1_500 } });
    const failed = async (files: Record<string, string>) => {
      await write(files);
      const outcome = await deploy();
      assert.deepEqual(await pids(), []);
      return outcome.done ? "" : outcome.reason;
    };
    const program = (line: string) => ({ "app.yaml": "command: [node, app.mjs]\n", "app.mjs": line });
    const reason = await failed(program('console.log("no luck");\nprocess.exit(3)'));
    assert.match(
      reason,
      /^It ended with exit code 3\. Its last lines:\n--- .*starting with port \d+\nno luck\n--- .*exit code 3\.$/s,
    );
    await until(() => observations.length > 0);
    assert.deepEqual(observations, [{ observed_state: "failed", message: reason }]);
    assert.match(
      await failed(program("setInterval(() => {}, 1000)")),
      /^It did not answer GET \/health on its port within 1\.5 s\./,
    );
    assert.match(
      await failed({ "app.yaml": "command: [no-such-program]\n" }),
      /The program "no-such-program" was not found/,
    );
    assert.match(await failed({ "app.yaml": "command: []\n" }), /app\.yaml, line 1: command must be a list/);
    assert.match(await failed(program("process.kill(process.pid, 'SIGABRT')")), /It was ended by SIGABRT/);
    const long = await failed(
      program('for (let n = 0; n < 19; n++) console.log("x".repeat(24_000));\nprocess.exit(3)'),
    );
    assert.match(long, /^It ended with exit code 3\. Its last lines:\n.*x…\n--- .*exit code 3\.$/s);
    assert.ok(long.length < 9_000, `${long.length} characters`);
  });

  test("a process that ends is restarted with backoff, up to five times", async (t) => {
    const { deploy, ask, observations, pids } = await testProcesses(t);
    await deploy();
    await ask("/exit?code=3");
    await until(async () => (await ask("/pid")) !== undefined);
    const messages = () => observations.map(({ observed_state, message }) => `${observed_state}: ${message}`);
    await until(() => messages().length >= 3);
    assert.deepEqual(messages().slice(0, 3), [
      "running: null",
      "pending: It ended with exit code 3. It is restarted in 0.05 s (restart 1).",
      "running: It ended with exit code 3. It was restarted (restart 1).",
    ]);
    for (let n = 2; n <= 5; n++) {
      await until(async () => (await ask("/pid")) !== undefined);
      await ask(`/exit?code=${n}`);
    }
    await until(() => observations.at(-1)?.observed_state === "failed");
    assert.match(
      String(observations.at(-1)?.message),
      /^It ended 5 times within 10 minutes and will not be restarted .* It ended with exit code 5\. Its last lines:/,
    );
    assert.deepEqual(await pids(), []);
    assert.deepEqual(await deploy(), { done: true, reference: null }, "a new deploy starts it again");
  });

  test("a process that exceeds its memory limit, with its children, is restarted", async (t) => {
    // A process that fills memory does not answer meanwhile.
    const { deploy, ask, observations, write } = await testProcesses(t, {
      timing: { healthTimeoutMs: 10_000 },
    });
    await write({ "app.yaml": "command: [node, app.mjs]\nmemory_mb: 150\n" });
    await deploy();
    const first = await ask("/pid");
    await ask("/grow?mb=50");
    assert.equal(await ask("/pid"), first);
    await ask("/grow?mb=150");
    await until(() =>
      observations.some(({ message }) => /It used .*more than its limit of 150 MB/.test(message ?? "")),
    );
    await until(() => observations.at(-1)?.observed_state === "running");
    const second = await ask("/pid");
    assert.notEqual(second, first);
    await ask("/grow-child?mb=150");
    await until(() => observations.at(-1)?.observed_state === "running" && observations.length === 5);
    const third = await ask("/pid");
    assert.notEqual(third, second);
    await ask("/grow-child?mb=150&detached");
    await until(() => observations.at(-1)?.observed_state === "running" && observations.length === 7);
    assert.notEqual(await ask("/pid"), third, "also those that have left its group");
  });

  test("a process that writes more to its log than the disk can take is restarted, and the usage counts it", async (t) => {
    const { processes, id, dataDir, deploy, ask, observations } = await testProcesses(t);
    await deploy();
    const first = await ask("/pid");
    await until(() => processes.logUsage().used > 0);
    assert.deepEqual({ ...processes.logUsage(), used: 0 }, { used: 0, limit: 268_435_456, refused: 0 });
    // A sparse file: it has this size but takes no disk space.
    await truncate(join(dataDir, "processes", id.replace("/", "-"), "log"), 300 * 1024 * 1024);
    await until(() =>
      observations.some(({ message }) => message?.includes("It wrote 300 MB to its log at once")),
    );
    await until(() => observations.at(-1)?.observed_state === "running");
    assert.notEqual(await ask("/pid"), first);
    await until(() => processes.logUsage().used < 1024 * 1024);
    assert.equal(processes.logUsage().refused, 1);
  });

  test("a process that stops responding is restarted", async (t) => {
    const { deploy, ask, observations } = await testProcesses(t);
    await deploy();
    const first = await ask("/pid");
    void ask("/hang");
    await until(() =>
      observations.some(({ message }) => /did not answer GET \/health 3 times in a row/.test(message ?? "")),
    );
    await until(() => observations.at(-1)?.observed_state === "running");
    assert.notEqual(await ask("/pid"), first);
  });

  test("stopping a process ends its children, also those that left its group", async (t) => {
    const { deploy, stop, pids, write } = await testProcesses(t);
    const code = `for (const detached of [false, true]) spawn("sleep", ["600"], { detached, stdio: "ignore" }).unref();`;
    await write({ "app.mjs": tinyProgram(code) });
    await deploy();
    assert.equal((await pids()).length, 3);
    await stop();
    assert.deepEqual(await pids(), []);
  });

  test("a stop waits for running requests and rejects new ones", async (t) => {
    const { deploy, stop, ask } = await testProcesses(t);
    await deploy();
    const slow = ask("/slow?ms=400");
    const stopping = stop();
    await until(async () => (await ask("/pid")) === undefined);
    assert.equal(await slow, "done");
    await stopping;
  });

  test("a process that ignores SIGTERM, or has an endless request, is killed", async (t) => {
    const { processes, id, deploy, stop, write, pids } = await testProcesses(t, {
      timing: { drainMs: 100, termMs: 200 },
    });
    await write({ "app.mjs": tinyProgram('process.on("SIGTERM", () => {});') });
    await deploy();
    processes.acquire(id);
    await stop();
    assert.deepEqual(await pids(), []);
  });

  test("the latest request wins, even if it is received first", async (t) => {
    const { deploy, stop, pids, processes, open, requestedAt } = await testProcesses(t);
    const outdated = { done: false, reason: "A newer request replaced this one." };
    const [early, late] = [requestedAt(), requestedAt()];
    await stop(processes, late);
    assert.deepEqual(await deploy("a", processes, early), outdated);
    await processes.leave(0);
    const next = open();
    await next.takeOver();
    assert.deepEqual(await deploy("a", next, early), outdated, "also after a restart");
    const between = requestedAt();
    assert.deepEqual(await deploy("b", next), { done: true, reference: null });
    assert.deepEqual(await stop(next, between), outdated);
    assert.equal((await pids()).length, 1);
  });

  test("a process can be stopped while it is being started", async (t) => {
    const { deploy, stop, write, pids } = await testProcesses(t);
    await write({ "app.mjs": "setInterval(() => {}, 1000)" });
    const starting = deploy();
    await until(async () => (await pids()).length === 1);
    await stop();
    assert.deepEqual(await starting, { done: false, reason: "It was stopped while it was being started." });
    assert.deepEqual(await pids(), []);
  });
});

suite("the next server", () => {
  test("a paused server starts them when it is resumed", async (t) => {
    const { processes, open, deploy, ask, pids } = await testProcesses(t);
    await deploy();
    await processes.leave(0);
    let isPaused = true;
    const next = open(() => isPaused);
    await next.takeOver();
    assert.deepEqual([await pids(), await ask("/pid", next)], [[], undefined]);
    isPaused = false;
    await next.startPaused();
    await until(async () => (await ask("/pid", next)) !== undefined);
    assert.equal((await pids()).length, 1);
    await next.startPaused();
    assert.equal((await pids()).length, 1);
  });

  test("it restarts the processes that the previous server ended", async (t) => {
    const { processes, open, deploy, ask, pids, observations } = await testProcesses(t);
    await deploy();
    await processes.leave(1_000);
    assert.deepEqual(await pids(), []);
    observations.length = 0;
    const next = open();
    await next.takeOver();
    await until(() => observations.at(-1)?.observed_state === "running");
    assert.equal(observations[0]?.message, "It is being restarted because the server was restarted.");
    assert.deepEqual(await pids(), [await ask("/pid", next)]);
  });

  test("it does not start a process that a user stopped", async (t) => {
    const { open, id, deploy, stop, pids } = await testProcesses(t);
    await deploy();
    await stop();
    const next = open();
    await next.takeOver();
    assert.deepEqual([await pids(), next.acquire(id)], [[], undefined]);
  });

  test("it completes a start that the previous server abandoned", async (t) => {
    const { processes, open, deploy, write, pids, dataDir, id } = await testProcesses(t);
    const waiting = `import { existsSync } from "node:fs";
while (!existsSync(\`\${process.env.HOME}/go\`)) await new Promise((next) => setTimeout(next, 10));`;
    await write({ "app.mjs": tinyProgram(waiting) });
    const starting = assert.rejects(deploy("a"), DataFolderLost);
    await until(async () => (await pids()).length === 1);
    await processes.leave(0);
    await starting;
    await assert.rejects(deploy("b"), DataFolderLost);
    assert.deepEqual(await pids(), []);
    const next = open();
    await next.takeOver();
    const finishing = deploy("a", next);
    await writeFile(join(dataDir, "processes", id.replace("/", "-"), "a", "home", "go"), "");
    assert.deepEqual(await finishing, { done: true, reference: null });
    assert.equal((await pids()).length, 1);
  });
});
