import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Plan } from "@lakehelm/contract";
import { startTestServer, type TestServer } from "../../../server/src/testing/server.ts";
import { lakehelm } from "../testing/terminal.ts";

const shop = join(import.meta.dirname, "../../../../examples/shop");

suite("a project on a server", () => {
  let server: TestServer;
  let root: string;
  let folder: string;
  before(async () => {
    server = await startTestServer();
    root = await mkdtemp(join(tmpdir(), "lakehelm-plan-"));
    folder = join(root, "shop");
    await cp(shop, folder, { recursive: true, filter: (path) => !/\.ts$|\.demo/.test(path) });
  });
  after(async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
  const run = (...args: string[]) =>
    lakehelm(args, { env: { LAKEHELM_URL: server.url, LAKEHELM_TOKEN: server.token, LAKEHELM_CWD: folder } });
  const edit = async (file: string, change: (text: string) => string) => {
    const text = await readFile(join(folder, file), "utf8");
    await writeFile(join(folder, file), change(text));
  };

  test("a plan shows everything as new and changes nothing; apply makes it; then there is nothing to change", async () => {
    const first = await run("plan", "--dir", folder, "--detailed-exitcode");
    assert.equal(first.code, 4, first.stderr);
    assert.match(first.stdout, /^\+ connector orders-in {2}connectors\/orders-in\.yaml:\d+$/m);
    assert.match(first.stdout, /^8 to create, \d+ files to upload in local, 0 unchanged\.$/m);
    assert.deepEqual((await server.client.listConnectors()).connectors, []);

    const refused = await run("apply", "--dir", folder);
    assert.deepEqual([refused.code, /--yes/.test(refused.stderr)], [2, true]);
    const applied = await run("apply", "--dir", folder, "--yes");
    assert.equal(applied.code, 0, applied.stderr);
    assert.match(applied.stdout, /^connector orders-in created$/m);
    assert.match(applied.stdout, /^app order-desk-ui created$/m);

    const again = await run("plan", "--dir", folder, "--detailed-exitcode");
    assert.deepEqual([again.code, again.stdout], [0, "Nothing to change in local, 8 unchanged.\n"]);
  });

  test("a change is shown field by field, also in Markdown and JSON, and the SQL of a pipeline is part of it", async () => {
    await edit("connectors/orders-in.yaml", (text) => text.replace("*/15", "*/20"));
    await edit("pipelines/sales.sql", (text) =>
      text.replace("Orders with their day", "Orders and their day"),
    );
    const { code, stdout } = await run("plan", "--dir", folder);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^~ connector orders-in .*\n {4}schedule_cron: "\*\/15 \* \* \* \*" → "\*\/20 \* \* \* \*"$/m,
    );
    assert.match(stdout, /^~ pipeline sales .*\n.*lakehelm\.code/m);
    assert.match(stdout, /^~ pipelines\/sales\.sql$/m);
    const markdown = (await run("plan", "--dir", folder, "--markdown")).stdout;
    assert.match(markdown, /^<!-- lakehelm plan shop local -->\n### Plan for `local`: 2 to update/);
    assert.match(markdown, /^- \*\/15 \* \* \* \*\n\+ \*\/20 \* \* \* \*$/m);
    const made = JSON.parse((await run("plan", "--dir", folder, "-o", "json")).stdout) as {
      id: string;
      files: object[];
    };
    assert.deepEqual(made.files, [{ path: "pipelines/sales.sql", action: "update" }]);

    const applied = await run("apply", made.id, "--dir", folder);
    assert.deepEqual([applied.code, applied.stderr], [0, ""]);
    const { pipelines } = await server.client.listPipelines();
    const sql = await server.client.getFile({ params: { path: "pipelines/sales.sql" } });
    assert.match(Buffer.from(sql).toString(), /Orders and their day/);
    assert.equal(pipelines.length, 1);
  });

  test("in a protected environment a plan says who approves it, unless it changes nothing", async () => {
    const protect = (isProtected: boolean) =>
      server.client.updateEnvironment({
        params: { environment_id: "local" },
        body: { protected: isProtected },
      });
    await protect(true);
    const nothing = "Nothing to change in local, 8 unchanged.\n";
    const same = await run("plan", "--dir", folder);
    assert.deepEqual([same.code, same.stdout, same.stderr], [0, nothing, ""]);
    const applied = await run("apply", "--dir", folder, "--yes");
    assert.deepEqual([applied.code, applied.stdout, applied.stderr], [0, nothing, ""]);

    await edit("connectors/orders-in.yaml", (text) => text.replace("*/20", "*/30"));
    const changed = await run("plan", "--dir", folder);
    const [, id] =
      /lakehelm plans approve (\S+)\nThen: lakehelm apply --dir \S+ \1\n$/.exec(changed.stderr) ?? [];
    assert.equal((await server.client.getPlan({ params: { plan_id: id ?? "" } })).status, "needs_approval");
    assert.equal((await run("apply", "--dir", folder, "--yes")).code, 3);
    await edit("connectors/orders-in.yaml", (text) => text.replace("*/30", "*/20"));
    await protect(false);
  });

  test("a stored plan of other files is not applied", async () => {
    await edit("pipelines/sales.sql", (text) => text.replace("Orders and", "All orders and"));
    const made = JSON.parse((await run("plan", "--dir", folder, "-o", "json")).stdout) as { id: string };
    await edit("pipelines/sales.sql", (text) => text.replace("All orders", "Some orders"));
    const { code, stderr } = await run("apply", made.id, "--dir", folder);
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `Error: The files have changed since the plan was made. Make a new one: lakehelm plan --dir ${folder}\n`,
      ],
    );
    assert.equal((await run("apply", "--dir", folder, "--yes")).code, 0);
  });

  test("the code of an agent is part of the plan: a change is shown, approved by its hash, and uploaded", async () => {
    await edit("agents/order-desk/agent.mjs", (text) => `${text}// changed\n`);
    const made = JSON.parse((await run("plan", "--dir", folder, "-o", "json")).stdout) as Plan & {
      files: object[];
    };
    assert.deepEqual(
      made.steps.map(({ action, kind, name, changes }) => [
        action,
        kind,
        name,
        changes.map(({ path }) => path),
      ]),
      [["update", "agent", "order-desk", ["lakehelm.code"]]],
    );
    assert.deepEqual(made.files, [{ path: "agents/order-desk/agent.mjs", action: "update" }]);
    await edit("agents/order-desk/agent.mjs", (text) => `${text}// again\n`);
    assert.match(
      (await run("apply", made.id, "--dir", folder)).stderr,
      /The files have changed since the plan/,
    );
    const applied = await run("apply", "--dir", folder, "--yes");
    assert.match(applied.stdout, /^agent order-desk updated$/m);
    const code = await server.client.getFile({ params: { path: "agents/order-desk/agent.mjs" } });
    assert.match(Buffer.from(code).toString(), /\/\/ changed\n\/\/ again\n$/);
    assert.equal((await run("plan", "--dir", folder, "--detailed-exitcode")).code, 0);
    assert.equal((await run("drift", "show", "--dir", folder, "--detailed-exitcode")).code, 0);
  });

  test("a policy refuses a plan: exit code 3, and nothing is changed", async () => {
    await writeFile(join(folder, "policies/never.yaml"), 'rule: action == "update"\nmessage: Not {name}.\n');
    await edit("connectors/orders-in.yaml", (text) => text.replace("*/20", "*/30"));
    const planned = await run("plan", "--dir", folder);
    assert.deepEqual([planned.code, /^deny never: Not orders-in\.$/m.test(planned.stdout)], [3, true]);
    const { code, stderr } = await run("apply", "--dir", folder, "--yes");
    assert.deepEqual([code, stderr], [3, "A policy refuses the plan. Nothing was changed.\n"]);
    await rm(join(folder, "policies/never.yaml"));
    assert.equal((await run("apply", "--dir", folder, "--yes")).code, 0);
  });

  test("drift shows what somebody else changed, and adopt writes it into the file", async () => {
    assert.equal((await run("drift", "show", "--dir", folder, "--detailed-exitcode")).code, 0);
    const { connectors } = await server.client.listConnectors({ query: { name: "orders-in" } });
    const params = { connector_id: connectors[0]?.id ?? "" };
    await server.client.updateConnector({ params, body: { schedule_cron: "7 * * * *" } });
    const shown = await run("drift", "show", "--dir", folder, "--detailed-exitcode");
    assert.equal(shown.code, 4, shown.stderr);
    assert.match(
      shown.stdout,
      /^connector orders-in, last changed by internal-service at .*\n {4}schedule_cron: "\*\/30 \* \* \* \*" → "7 \* \* \* \*"$/m,
    );
    await run("drift", "check");
    const reverted = await run("drift", "revert", "connector/orders-in");
    assert.deepEqual([reverted.code, reverted.stderr], [0, ""]);
    assert.equal((await server.client.getConnector({ params })).schedule_cron, "*/30 * * * *");
    const none = await run("drift", "revert", "connector/orders-in/schedule_cron");
    assert.match(none.stderr, /Nothing is known to differ in "connector\/orders-in\/schedule_cron"/);
    await server.client.updateConnector({ params, body: { schedule_cron: "7 * * * *" } });
    const adopted = await run("adopt", "--dir", folder);
    assert.deepEqual(
      [adopted.code, adopted.stdout],
      [0, "connectors/orders-in.yaml: schedule_cron\n"],
      adopted.stderr,
    );
    const text = await readFile(join(folder, "connectors/orders-in.yaml"), "utf8");
    assert.match(
      text,
      /^# Upserts two tables[\s\S]*^schedule_cron: 7 \* \* \* \*\n[\s\S]*primary_keys: \[customer_id\]$/m,
    );
    const [crm] = (await server.client.listConnectors({ query: { name: "crm-out" } })).connectors;
    await server.client.deleteConnector({ params: { connector_id: crm?.id ?? "" } });
    const gone = await run("drift", "--dir", folder);
    assert.match(gone.stdout, /^connector crm-out, deleted by internal-service$/m, gone.stderr);
    for (const command of ["revert", "adopt"]) {
      const { code, stderr } = await run(command, "crm-uot", "--dir", folder);
      assert.deepEqual([code, stderr], [2, 'Error: The project has no resource named "crm-uot".\n']);
    }
    const back = await run("revert", "crm-out", "--dir", folder);
    assert.deepEqual([back.code, back.stdout], [0, "connector crm-out was put back\n"], back.stderr);
    assert.doesNotMatch((await run("drift", "--dir", folder)).stdout, /crm-out/);
    assert.equal((await run("apply", "--dir", folder, "--yes")).code, 0);
    assert.equal((await run("plan", "--dir", folder, "--detailed-exitcode")).code, 0);
  });

  test("promote plans the same designs for another environment", async () => {
    await server.client.createEnvironment({ body: { name: "prod" } });
    const never = await run("promote", "prod", "local", "--dir", folder, "--yes");
    assert.match(
      never.stderr,
      /The project shop was never applied to prod\. First: lakehelm apply .*--env prod/,
    );
    const demo = ["--var", `folder=${join(folder, ".demo")}`];
    const { code, stdout, stderr } = await run("promote", "local", "prod", "--dir", folder, ...demo, "--yes");
    assert.equal(code, 0, stderr + stdout);
    const { plans } = await server.client.listPlans({ query: { status: "applied", sort: "-created" } });
    const [prod, local] = ["prod", "local"].map((name) =>
      plans.find(({ environment }) => environment === name),
    );
    // The designs differ because the same files are resolved with the values of prod.
    assert.notEqual(prod?.design_hash, local?.design_hash);
    const { connectors } = await server.client.listConnectors({
      query: { name: "orders-in" },
      environment: "prod",
    });
    assert.equal(connectors[0]?.schedule_cron, "*/5 * * * *");
    const sql = await server.client.getFile({ params: { path: "pipelines/sales.sql" }, environment: "prod" });
    assert.match(Buffer.from(sql).toString(), /Some orders/);
  });

  test("an agent is registered in any environment before its code is there", async () => {
    const helper = join(root, "helper");
    await mkdir(join(helper, "agents/helper"), { recursive: true });
    await writeFile(join(helper, "lakehelm.yaml"), "name: helper\nenvironments:\n  prod: {}\n");
    await writeFile(join(helper, "agents/helper.yaml"), "source_path: agents/helper\n");
    await writeFile(join(helper, "agents/helper/agent.mjs"), "// nothing yet\n");
    const applied = await run("apply", "--dir", helper, "--yes");
    assert.equal(applied.code, 0, applied.stderr);
    const again = await run("plan", "--dir", helper);
    assert.equal(again.stdout, "Nothing to change in prod, 1 unchanged.\n");
    await rm(join(helper, "agents"), { recursive: true });
    assert.equal((await run("apply", "--dir", helper, "--yes")).code, 0);
  });

  test("where changes are by plan, apply writes the files of its plan, new ones and changed ones", async () => {
    const coded = join(root, "coded");
    const write = (path: string, text: string) => writeFile(join(coded, path), text);
    for (const path of ["agents/coder", "apps/page", "pipelines"])
      await mkdir(join(coded, path), { recursive: true });
    await write("lakehelm.yaml", "name: coded\nenvironments:\n  bound: {}\n");
    await write("agents/coder.yaml", "source_path: agents/coder\n");
    await write("apps/page.yaml", "source_path: apps/page\n");
    await write("pipelines/numbers.yaml", "libraries: [{ file: { path: pipelines/numbers.sql } }]\n");
    await server.client.createEnvironment({
      body: { name: "bound", configuration: { changes: "plan", schema: "bound" } },
    });
    const files = ["agents/coder/agent.mjs", "apps/page/index.html", "pipelines/numbers.sql"];
    for (const value of [1, 2]) {
      await write("agents/coder/agent.mjs", `// ${value}\n`);
      await write("apps/page/index.html", `<p>${value}</p>\n`);
      await write(
        "pipelines/numbers.sql",
        `CREATE OR REFRESH MATERIALIZED VIEW numbers AS SELECT ${value} AS n;\n`,
      );
      const applied = await run("apply", "--dir", coded, "--yes");
      assert.equal(applied.code, 0, applied.stderr);
      assert.equal((await run("plan", "--dir", coded, "--detailed-exitcode")).code, 0);
      for (const path of files) {
        const there = await server.client.getFile({ params: { path }, environment: "bound" });
        assert.equal(Buffer.from(there).toString(), await readFile(join(coded, path), "utf8"));
        const put = await run("files", "put", path, "-f", join(coded, path), "--env", "bound");
        assert.deepEqual([put.code, /only by plans/.test(put.stderr)], [3, true], put.stderr);
      }
    }
    // All environments share agents.
    const { agents } = await server.client.listAgents({ query: { search: "coder" } });
    await server.client.deleteAgent({ params: { agent_id: agents[0]?.id ?? "" } });
  });

  test("export writes a project that is valid and changes nothing on the same server", async () => {
    const to = join(root, "exported");
    // A user who may write workspace files must not be able to change git settings in another user's folder.
    await server.client.putFile({
      params: { path: "agents/order-desk/.git/config" },
      body: new TextEncoder().encode("[core]\n"),
      environment: "local",
    });
    const exported = await run("export", "--dir", to, "--name", "shop");
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stdout, /^8 resources of local are in /);
    assert.match(exported.stderr, /^Not exported: policies, /);
    const { code, stdout, stderr } = await run("plan", "--dir", to, "--detailed-exitcode");
    assert.deepEqual([code, stdout], [0, "Nothing to change in local, 8 unchanged.\n"], stderr);
    assert.deepEqual(
      (await readdir(join(to, "agents/order-desk"))).filter((name) => name.startsWith(".")),
      [],
    );
    const again = await run("export", "--to", to);
    assert.deepEqual([again.code, /is not empty/.test(again.stderr)], [2, true]);
  });

  test("what the project no longer has is deleted; a policy about readers does not count those that are deleted with it", async () => {
    await edit("lakehelm.yaml", (text) => text.replace(/ {4}overrides:[\s\S]*$/, ""));
    await rm(join(folder, "connectors/crm-out.yaml"));
    await rm(join(folder, "flows/customer_value.yaml"));
    const { code, stdout } = await run("apply", "--dir", folder, "--yes");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^connector crm-out deleted\nflow customer_value deleted$/m);
  });
});
