import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { PlanRequest } from "@lakehelm/contract";
import { codeHash } from "@lakehelm/contract/changes";
import { type Client, createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "../plans/test-plans.ts";

const environment = "prod";
const sql = (value: number | string) => `CREATE OR REFRESH MATERIALIZED VIEW one AS SELECT ${value} AS n;\n`;
const byPlan = /is code of the .*takes changes of definitions only by plans.* lakehelm apply --env prod/;

type Library = PlanRequest["resources"][number]["definition"];

/** Every way to name a file in a definition, and a file that it names. */
const pipelines: readonly { readonly path: string; readonly definition: Library }[] = [
  { path: "pipelines/file.sql", definition: { libraries: [{ file: { path: "pipelines/file.sql" } }] } },
  {
    path: "slash/file.sql",
    definition: { libraries: [{ file: { path: "/slash/file.sql" } }], root_path: "x" },
  },
  {
    path: "root/a/file.sql",
    definition: { libraries: [{ file: { path: "a/file.sql" } }], root_path: "root" },
  },
  {
    path: "root/up.sql",
    definition: { libraries: [{ file: { path: "../up.sql" } }], root_path: "root/below" },
  },
  { path: "notebooks/one.sql", definition: { libraries: [{ notebook: { path: "notebooks/one.sql" } }] } },
  { path: "notebooks/two.sql", definition: { libraries: [{ notebook: { path: "notebooks/two" } }] } },
  { path: "notebooks/three.py", definition: { libraries: [{ notebook: { path: "notebooks/three" } }] } },
];

const put = (client: Client, path: string, body: string, plan?: string) =>
  client.putFile({ params: { path }, body, environment, ...(plan && { query: { plan } }) });

/** Resources of every kind with code in prod; the files of their code. */
async function populate(client: Client): Promise<string[]> {
  await client.createEnvironment({ body: { name: environment } });
  for (const { path, definition } of pipelines) {
    await put(client, path, sql(1));
    await client.createPipeline({ body: { name: path, ...definition } as never, environment });
  }
  const { id: agent_id } = await client.createAgent({ body: { name: "desk", source_path: "agents/desk" } });
  const version = { version: "2", source_path: "agents/second" };
  await client.createAgentVersion({ params: { agent_id }, body: version });
  await client.createApp({ body: { name: "ui", source_path: "apps/ui" }, environment });
  const code = ["agents/desk/main.mjs", "agents/second/main.mjs", "apps/ui/app.yaml", "apps/ui/static/a.css"];
  for (const path of code) await put(client, path, "x");
  return [...pipelines.map(({ path }) => path), ...code];
}

const sha256 = (text: string) => hash("sha256", text);
const codeOf = (files: Readonly<Record<string, string>>) => {
  const code_files = Object.entries(files).map(([path, text]) => ({ path, sha256: sha256(text) }));
  return { code_files, code: codeHash(code_files, sha256) };
};

/** A project with a pipeline and an app, and their files. */
function project(value: number): PlanRequest & { readonly environment: string } {
  const pipeline = codeOf({ "pipelines/file.sql": sql(value) });
  return {
    environment,
    project: { name: "shop" },
    resources: [
      {
        kind: "pipeline",
        name: "sales",
        definition: { ...pipelines[0]?.definition, configuration: { "lakehelm.code": pipeline.code } },
        code_files: pipeline.code_files,
      },
      {
        kind: "app",
        name: "ui",
        definition: { source_path: "apps/ui" },
        ...codeOf({ "apps/ui/app.yaml": `command: [echo, "${value}"]` }),
      },
    ],
    policies: [],
    files: [{ path: "pipelines/file.sql", text: sql(value) }],
    prune: false,
  };
}

async function policies(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "policies-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.yaml`), text);
  return folder;
}

for (const engine of engines) {
  suite(`writes of files that resources use, on ${engine}`, () => {
    test("where changes are by plan, no file of a resource is written or deleted, however it is named", async (t) => {
      let server = await startTestServer({ engine });
      t.after(() => server.close());
      const paths = await populate(server.client);
      const refuseAll = async () => {
        const { client } = server;
        for (const path of paths) {
          await refused(put(client, path, sql(2)), 403, byPlan);
          await refused(put(client, path.toUpperCase(), sql(2)), 403, byPlan);
          await refused(client.deleteFile({ params: { path }, environment }), 403, byPlan);
        }
        // Files that no resource uses may be written, and so may files of another environment.
        await put(client, "notes/readme.md", "x");
        await put(client, "pipelines/another.sql", sql(1));
        await client.deleteFile({ params: { path: "notes/readme.md" }, environment });
        await client.putFile({ params: { path: "pipelines/file.sql" }, body: sql(2) });
      };
      const params = { environment_id: environment };
      await server.client.updateEnvironment({ params, body: { protected: true } });
      await put(server.client, "pipelines/file.sql", sql(3));
      server = await server.restart({ PLATFORM_PROTECTED_CHANGES: "plan" });
      await refuseAll();
      server = await server.restart({ PLATFORM_PROTECTED_CHANGES: "direct" });
      const body = { protected: false, configuration: { changes: "plan" } };
      await server.client.updateEnvironment({ params, body });
      await refuseAll();
    });

    test("a plan that may be applied, or is applied, writes its files and no others", async (t) => {
      const server = await startTestServer({ engine });
      t.after(server.close);
      const { client } = server;
      const configuration = { changes: "plan" };
      await client.createEnvironment({ body: { name: environment, protected: true, configuration } });
      const { id } = await client.createUser({ body: { username: "ada", role: "admin" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const ada = createClient({ baseUrl: server.url, token, retries: 0 });
      const [path, manifest] = ["pipelines/file.sql", "apps/ui/app.yaml"];
      const { id: first } = await client.createPlan({ body: project(1) });
      await ada.approvePlan({ params: { plan_id: first } });
      await put(client, path, sql(1), first);
      assert.equal((await appliedPlan(client, first)).status, "applied");
      await put(client, manifest, 'command: [echo, "1"]', first);

      const waiting = await client.createPlan({ body: project(2) });
      await refused(put(client, path, sql(2), waiting.id), 403, /another admin must approve/);
      await ada.approvePlan({ params: { plan_id: waiting.id } });
      const second = waiting.id;
      await refused(put(client, path, sql(2)), 403, byPlan);
      await refused(put(client, path, sql("2 + 1"), second), 403, /other content/);
      await refused(put(client, "apps/ui/more.mjs", "x", second), 403, /no such file/);
      await refused(put(client, path, sql(2), "unknown"), 404);
      await put(client, path, sql(2), second);
      assert.equal((await appliedPlan(client, second)).status, "applied");
      await put(client, manifest, 'command: [echo, "2"]', second);
      // Another plan has been applied since.
      await refused(put(client, path, sql(1), first), 403, /changed since/);
      await refused(put(client, manifest, 'command: [echo, "1"]', first), 403, /changed since/);
      const read = await client.getFile({ params: { path }, environment });
      assert.equal(new TextDecoder().decode(read), sql(2));

      // The policies have seen another text than the content that is written.
      const unseen = { ...project(3), files: [{ path, text: sql(2) }] };
      const { id: hidden } = await client.createPlan({ body: unseen });
      await ada.approvePlan({ params: { plan_id: hidden } });
      await refused(put(client, path, sql(3), hidden), 403, /no such file/);
      const wrong = project(3);
      await refused(
        client.createPlan({
          body: { ...wrong, resources: wrong.resources.map((one) => ({ ...one, code_files: [] })) },
        }),
        422,
        /not the hash of these files/,
      );
    });

    test("a pipeline is made only with the files that were approved", async (t) => {
      const server = await startTestServer({ engine });
      t.after(server.close);
      const { client } = server;
      await client.createEnvironment({ body: { name: environment, configuration: { changes: "plan" } } });
      const path = "pipelines/file.sql";
      const { resources, ...rest } = project(1);
      const body = { ...rest, resources: [resources[0] as never] };
      const { id } = await client.createPlan({ body });
      const failsWith = async (plan: string, why: RegExp) => {
        const { status, status_reason } = await appliedPlan(client, plan);
        assert.equal(status, "failed");
        assert.match(status_reason ?? "", why);
        assert.equal((await client.listPipelines({ environment })).total, 0);
      };
      await failsWith(id, /"pipelines\/file\.sql" is missing, and is a file of the plan/);
      // No resource uses the file yet, so any caller may write it.
      await put(client, path, sql("2 + 1"));
      await failsWith(id, /"pipelines\/file\.sql" has other content than the plan/);
      // A file whose text the policies have not seen is checked, too.
      const { id: unseen } = await client.createPlan({ body: { ...body, files: [{ path, text: sql(7) }] } });
      await failsWith(unseen, /has other content than the plan/);
      const outside = codeOf({ "../../../etc/hostname": "x" });
      const [pipeline] = body.resources as unknown as { definition: object }[];
      const configuration = { "lakehelm.code": outside.code };
      const leaving = {
        ...pipeline,
        definition: { ...pipeline?.definition, configuration },
        code_files: outside.code_files,
      };
      const { id: far } = await client.createPlan({ body: { ...body, resources: [leaving as never] } });
      await failsWith(far, /path/);
      await put(client, path, sql(1), id);
      assert.equal((await appliedPlan(client, id)).status, "applied");
    });

    test("a freeze that begins after a plan was made holds its files, too", async (t) => {
      // The clock moves back: a server would lose its leases if it moved ahead.
      const start = Date.now();
      const hour = 3_600_000;
      let ahead = 2 * hour;
      const server = await startTestServer({ engine, now: () => new Date(Date.now() + ahead) });
      t.after(server.close);
      const { client } = server;
      await client.createEnvironment({ body: { name: environment, configuration: { changes: "plan" } } });
      const path = "pipelines/file.sql";
      const freeze = {
        name: "freeze",
        level: "deny" as const,
        rule: `now < timestamp("${new Date(start + hour).toISOString()}")`,
        message: "It is frozen.",
      };
      const planned = async (value: number) => {
        const { resources, ...rest } = project(value);
        const body = { ...rest, resources: [resources[0] as never], policies: [freeze] };
        return (await client.createPlan({ body })).id;
      };
      await put(client, path, sql(1));
      assert.equal((await appliedPlan(client, await planned(1))).status, "applied");
      const [early, late] = [await planned(2), await planned(3)];
      await put(client, path, sql(2), early);
      ahead = 0;
      await refused(put(client, path, sql(3), late), 403, /freeze denies it: It is frozen/);
    });

    test("a plan that two admins must approve writes no file once one of them is none", async (t) => {
      const server = await startTestServer({ engine });
      t.after(server.close);
      const { client } = server;
      await client.createEnvironment({ body: { name: environment, configuration: { changes: "plan" } } });
      await put(client, "pipelines/file.sql", sql(2));
      const { resources, ...rest } = project(2);
      const ask = {
        name: "ask",
        level: "approve" as const,
        rule: 'action == "update" && size(approvals) < 2',
        message: "Ask first.",
      };
      const first = await client.createPlan({ body: { ...rest, resources: [resources[0] as never] } });
      await appliedPlan(client, first.id);
      const body = { ...project(3), policies: [ask] };
      const { id: plan, status } = await client.createPlan({ body });
      assert.equal(status, "needs_approval");
      let user_id = "";
      for (const username of ["carol", "bob"]) {
        ({ id: user_id } = await client.createUser({ body: { username, role: "admin" } }));
        const { token } = await client.createToken({ params: { user_id }, body: {} });
        const admin = createClient({ baseUrl: server.url, token, retries: 0 });
        await refused(put(client, "pipelines/file.sql", sql(3), plan), 403, /ask requires an approval/);
        await admin.approvePlan({ params: { plan_id: plan } });
      }
      await client.updateUser({ params: { user_id }, body: { role: "operator" } });
      await refused(
        put(client, "pipelines/file.sql", sql(3), plan),
        403,
        /ask requires an approval by one more admin.*bob approved it and is no longer an admin/,
      );
      await client.updateUser({ params: { user_id }, body: { role: "admin" } });
      await put(client, "pipelines/file.sql", sql(3), plan);
    });

    test("policies of the server judge the resource with the new content of the file", async (t) => {
      const folder = await policies(t, {
        star: 'rule: sql.exists(f, f.text.contains("SELECT *"))\nmessage: "{name} reads all columns."\n',
        components:
          'level: approve\nrule: resource.kind in ["app", "agent"] && action == "update"\nmessage: "{name} runs."\n',
      });
      let server = await startTestServer({ engine });
      t.after(() => server.close());
      const paths = await populate(server.client);
      server = await server.restart({
        PLATFORM_POLICIES_DIR: folder,
        PLATFORM_CONNECTOR_FOLDERS: `${folder}-exchange`,
      });
      const { client } = server;
      for (const path of paths) {
        const isPipeline = pipelines.some((one) => one.path === path);
        if (!isPipeline) {
          await refused(
            put(client, path, "y"),
            403,
            /requires an approval.* runs\..* lakehelm apply --env prod/,
          );
          await refused(client.deleteFile({ params: { path }, environment }), 403, /requires an approval/);
          continue;
        }
        await refused(put(client, path, sql("* FROM range(3) --")), 403, /server\/star/);
      }
      const [path = ""] = paths;
      await refused(put(client, path, "CREATE VIEW v AS SELECT * FROM a"), 403, /reads all columns/);
      // Without its file, the SQL of the pipeline is unknown, so its deletion is refused.
      await refused(client.deleteFile({ params: { path }, environment }), 403, /server\/star/);
      await put(client, path, sql(5));
      await put(client, "notes/any.sql", "SELECT * FROM a");
    });
  });
}
