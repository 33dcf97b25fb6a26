import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "./content-hash.ts";
import { openHouse, refusal, soundDefinition } from "./test-house.ts";

const orders = { automation_alias: "orders-daily" };
const inProd = { ...orders, environment: "prod" };
const metadata = { version: "1.4.0", git_branch: "main", git_commit_sha: "3f9c1d2" };

test("#9 activate makes the release current, installs its job and records a succeeded deployment", async (t) => {
  const { client, asked, events } = await openHouse(t);
  const made = await client.createAutomation({
    body: { alias: "orders-daily", definition: soundDefinition },
  });
  const answer = await client.syncAutomationRelease({ body: { ...inProd, metadata } });
  const { release, deployment } = answer;
  const { id: environmentId } = await client.getEnvironment({ params: { environment_id: "prod" } });
  assert.equal(answer.message, "orders-daily 1.4.0 is current in prod.");
  assert.deepEqual(release, {
    id: release?.id,
    artifact: "automation/orders-daily",
    environment_id: environmentId,
    environment: "prod",
    version: "1.4.0",
    git_branch: "main",
    git_commit_sha: "3f9c1d2",
    design_content_hash: made.design_content_hash,
    deployment_id: deployment?.id,
    workflow_id: `automation-${made.id}`,
    metadata,
    activated_at: "2026-03-01T12:00:00.000Z",
    activated_by: "internal-service",
  });
  assert.equal(deployment?.deployment_name, "orders-daily 1.4.0");
  assert.equal(deployment?.status, "succeeded");
  assert.equal(deployment?.initiated_by, "internal-service");
  assert.equal(deployment?.job_run_id, null);
  assert.deepEqual(
    await client.getDeployment({ params: { deployment_id: deployment?.id ?? "" } }),
    deployment,
  );
  assert.deepEqual(await client.listReleases({ params: orders }), { releases: [release], total: 1 });
  const details = await client.getAutomation({ params: orders });
  assert.deepEqual(details.releases, [release]);
  assert.deepEqual(details.schedules, [
    {
      environment_id: environmentId,
      environment: "prod",
      schedule: soundDefinition.schedule,
      state: "active",
      override: null,
    },
  ]);
  const [job, ...others] = await asked();
  assert.deepEqual([job?.kind, job?.data.version, others.length], ["job.install", "1.4.0", 0]);
  const kinds = (await events()).map(({ kind }) => kind);
  assert.ok(kinds.includes("automation.release_activated") && kinds.includes("deployment.recorded"));
  const summary = await client.getEnvironmentSummary({ params: { environment_id: "prod" } });
  assert.deepEqual(summary.current_releases, [
    { artifact: "automation/orders-daily", version: "1.4.0", activated_at: "2026-03-01T12:00:00.000Z" },
  ]);
});

test("#9 registers an unknown automation by its alias, and creates dev, test and prod on first use", async (t) => {
  const { client } = await openHouse(t);
  const { release } = await client.syncAutomationRelease({ body: { ...orders, environment: "dev" } });
  assert.equal(release?.version, contentHash([]));
  assert.equal(release?.design_content_hash, null);
  assert.equal(release?.git_branch, "");
  const { automation, schedules } = await client.getAutomation({ params: orders });
  assert.equal(automation.definition, null);
  assert.equal(schedules[0]?.state, "unscheduled");
  await assert.rejects(
    client.syncAutomationRelease({ body: { ...orders, environment: "nowhere" } }),
    refusal(404, /no environment "nowhere"/),
  );
});

test("the release of #9 is the version, else the commit, else the hash of the definition", async (t) => {
  const { client } = await openHouse(t);
  const made = await client.createAutomation({
    body: { alias: "orders-daily", definition: soundDefinition },
  });
  const versionOf = async (sent: Record<string, unknown>) =>
    (await client.syncAutomationRelease({ body: { ...inProd, metadata: sent } })).release?.version;
  assert.equal(await versionOf(metadata), "1.4.0");
  assert.equal(await versionOf({ git_commit_sha: "3f9c1d2" }), "3f9c1d2");
  assert.equal(await versionOf({ version: null, git_commit_sha: "" }), made.design_content_hash);
});

test("branch and commit of #9 come from metadata, else from the environment, else they are empty", async (t) => {
  const { client } = await openHouse(t);
  await client.createEnvironment({ body: { name: "prod", targetGitBranch: "release" } });
  const first = await client.syncAutomationRelease({ body: { ...inProd, metadata: { version: "1" } } });
  assert.deepEqual([first.release?.git_branch, first.release?.git_commit_sha], ["release", ""]);
  assert.deepEqual([first.deployment?.git_branch, first.deployment?.git_commit_sha], ["release", ""]);
  for (const key of ["version", "git_branch", "git_commit_sha"]) {
    await assert.rejects(
      client.syncAutomationRelease({ body: { ...inProd, metadata: { [key]: 5 } } }),
      refusal(409, new RegExp(`metadata.${key} must be a string`)),
    );
  }
});

test("#9: any other action is 409, and nothing is made by it", async (t) => {
  const { client, rows } = await openHouse(t);
  const before = await rows();
  await assert.rejects(
    client.syncAutomationRelease({ body: { ...inProd, action: "promote" } }),
    refusal(409, /"promote" is not known/),
  );
  await assert.rejects(
    client.syncAutomationRelease({ body: { ...inProd, automation_alias: "" } }),
    refusal(409, /must not be empty/),
  );
  assert.deepEqual(await rows(), before);
});

test("#9 twice with the same release changes nothing and answers the same release", async (t) => {
  const { client, rows } = await openHouse(t);
  const sync = () => client.syncAutomationRelease({ body: { ...inProd, metadata } });
  const first = await sync();
  const before = await rows();
  const second = await sync();
  assert.deepEqual(second, { ...first, deployment: null });
  assert.deepEqual(await rows(), before);
});

test("#9 at once from several workflows ends in one release and one deployment", async (t) => {
  const { client, rows } = await openHouse(t);
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => client.syncAutomationRelease({ body: { ...inProd, metadata } })),
  );
  assert.equal(new Set(answers.map(({ release }) => release?.id)).size, 1);
  const { releases, deployments, automations } = await rows();
  assert.deepEqual([releases?.length, deployments?.length, automations?.length], [1, 1, 1]);
});

test("a new release replaces the former one; a changed definition is a new release", async (t) => {
  const { client, rows } = await openHouse(t);
  await client.createAutomation({ body: { alias: "orders-daily", definition: soundDefinition } });
  const sync = (version: string) =>
    client.syncAutomationRelease({ body: { ...inProd, metadata: { version } } });
  const first = await sync("1");
  const second = await sync("2");
  assert.notEqual(second.release?.id, first.release?.id);
  assert.equal((await rows()).releases?.length, 1);

  const later = { ...soundDefinition, schedule: { cron: "0 7 * * *", timezone: "UTC" } };
  await client.setDefinition({ params: orders, body: later });
  const running = await client.getAutomation({ params: orders });
  assert.deepEqual(running.schedules[0]?.schedule, soundDefinition.schedule);
  await sync("2");
  const after = await client.getAutomation({ params: orders });
  assert.deepEqual(after.schedules[0]?.schedule, later.schedule);
});

test("secrets in the metadata of #9 are masked and never stored", async (t) => {
  const { client, rows } = await openHouse(t);
  const { release } = await client.syncAutomationRelease({
    body: { ...inProd, metadata: { version: "1", ci: { api_token: "hunter2" } } },
  });
  assert.deepEqual(release?.metadata, { version: "1", ci: { api_token: "********" } });
  assert.doesNotMatch(JSON.stringify(await rows()), /hunter2/);
});

test("#9 delete removes the release and its job; what is not there is deleted with success", async (t) => {
  const { client, rows, asked, events } = await openHouse(t);
  const { release } = await client.syncAutomationRelease({ body: { ...inProd, metadata } });
  const remove = () => client.syncAutomationRelease({ body: { ...inProd, action: "delete" } });
  assert.deepEqual(await remove(), {
    success: true,
    message: "orders-daily 1.4.0 is no longer current in prod.",
    release,
    deployment: null,
  });
  assert.deepEqual((await client.getAutomation({ params: orders })).releases, []);
  assert.deepEqual(
    (await asked()).map(({ kind }) => kind),
    ["job.install", "job.remove"],
  );
  assert.ok((await events()).some(({ kind }) => kind === "automation.release_deleted"));
  const summary = await client.getEnvironmentSummary({ params: { environment_id: "prod" } });
  assert.deepEqual(summary.current_releases, []);

  const before = await rows();
  const nothing = { success: true, message: "orders-daily has no release in prod.", release: null };
  assert.deepEqual(await remove(), { ...nothing, deployment: null });
  const unknown = { automation_alias: "x", environment: "prod", action: "delete" };
  assert.equal((await client.syncAutomationRelease({ body: unknown })).release, null);
  assert.deepEqual(await rows(), before);
});

test("a release keeps its environment; once it is deleted, neither it nor a pause does", async (t) => {
  const { client, rows } = await openHouse(t);
  await client.createEnvironment({ body: { name: "qa" } });
  const inQa = { ...orders, environment: "qa" };
  const inUse = () => client.deleteEnvironment({ params: { environment_id: "qa" } });
  await client.syncAutomationRelease({ body: inQa });
  await client.setSchedule({ params: { ...orders, action: "pause" }, environment: "qa" });
  await assert.rejects(inUse(), refusal(409, /still lives/));
  await client.syncAutomationRelease({ body: { ...inQa, action: "delete" } });
  const { overrides, releases } = await rows();
  assert.deepEqual([overrides, releases], [[], []]);
});

test("releases tell the name their environment has now", async (t) => {
  const { client } = await openHouse(t);
  await client.syncAutomationRelease({ body: inProd });
  await client.updateEnvironment({ params: { environment_id: "prod" }, body: { name: "production" } });
  const { releases } = await client.listReleases({ params: orders });
  assert.equal(releases[0]?.environment, "production");
  const details = await client.getAutomation({ params: orders });
  assert.equal(details.releases[0]?.environment, "production");
  assert.equal(details.schedules[0]?.environment, "production");
});
