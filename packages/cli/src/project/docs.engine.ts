import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startTestServer } from "../../../server/src/testing/server.ts";
import { fillWarehouse } from "../../../server/src/testing/warehouse.ts";
import { lakehelm } from "../testing/terminal.ts";
import { folderOf } from "./testing/folder.ts";

const pages = ["how-to/keep-a-project.md", "reference/projects.md"];

/** The blocks of the pages about projects, in order. */
async function blocks(): Promise<{ language: string; text: string }[]> {
  const texts = pages.map((page) => readFile(new URL(`../../../../docs/${page}`, import.meta.url), "utf8"));
  const all = (await Promise.all(texts)).join("");
  return [...all.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

test("the files of the pages about projects are a valid project, and its commands print what they show", async (t) => {
  const files: Record<string, string> = {};
  const all = await blocks();
  for (const { language, text } of all) {
    const [, path] = /^(?:#|--) (\S+\.(?:yaml|sql))\n/.exec(text) ?? [];
    if (path !== undefined && language !== "sh") files[path] = text;
  }
  assert.deepEqual(Object.keys(files).length, 8);
  const folder = await folderOf(t, files);
  const outputs = all.filter(({ language }) => language === "text").map(({ text }) => text);
  const run = async (...args: string[]) => (await lakehelm([...args, "--dir", folder])).stdout;
  const valid = await run("validate");
  assert.equal(valid, "The project is valid: 4 resources, checked for dev, prod.\n");
  // There are three resources before the page adds the pipeline.
  assert.ok(outputs.includes(valid.replace("4", "3")));
  assert.ok(outputs.includes(await run("policy", "test")));
  const wrong = await folderOf(t, {
    ...files,
    "flows/revenue.sql": (files["flows/revenue.sql"] ?? "").replace("orders}", "oders}"),
  });
  const { stdout } = await lakehelm(["validate", "--dir", wrong]);
  assert.ok(outputs.includes(stdout), stdout);
  await changeAServer(t, files, outputs);
});

/** "Change a server" and "Drift" of the pages: without the pipeline, whose code must be somewhere. */
async function changeAServer(t: TestContext, files: Record<string, string>, outputs: readonly string[]) {
  const { "pipelines/clean.yaml": _, "pipelines/clean.sql": __, ...own } = files;
  const main = files["lakehelm.yaml"] ?? "";
  const folder = await folderOf(t, { ...own, "lakehelm.yaml": main.replace("*/5", "0") });
  const server = await startTestServer();
  t.after(() => server.close());
  const { id } = await server.client.createEnvironment({ body: { name: "prod" } });
  const columns = "order_id BIGINT, ordered_at TIMESTAMP, amount DECIMAL(18,2), updated_at TIMESTAMP";
  await fillWarehouse(server, id, `CREATE TABLE shop.sales.orders (${columns})`);
  const env = { LAKEHELM_URL: server.url, LAKEHELM_TOKEN: server.token, LAKEHELM_CWD: folder };
  const stdin = "k3J-qv9_x\n";
  const put = await lakehelm(["secrets", "put", "shop", "password", "--env", "prod"], { env, stdin });
  assert.equal(put.code, 0, put.stderr);
  await lakehelm(["schema", "--to", join(folder, ".lakehelm/schemas")], { env });
  assert.match(await readFile(join(folder, ".lakehelm/schemas/connector.json"), "utf8"), /"\$schema"/);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await lakehelm([...args, "--env", "prod"], { env });
    assert.equal(code, 0, stderr + stdout);
    return stdout;
  };
  await run("apply", "--auto-approve");
  await writeFile(join(folder, "lakehelm.yaml"), main);
  assert.ok(outputs.includes(await run("plan")), await run("plan"));
  await run("apply", "--auto-approve");
  const sql = files["flows/revenue.sql"] ?? "";
  await writeFile(join(folder, "flows/revenue.sql"), sql.replace("sum(amount)", "sum(amuont)"));
  await showsMistake(() => lakehelm(["plan", "--env", "prod"], { env }), outputs);
  await writeFile(join(folder, "flows/revenue.sql"), sql);
  const { connectors } = await server.client.listConnectors({ query: { name: "orders-in" } });
  const params = { connector_id: connectors[0]?.id ?? "" };
  await server.client.updateConnector({ params, body: { schedule_cron: "0 6 * * *" } });
  const drift = (await run("drift", "show")).replace(
    / by internal-service at \S+/,
    " by ada@example.com at 2026-03-02T09:30:00.000Z",
  );
  assert.ok(outputs.includes(drift), drift);
  await run("adopt");
  assert.match(await readFile(join(folder, "lakehelm.yaml"), "utf8"), /schedule_cron: "?0 6 \* \* \*/);
  assert.equal(await run("plan"), "Nothing to change in prod, 3 unchanged.\n");
}

/**
 * Checks the plan of a flow with a misspelled column. On a busy machine the engine may take longer than a plan waits,
 * so it retries.
 */
async function showsMistake(plan: () => ReturnType<typeof lakehelm>, outputs: readonly string[]) {
  for (let tries = 1; ; tries++) {
    const { code, stdout } = await plan();
    if (/not checked: .* did not answer/.test(stdout) && tries < 10) continue;
    const error = /^\S+: error: .*\n/m.exec(stdout)?.[0] ?? stdout;
    assert.ok(outputs.includes(error), error);
    assert.equal(code, 1);
    return;
  }
}
