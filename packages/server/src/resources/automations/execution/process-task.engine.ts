/** Programs of python and shell tasks, also when their server is killed. */
import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, type TestContext, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../../testing/process.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../../testing/server.ts";
import { ended, releasedOn, type TestDefinition, type TestTask, tasksOf } from "../test-automations.ts";
import type { RequestReceiver } from "./test-receiver.ts";

const shell = (script: string, more: Partial<TestTask> = {}): TestTask => ({
  name: "work",
  kind: "shell",
  script,
  ...more,
});

/** The command lines of processes of a run. */
async function running(runId: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return text.includes(`LAKEHELM_RUN_ID=${runId}`)
        ? [await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")]
        : [];
    }),
  );
  return found.flat().filter(Boolean);
}

/** A folder that programs may write to, whichever user they run as. */
async function sharedFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-shared-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  return folder;
}

suite("programs of tasks", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ settings: { PLATFORM_PROCESS_MEMORY_MB: "128" } });
  });
  after(() => server.close());

  const receiver = { url: "" } as RequestReceiver;
  const released = (tasks: TestTask[], more: Partial<TestDefinition> = {}) =>
    releasedOn(
      () => server,
      receiver,
      () => tasks,
      more,
    );

  test("a script gets its parameters as variables and nothing of the server, and its last line is its value", async () => {
    const { run, lines } = await released(
      [
        shell(
          'echo "day $DAY"; env | grep = | cut -d= -f1 | sort | tr "\\n" " "; echo; pwd; printf %s "$LIMITS"',
          {
            parameters: { DAY: "{{parameters.day}}", LIMITS: { low: 1 } },
          },
        ),
        {
          name: "next",
          kind: "python",
          script: "import os, sys\nprint(os.environ['BEFORE'] + ' é', file=sys.stderr)\n",
          parameters: { BEFORE: "{{tasks.work.value}}" },
          depends_on: ["work"],
        },
        {
          name: "direct",
          kind: "shell",
          command: ["printf", "%s|", "a b", "$(touch x)", "{}", "*"],
        },
      ],
      { parameters: { day: "none" } },
    );
    const sly = "$(touch hacked); `id`\n'\"";
    const done = await run({ parameters: { day: sly } });
    assert.equal(done.status, "succeeded", done.error ?? "");
    const [work, next, direct] = tasksOf(done);
    assert.deepEqual(work?.output, { exit_code: 0, value: '{"low":1}' });
    assert.deepEqual(next?.output, { exit_code: 0, value: '{"low":1} é' });
    assert.deepEqual(direct?.output, { exit_code: 0, value: "a b|$(touch x)|{}|*|" });
    const log = await lines(done);
    assert.ok(log.includes("day $(touch hacked); `id`"), log.join("\n"));
    const names =
      log
        .find((line) => line.includes("DAY "))
        ?.trim()
        .split(" ") ?? [];
    const usual = [
      "DAY",
      "HOME",
      "LAKEHELM_ENVIRONMENT",
      "LAKEHELM_RUN_ID",
      "LAKEHELM_TASK_PROCESS",
      "LIMITS",
      "PATH",
      "PWD",
      "TMPDIR",
    ];
    const more = ["LANG", "TZ", "OLDPWD", "SHLVL", "_"];
    assert.deepEqual(
      names.filter((name) => !more.includes(name)),
      usual,
    );
  });

  test("the exit code decides, retries run it again, and each start is recorded", async () => {
    const { run } = await released([
      shell("echo no; exit 3", { retries: 1, retry_seconds: 0 }),
      { name: "missing", kind: "shell", command: ["/no/such/program"] },
      { name: "killed", kind: "shell", script: "kill -9 $$" },
    ]);
    const done = await run();
    const [work, missing, killed] = tasksOf(done);
    assert.deepEqual(
      [work?.status, work?.attempt, work?.starts, work?.error],
      ["failed", 2, 1, "It ended with exit code 3. Its last lines:\nno"],
    );
    assert.match(missing?.error ?? "", /^It ended with exit code 127\..*not found/s);
    assert.match(killed?.error ?? "", /^It was ended by the signal 9\./);
  });

  test("secrets are variables, and neither the log nor a result shows them", async () => {
    const secret = "s3cr3t-öf-the\nshop-2026";
    const { name: environment } = await server.client.createEnvironment({ body: { name: unique("prod") } });
    await server.client.putSecret({
      params: { scope: "shop", key: "token" },
      body: { value: secret },
      environment,
    });
    const made = await releasedOn(
      () => server,
      receiver,
      () => [
        shell('echo "<$TOKEN>"; echo "$TOKEN" | tr a-z A-Z; printf %s "$TOKEN"', {
          parameters: { TOKEN: "{{secrets/shop/token}}" },
        }),
      ],
      {},
      environment,
    );
    const done = await made.run();
    assert.equal(done.status, "succeeded", done.error ?? "");
    const all = JSON.stringify([done, await made.lines(done), await server.events(), server.logged]);
    assert.doesNotMatch(all, /s3cr3t|shop-2026/);
    assert.match((await made.lines(done)).join("\n"), /<\*{8}/);
  });

  test("a cancelled run ends the program with all that it started, also if it ignores SIGTERM", async () => {
    const { start, lines } = await released([
      shell("trap '' TERM; sh -c 'trap \"\" TERM; sleep 600' & setsid sleep 600 & echo started; wait"),
    ]);
    const run = await start();
    await until(async () => (await lines(run)).includes("started"), 50);
    await server.client.cancelRun({ params: { run_id: run.id } });
    const done = await ended(server, run.id);
    assert.equal(done.status, "cancelled");
    assert.deepEqual(await running(run.id), []);
  });

  test("time, memory and output are limited, and processes that are left behind are ended", async () => {
    const { run, lines } = await released([
      shell("sleep 600", { name: "slow", timeout_seconds: 1 }),
      { name: "large", kind: "python", script: "x = []\nwhile True: x.append(bytearray(10_000_000))\n" },
      shell("yes 0123456789012345678901234567890123456789 | head -c 300000000; echo end >&2", {
        name: "loud",
      }),
      shell("sleep 600 & setsid sleep 600 & echo left", { name: "left" }),
    ]);
    const done = await run();
    const [slow, large, loud, left] = tasksOf(done);
    assert.match(slow?.error ?? "", /It took longer than 1 s and was/);
    assert.match(large?.error ?? "", /MemoryError|more than 128 MB/);
    assert.equal(loud?.status, "succeeded", loud?.error ?? "");
    assert.equal(left?.status, "succeeded", left?.error ?? "");
    assert.ok((await lines(done)).length <= 10_100);
    assert.deepEqual(await running(done.id), []);
  });

  test("folders of programs are removed when their run has ended", async () => {
    const { run } = await released([shell("echo x > kept; echo done")]);
    const { id } = await run();
    const folder = join(server.dataDir, "task-processes");
    const left = async () => (await readdir(folder)).includes(id);
    assert.deepEqual(
      (await readdir(join(folder, id), { recursive: true })).filter((name) => name.endsWith("kept")),
      [],
    );
    await until(async () => !(await left()), 100);
  });
});

for (const engine of enginesOfSlowSuites) {
  test(`a program keeps running without its server and is found again, on ${engine}`, async (t) => {
    const home = await testHome(t, engine);
    const shared = await sharedFolder(t);
    const settings = { PLATFORM_PROCESS_TASKS: "on", PLATFORM_PROGRAMS_FOLDERS: `${shared}:rw` };
    let server = await startProcess(t, home, settings);
    const params = { automation_alias: "mine" };
    const work = join(shared, "work");
    const script = `echo start >> "$FILE"; while [ ! -e "$FILE.go" ]; do sleep 0.1; done; echo end >> "$FILE"; echo fine`;
    const tasks: TestTask[] = [
      shell(script, { parameters: { FILE: work } }),
      shell(`echo start >> "$FILE"; kill -9 0`, {
        name: "lost",
        parameters: { FILE: `${work}.lost` },
        retries: 1,
        retry_seconds: 0,
      }),
    ];
    await server.client.createAutomation({ body: { alias: "mine", definition: { tasks } } });
    await server.client.syncAutomationRelease({ body: { ...params, environment: "local" } });
    const { id } = await server.client.runAutomation({ params });
    const read = () => server.client.getRun({ params: { run_id: id } });
    const text = (path: string) => readFile(path, "utf8").catch(() => "");
    await until(async () => (await text(work)) === "start\n", 50);
    await until(async () => (await text(`${work}.lost`)) === "start\nstart\n", 50);
    server.child.kill("SIGKILL");
    await server.ended;
    assert.equal((await running(id)).length > 0, true);
    server = await startProcess(t, home, settings);
    const isFound = async () => {
      const { lines } = await server.client.readRunLog({ params: { run_id: id } });
      return lines.some(({ line }) => line.includes("was found again"));
    };
    await until(isFound, 50);
    await writeFile(`${work}.go`, "");
    await until(async () => (await read()).ended_at !== null, 50);
    const done = await read();
    const [found, lost] = tasksOf(done);
    assert.deepEqual(
      [found?.status, found?.attempt, found?.starts, found?.output?.value],
      ["succeeded", 1, 1, "fine"],
    );
    assert.equal(await text(work), "start\nend\n");
    // It is unknown how far the lost program came: the attempt fails, and only a retry starts the program again.
    assert.deepEqual([lost?.status, lost?.attempt], ["failed", 2]);
    assert.equal(await text(`${work}.lost`), "start\nstart\n");
    assert.deepEqual(await running(id), []);
  });
}

test("a server that stops ends the program, and the next one starts it again and says so", async (t) => {
  const shared = await sharedFolder(t);
  let server = await startTestServer({ settings: { PLATFORM_PROGRAMS_FOLDERS: `${shared}:rw` } });
  const { alias, start } = await releasedOn(
    () => server,
    { url: "" } as RequestReceiver,
    () => [
      shell('if [ -e "$FILE" ]; then echo again; exit 0; fi; touch "$FILE"; echo started; sleep 600', {
        parameters: { FILE: join(shared, "mark") },
      }),
    ],
  );
  assert.ok(alias);
  const { id } = await start();
  await until(async () => (await readdir(shared)).includes("mark"), 50);
  server = await server.restart();
  try {
    const done = await ended(server, id);
    const [work] = tasksOf(done);
    assert.deepEqual(
      [work?.status, work?.attempt, work?.starts, work?.output?.value],
      ["succeeded", 1, 2, "again"],
    );
    const { lines } = await server.client.readRunLog({ params: { run_id: id } });
    assert.ok(lines.some(({ line }) => line.includes("was ended when the server stopped. It starts again.")));
  } finally {
    await server.close();
  }
});
