import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { contentHash } from "@lakehelm/codegen";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { validDesign } from "./test-designs.ts";

const metadata = { version: "1.4.0", git_branch: "main", git_commit_sha: "3f9c1d2" };
const noon = "2026-03-01T12:00:00.000Z";

for (const engine of engines) {
  suite(`releases of automations on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(noon) });
    });
    after(() => server.close());

    async function given(environment: { targetGitBranch?: string } = {}) {
      const { client } = server;
      const [alias, prod] = [unique("orders-daily"), unique("prod")];
      const { id } = await client.createEnvironment({ body: { name: prod, ...environment } });
      const params = { automation_alias: alias };
      const inProd = { ...params, environment: prod };
      return {
        client,
        alias,
        prod,
        environmentId: id,
        params,
        inProd,
        register: () => client.createAutomation({ body: { alias, definition: validDesign } }),
        sync: (sent: Record<string, unknown> = metadata) =>
          client.syncAutomationRelease({ body: { ...inProd, metadata: sent } }),
        remove: (sent: Record<string, unknown> = {}) =>
          client.syncAutomationRelease({ body: { ...inProd, action: "delete", metadata: sent } }),
        releases: async () => (await client.listReleases({ params })).releases,
        deployments: async () => (await client.listDeployments({ environment: prod })).total,
        jobs: async () => (await client.listJobs({ environment: prod })).jobs,
        summary: () => client.getEnvironmentSummary({ params: { environment_id: prod } }),
      };
    }

    test("#9 activate makes the release current, installs its job and records a succeeded deployment", async () => {
      const { client, alias, prod, environmentId, params, register, sync, jobs, summary } = await given();
      const made = await register();
      const answer = await sync();
      const { release, deployment } = answer;
      assert.equal(answer.message, `${alias} 1.4.0 is current in ${prod}.`);
      assert.deepEqual(release, {
        id: release?.id,
        artifact: `automation/${alias}`,
        environment_id: environmentId,
        environment: prod,
        version: "1.4.0",
        git_branch: "main",
        git_commit_sha: "3f9c1d2",
        design_content_hash: made.design_content_hash,
        deployment_id: deployment?.id,
        workflow_id: `automation-${made.id}-${environmentId}`,
        metadata,
        activated_at: noon,
        activated_by: "internal-service",
      });
      assert.deepEqual(deployment, {
        id: deployment?.id,
        deployment_name: `${alias} 1.4.0`,
        environment_id: environmentId,
        git_branch: "main",
        git_commit_sha: "3f9c1d2",
        status: "succeeded",
        job_run_id: null,
        created_at: noon,
        started_at: noon,
        completed_at: noon,
        initiated_by: "internal-service",
        error_message: null,
      });
      const deployment_id = deployment?.id ?? "";
      assert.deepEqual(await client.getDeployment({ params: { deployment_id } }), deployment);
      assert.deepEqual(await client.listReleases({ params }), { releases: [release], total: 1 });
      const details = await client.getAutomation({ params });
      assert.deepEqual(details.releases, [release]);
      assert.deepEqual(details.schedules, [
        {
          environment_id: environmentId,
          environment: prod,
          schedule: validDesign.schedule,
          trigger: null,
          state: "active",
          override: null,
          problem: null,
        },
      ]);
      const subject = `automation/${made.id}`;
      const [job, ...others] = await jobs();
      assert.deepEqual(others, []);
      assert.deepEqual([job?.id, job?.kind, job?.subject], [release?.workflow_id, "automation", subject]);
      assert.deepEqual([job?.name, job?.paused, job?.next_at], [alias, null, "2026-03-02T05:00:00.000Z"]);
      assert.deepEqual(job?.definition.trigger, { kind: "cron", ...validDesign.schedule });
      assert.equal((await server.events("automation.release_activated", subject)).length, 1);
      const recorded = await server.events("deployment.recorded", `deployment/${deployment_id}`);
      assert.equal(recorded.length, 1);
      const { current_releases, latest_success } = await summary();
      const current = { artifact: `automation/${alias}`, version: "1.4.0", activated_at: noon };
      assert.deepEqual(current_releases, [current]);
      assert.equal(latest_success?.id, deployment_id);
    });

    test("#9 registers an unknown automation by its alias, and creates dev, test and prod on first use", async (t) => {
      const { client, close } = await startTestServer({ engine });
      t.after(close);
      const params = { automation_alias: "orders-daily" };
      const sync = (environment: string) =>
        client.syncAutomationRelease({ body: { ...params, environment } });
      await refused(sync("nowhere"), 404, 'There is no environment "nowhere".');
      await refused(client.getAutomation({ params }), 404);
      const { release, message } = await sync("dev");
      assert.match(message, /is current in dev, without a job: orders-daily has no definition yet/);
      assert.equal(release?.workflow_id, null);
      assert.equal((await client.listJobs()).total, 0);
      assert.equal(release?.version, contentHash([]));
      assert.equal(release?.design_content_hash, null);
      assert.equal(release?.git_branch, "");
      const { automation, schedules } = await client.getAutomation({ params });
      assert.equal(automation.definition, null);
      assert.equal(schedules[0]?.state, "unscheduled");
      await Promise.all([sync("test"), sync("prod"), sync("test")]);
      const { environments } = await client.listEnvironments();
      assert.deepEqual(environments.map(({ name }) => name).sort(), ["dev", "local", "prod", "test"]);
    });

    test("the release of #9 is the version, else the commit, else the hash of the definition", async () => {
      const { register, sync } = await given();
      const made = await register();
      const versionOf = async (sent: Record<string, unknown>) => (await sync(sent)).release?.version;
      assert.equal(await versionOf(metadata), "1.4.0");
      assert.equal(await versionOf({ git_commit_sha: "3f9c1d2" }), "3f9c1d2");
      assert.equal(await versionOf({ version: null, git_commit_sha: "" }), made.design_content_hash);
    });

    test("branch and commit of #9 come from metadata, else from the environment, else they are empty", async () => {
      const { sync } = await given({ targetGitBranch: "release" });
      const { release, deployment } = await sync({ version: "1" });
      assert.deepEqual([release?.git_branch, release?.git_commit_sha], ["release", ""]);
      assert.deepEqual([deployment?.git_branch, deployment?.git_commit_sha], ["release", ""]);
      for (const key of ["version", "git_branch", "git_commit_sha"]) {
        await refused(sync({ [key]: 5 }), 409, new RegExp(`metadata.${key} must be a string`));
      }
    });

    test("#9: any other action is 409 and creates nothing", async () => {
      const { client, inProd } = await given();
      const before = await server.rows();
      const sync = (change: object) => client.syncAutomationRelease({ body: { ...inProd, ...change } });
      await refused(sync({ action: "promote" }), 409, /^Unknown action "promote"\./);
      await refused(sync({ action: "promote", environment: "prod" }), 409, /^Unknown action "promote"\./);
      await refused(sync({ automation_alias: "" }), 409, /must not be empty/);
      assert.deepEqual(await server.rows(), before);
    });

    test("#9 twice with the same release changes nothing and returns the same release", async () => {
      for (const isDefined of [false, true]) {
        const { register, sync } = await given();
        if (isDefined) await register();
        const first = await sync();
        const before = await server.rows();
        const second = await sync();
        assert.deepEqual(second, { ...first, deployment: null });
        assert.deepEqual(await server.rows(), before);
      }
    });

    test("concurrent #9 calls create one release and one deployment", async () => {
      const { client, alias, sync, releases, deployments } = await given();
      const answers = await Promise.all([1, 2, 3, 4].map(() => sync()));
      assert.equal(new Set(answers.map(({ release }) => release?.id)).size, 1);
      assert.deepEqual([(await releases()).length, await deployments()], [1, 1]);
      const { automations } = await client.listAutomations({ query: { limit: 1000 } });
      assert.equal(automations.filter((one) => one.alias === alias).length, 1);
    });

    test("a new release replaces the previous one; a changed definition is a new release", async () => {
      const { client, params, register, sync, releases } = await given();
      await register();
      const first = await sync({ version: "1" });
      const second = await sync({ version: "2" });
      assert.notEqual(second.release?.id, first.release?.id);
      assert.deepEqual(await releases(), [second.release]);

      const later = { ...validDesign, schedule: { cron: "0 7 * * *", timezone: "UTC" } };
      await client.setDefinition({ params, body: later });
      const running = await client.getAutomation({ params });
      assert.deepEqual(running.schedules[0]?.schedule, validDesign.schedule);
      await sync({ version: "2" });
      const after = await client.getAutomation({ params });
      assert.deepEqual(after.schedules[0]?.schedule, later.schedule);
    });

    test("a release sets the definition of its attempt; a later definition takes effect with the next release", async () => {
      const { client, params, register, sync, jobs } = await given();
      await register();
      const later = { ...validDesign, schedule: { cron: "0 7 * * *", timezone: "UTC" } };
      await client.putAttempt({ params: { ...params, attempt_id: "a-1" }, body: later });
      const sent = { version: "2", attempt_id: "a-1" };
      const { release } = await sync(sent);
      const { automation, schedules } = await client.getAutomation({ params });
      assert.equal(automation.design_content_hash, release?.design_content_hash);
      assert.deepEqual(schedules[0]?.schedule, later.schedule);
      assert.deepEqual((await jobs())[0]?.definition.trigger, { kind: "cron", ...later.schedule });

      await client.setDefinition({ params, body: validDesign });
      const before = await server.rows();
      assert.equal((await sync(sent)).release?.id, release?.id);
      assert.deepEqual(await server.rows(), before);
      await refused(sync({ attempt_id: "a-2" }), 404, /has no attempt "a-2"/);
      await refused(sync({ attempt_id: 5 }), 409, /metadata.attempt_id must be a string/);
    });

    test("secrets in the metadata of #9 are masked and never stored", async () => {
      const { sync } = await given();
      const { release } = await sync({ version: "1", ci: { api_token: "hunter2" } });
      assert.deepEqual(release?.metadata, { version: "1", ci: { api_token: "********" } });
      assert.doesNotMatch(JSON.stringify(await server.rows()), /hunter2/);
    });

    test("#9 delete removes the release and its job, and succeeds if there is none", async () => {
      const { client, alias, prod, params, inProd, register, sync, remove, jobs, summary } = await given();
      await register();
      const { release } = await sync();
      assert.equal((await jobs()).length, 1);
      assert.deepEqual(await remove(), {
        success: true,
        message: `${alias} 1.4.0 is no longer current in ${prod}.`,
        release,
        deployment: null,
      });
      const { automation, releases } = await client.getAutomation({ params });
      assert.deepEqual(releases, []);
      assert.deepEqual(await jobs(), []);
      const { rows } = server;
      assert.deepEqual(
        (await rows()).release_designs?.filter(({ release_id }) => release_id === release?.id),
        [],
      );
      const deletions = await server.events("automation.release_deleted", `automation/${automation.id}`);
      assert.equal(deletions.length, 1);
      assert.deepEqual((await summary()).current_releases, []);

      const before = await server.rows();
      const nothing = { success: true, message: `${alias} has no release in ${prod}.`, release: null };
      assert.deepEqual(await remove(), { ...nothing, deployment: null });
      const unknown = { ...inProd, automation_alias: unique("x"), action: "delete" };
      assert.equal((await client.syncAutomationRelease({ body: unknown })).release, null);
      assert.deepEqual(await server.rows(), before);
    });

    test("the definition of each release can be read, also of former ones, up to the last 20", async () => {
      const { client, prod, environmentId, params, register, sync, remove } = await given();
      await register();
      const secret = "hunter2";
      const query = (n: number) => ({
        tasks: [{ name: "count", kind: "sql", query: `select ${n}`, parameters: { api_token: secret } }],
      });
      const ids: string[] = [];
      for (let n = 0; n < 22; n += 1) {
        if (n < 2 || n === 21) await client.setDefinition({ params, body: query(n) as typeof validDesign });
        ids.push((await sync({ version: String(n) })).release?.id ?? "");
      }
      const read = (n: number, as = client) =>
        as.getReleasedDefinition({ params: { ...params, release_id: ids[n] ?? "" } });
      const { definition, ...about } = await read(1);
      assert.deepEqual(about, {
        release_id: ids[1],
        environment_id: environmentId,
        environment: prod,
        is_current: false,
      });
      assert.match(JSON.stringify(definition), /select 1"/);
      const current = await read(21);
      assert.equal(current.is_current, true);
      assert.match(JSON.stringify(current.definition), /select 21"/);
      assert.doesNotMatch(JSON.stringify([definition, current]), /hunter2/);
      await refused(read(0), 404, /or its definition is no longer kept/);
      const kept = ((await server.rows()).release_designs ?? []).filter(({ release_id }) =>
        ids.includes(String(release_id)),
      );
      const sealed = kept.filter((row) => row.sealed !== null).map(({ release_id }) => release_id);
      assert.deepEqual(sealed, [ids[21]], "former releases keep no secrets");

      const user = await client.createUser({ body: { username: unique("grace"), role: "none" } });
      const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
      const other = unique("dev");
      const { id } = await client.createEnvironment({ body: { name: other } });
      const grant = (environment_id: string) =>
        client.putEnvironmentRole({
          params: { environment_id, username: user.username },
          body: { role: "viewer" },
        });
      await grant(id);
      const grace = createClient({ baseUrl: server.url, token });
      await refused(read(1, grace), 404, /or its definition is no longer kept/);
      await grant(environmentId);
      assert.equal((await read(1, grace)).release_id, ids[1]);

      await remove();
      await refused(read(21), 404, /or its definition is no longer kept/);
    });

    test("#9 delete of a version or commit that is not current changes nothing and reports it", async () => {
      const { alias, prod, register, sync, remove, releases } = await given();
      await register();
      await sync({ version: "1", git_commit_sha: "aaa" });
      await sync({ version: "2", git_commit_sha: "bbb" });
      const before = await server.rows();
      const stays = (other: string) => ({
        success: true,
        message: `${other} is not the release of ${alias} in ${prod}. The current release is still 2.`,
        release: null,
        deployment: null,
      });
      assert.deepEqual(await remove({ version: "1" }), stays("1"));
      assert.deepEqual(await remove({ git_commit_sha: "aaa" }), stays("aaa"));
      assert.deepEqual(await remove({ version: "2", git_commit_sha: "aaa" }), stays("aaa"));
      assert.deepEqual(await server.rows(), before);
      await remove({ version: "2", git_commit_sha: "bbb" });
      assert.deepEqual(await releases(), []);
    });

    test("#9 rejects a file trigger that could never fire, and validation reports it", async () => {
      const { client, params, environmentId, sync, jobs } = await given();
      const tasks = [{ name: "tell", kind: "http", url: "https://example.com/hook" }];
      const tried = async (path: string) => {
        const trigger = { file_arrival: { path } };
        await client.putAttempt({ params: { ...params, attempt_id: "a" }, body: { tasks, trigger } });
        const validation = { params, environment: environmentId, body: { attempt_id: "a" } };
        return [
          (await client.validateArtifacts(validation)).validation_errors.join(),
          await sync({ version: path, attempt_id: "a" }).then(
            () => "released",
            (error: Error) => error.message,
          ),
        ];
      };
      await client.createAutomation({ body: { alias: params.automation_alias } });
      for (const message of await tried("in/*.csv"))
        assert.match(message, /The path in\/\*\.csv is not absolute: it must begin with "\/"\./);
      for (const message of await tried(`${server.dataDir}/warehouse`))
        assert.match(message, /is in Lakehelm's data folder/);
      for (const message of await tried("/root/*"))
        assert.match(message, /The path \/root cannot be used: connectors may use only these folders/);
      assert.deepEqual(await jobs(), []);
      assert.deepEqual(await tried(join(tmpdir(), "nowhere/in")), ["", "released"]);
    });

    test("an environment with a release cannot be deleted; after the release is removed it can", async () => {
      const { client, prod, params, sync, remove, releases, deployments } = await given();
      const deleteProd = () => client.deleteEnvironment({ params: { environment_id: prod } });
      await sync();
      await client.setSchedule({ params: { ...params, action: "pause" }, environment: prod });
      await refused(deleteProd(), 409, /still has resources/);
      await remove();
      assert.deepEqual(await releases(), []);
      assert.deepEqual((await server.rows()).overrides, []);
      assert.equal(await deployments(), 1);
      await deleteProd();
    });

    test("releases show the current name of their environment", async () => {
      const { client, prod, params, sync, releases } = await given();
      await sync();
      const name = unique("production");
      await client.updateEnvironment({ params: { environment_id: prod }, body: { name } });
      assert.equal((await releases())[0]?.environment, name);
      const details = await client.getAutomation({ params });
      assert.equal(details.releases[0]?.environment, name);
      assert.equal(details.schedules[0]?.environment, name);
    });

    test("#9: an inactive environment is 409", async () => {
      const { client, prod, sync, remove } = await given();
      await client.updateEnvironment({ params: { environment_id: prod }, body: { isActive: false } });
      await refused(sync(), 409, /not active/);
      await refused(remove(), 409, /not active/);
    });
  });
}
