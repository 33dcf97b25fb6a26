/** Runs the examples of docs/how-to/automate.md: its files, and its commands in a real shell. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";

const page = await readFile(new URL("../../../../../docs/how-to/automate.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/<!-- (file|sh): ([\w.-]+) -->\s*```\w+\n([\s\S]*?)\n```/g)].map(
  ([, kind, name = "", text = ""]) => ({ kind, name, text: `${text}\n` }),
);
const blockOf = (kind: string, name: string) => {
  const found = blocks.find((block) => block.kind === kind && block.name === name);
  assert.ok(found, `there is no ${kind}: ${name}`);
  return found.text;
};

suite("docs/how-to/automate.md", () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), "lakehelm-docs-"));
    for (const { name, text } of blocks.filter(({ kind }) => kind === "file")) {
      await writeFile(join(folder, name), text);
    }
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** The response of each command of a block. */
  async function answersOf(name: string): Promise<Record<string, unknown>[]> {
    const script = blockOf("sh", name).replaceAll(/^curl /gm, "curl --fail-with-body ");
    const env = { PATH: process.env.PATH, API: server.url, TOKEN: server.token };
    // Each response is one line of JSON without a line end.
    const { stdout } = await promisify(execFile)("sh", ["-ec", script], { cwd: folder, env });
    return JSON.parse(`[${stdout.replaceAll("}{", "},{")}]`);
  }

  test("the first automation is validated, released, and runs", async () => {
    const [, , validated] = await answersOf("validate");
    assert.deepEqual(validated?.validation_errors, []);
    assert.equal(validated?.validation_status, "passed");
    const [released] = await answersOf("release");
    assert.equal(released?.success, true);
    await answersOf("run");
    const params = { automation_alias: "orders-report" };
    const last = async () => (await server.client.listAutomationRuns({ params })).runs[0];
    await until(async () => (await last())?.ended_at != null);
    const run = await last();
    assert.equal(run?.status, "succeeded", run?.error ?? "");
    const tasks = run?.metrics.tasks as { name: string; status: string }[];
    assert.deepEqual(
      tasks.map(({ name, status }) => `${name} ${status}`),
      ["load succeeded", "count succeeded", "alarm skipped"],
    );
    const [again] = await answersOf("run-with-parameters");
    assert.partialDeepStrictEqual(again, { cause: { reason: "a quiet day", parameters: { least: 1 } } });
  });

  test("an automation is created with its definition as YAML", async () => {
    const [created] = await answersOf("create");
    const schedule = { cron: "*/10 * * * *", timezone: "UTC" };
    assert.partialDeepStrictEqual(created, { alias: "orders-ping", definition: { schedule } });
  });

  test("a rollback releases the previous version by its attempt", async () => {
    const { client } = server;
    const alias = unique("page");
    const params = { automation_alias: alias };
    await client.createAutomation({ body: { alias } });
    const release = async (version: string) => {
      const metadata = { version, attempt_id: version };
      await client.syncAutomationRelease({ body: { ...params, environment: "local", metadata } });
      const { automation, releases } = await client.getAutomation({ params });
      return [releases[0]?.version, automation.definition?.description];
    };
    for (const version of ["v1", "v2"]) {
      const tasks = [{ name: "look", kind: "sql", query: "select 1" }];
      const body = { description: version, tasks };
      await client.putAttempt({ params: { ...params, attempt_id: version }, body });
      assert.deepEqual(await release(version), [version, version]);
    }
    assert.deepEqual(await release("v1"), ["v1", "v1"]);
  });

  test("every definition on the page is valid", async () => {
    for (const { name, text } of blocks.filter(({ kind }) => kind === "file")) {
      const alias = unique("page");
      await server.client.createAutomation({ body: { alias } });
      const set = await server.fetch(`/api/automations/${alias}/definition`, {
        method: "PUT",
        body: text,
        headers: { "content-type": "application/yaml" },
      });
      assert.equal(set.status, 200, `${name}: ${await set.text()}`);
    }
  });
});
