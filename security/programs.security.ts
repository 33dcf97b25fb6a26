/** Python and shell tasks run programs on the server. Who may write them, and what a program gets, does and leaves behind. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { type Caller, startTarget, type Target } from "./target.ts";

const json = { "content-type": "application/json" };
const allowed = { PLATFORM_PROCESS_TASKS: "on" };

/** The same program in every form that a definition has for one. */
const programs: readonly object[] = [
  { name: "work", kind: "shell", script: "echo hi" },
  { name: "work", kind: "shell", command: ["echo", "hi"] },
  { name: "work", kind: "python", script: "print('hi')" },
  { name: "all", kind: "shell", script: "echo hi", for_each: { items: [1] } },
  { name: "all", kind: "python", script: "print('hi')", for_each: { items: "{{parameters.all}}" } },
];

/** The answers to every request that could store or release the definition. */
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
    // JSON is YAML.
    await send("PUT", `${at}/attempts/a2`, text, { "content-type": "application/yaml" }),
    await send("PUT", `${at}/attempts/a3`, {
      tasks: [],
      files: [{ path: "definition.yaml", content: text }],
    }),
  ];
}

/** In a batch, or with a field that the request does not have: whatever the answer is, nothing may be stored. */
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

/** The processes that still carry a mark in their command line. */
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
    // The same, legitimately.
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
