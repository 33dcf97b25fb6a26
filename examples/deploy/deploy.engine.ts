import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { startProcess, testHome } from "../../packages/server/src/testing/process.ts";

const here = import.meta.dirname;
const commit = "3f9c1d2a";

/** Starts a server with the environment and the pipeline that the automation refers to, and copies the example. */
async function setUp(t: TestContext) {
  const server = await startProcess(t, await testHome(t, "sqlite"));
  const { client } = server;
  await client.createEnvironment({ body: { name: "prod" } });
  const libraries = [{ file: { path: "pipelines/daily-report.sql" } }];
  await client.createPipeline({ body: { name: "daily-report", libraries }, environment: "prod" });
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-deploy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(here, "automations"), folder, { recursive: true });
  const automation = join(folder, "daily-report");

  async function deploy(options: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const child = spawn("sh", [join(here, "deploy.sh"), "prod", automation, ...options], {
      env: {
        PATH: process.env.PATH,
        LAKEHELM_URL: server.url,
        LAKEHELM_TOKEN: server.token,
        GIT_BRANCH: 'feature/"quoted"',
        GIT_COMMIT: commit,
        ...env,
      },
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => output.push(String(chunk)));
    const [code] = await once(child, "close");
    return { code, output: output.join("") };
  }

  return { client, folder, automation, deploy };
}

test("a workflow validates, deploys with a streamed log, finishes and releases", async (t) => {
  const { client, automation, deploy } = await setUp(t);
  await writeFile(join(automation, "workspace/pipelines/a 100% ü?#.sql"), "");
  const { code, output } = await deploy();
  assert.equal(code, 0, output);
  assert.match(output, /valid: sha256:[0-9a-f]{64}\n/);
  assert.match(output, new RegExp(`daily-report ${commit} is current in prod`));

  const { deployments } = await client.listDeployments({ environment: "prod" });
  const [deployment] = deployments.filter(
    ({ deployment_name }) => deployment_name === `deploy daily-report ${commit}`,
  );
  assert.equal(deployment?.status, "succeeded");
  assert.equal(deployment?.git_branch, 'feature/"quoted"');
  const params = { deployment_id: deployment?.id ?? "" };
  assert.equal(
    (await client.getDeploymentLog({ params })).log,
    "copied pipelines/a 100% ü?#.sql\ncopied pipelines/daily-report.sql\n",
  );
  const { files } = await client.listFiles({ environment: "prod" });
  assert.deepEqual(
    files.map(({ path }) => path),
    ["pipelines/a 100% ü?#.sql", "pipelines/daily-report.sql"],
  );

  const { releases } = await client.getAutomation({ params: { automation_alias: "daily-report" } });
  assert.deepEqual(
    releases.map(({ environment, version, git_branch }) => [environment, version, git_branch]),
    [["prod", commit, 'feature/"quoted"']],
  );
  const { jobs } = await client.listJobs({ query: { kind: "automation" } });
  assert.deepEqual(
    jobs.map(({ definition }) => definition.trigger),
    [{ kind: "cron", cron: "0 6 * * *", timezone: "Europe/Berlin" }],
  );
});

test("a second CI run records another deployment, and its release changes nothing", async (t) => {
  const { client, deploy } = await setUp(t);
  const params = { automation_alias: "daily-report" };
  assert.equal((await deploy([], { CI_RUN_ID: "github-17-1" })).code, 0);
  const { releases } = await client.getAutomation({ params });
  const { code, output } = await deploy([], { CI_RUN_ID: "github-17-2" });
  assert.equal(code, 0, output);
  const { deployments } = await client.listDeployments({});
  const matching = deployments.filter(
    ({ deployment_name }) => deployment_name === `deploy daily-report ${commit}`,
  );
  assert.deepEqual(
    matching.map(({ status }) => status),
    ["succeeded", "succeeded"],
  );
  assert.deepEqual((await client.getAutomation({ params })).releases, releases);
});

test("an invalid design stops the script before it creates a deployment", async (t) => {
  const { client, automation, deploy } = await setUp(t);
  const file = join(automation, "definition.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace("daily-report", "dayly-report"));
  const { code, output } = await deploy();
  assert.equal(code, 1);
  assert.match(output, /not valid.*definition\.yaml:\d+.*dayly-report/s);
  assert.deepEqual((await client.listDeployments({})).total, 0);
});

test("--validate-only creates only an attempt", async (t) => {
  const { client, deploy } = await setUp(t);
  const { code, output } = await deploy(["--validate-only"]);
  assert.equal(code, 0, output);
  assert.equal((await client.listDeployments({})).total, 0);
  assert.equal((await client.listFiles({ environment: "prod" })).total, 0);
});

/** Puts a script in front of the real curl. The script runs a command at each upload. */
async function withCurl(folder: string, atUpload: string): Promise<NodeJS.ProcessEnv> {
  const path = join(folder, "curl");
  await writeFile(
    path,
    `#!/bin/sh\nPATH=$REAL_PATH\ncase "$*" in */api/v1/files/*) ${atUpload} ;; esac\nexec curl "$@"\n`,
  );
  await chmod(path, 0o755);
  return { PATH: [folder, process.env.PATH].join(delimiter), REAL_PATH: process.env.PATH };
}

test("a failed upload fails the deployment with the reason, and activates no release", async (t) => {
  const { client, folder, deploy } = await setUp(t);
  const { code } = await deploy([], await withCurl(folder, 'echo "the disk is full" >&2; exit 7'));
  assert.equal(code, 1);
  const { deployments } = await client.listDeployments({});
  assert.equal(deployments[0]?.status, "failed");
  assert.match(deployments[0]?.error_message ?? "", /the disk is full/);
  const { releases } = await client.getAutomation({ params: { automation_alias: "daily-report" } });
  assert.deepEqual(releases, []);
});

test("a cancelled workflow cancels the deployment", async (t) => {
  const { client, folder, deploy } = await setUp(t);
  const { code } = await deploy(
    [],
    await withCurl(folder, 'kill -TERM "$(pgrep -f "deploy.sh prod" | head -n 1)"'),
  );
  assert.equal(code, 130);
  const { deployments } = await client.listDeployments({});
  assert.deepEqual(
    [deployments[0]?.status, deployments[0]?.error_message],
    ["cancelled", "The workflow was cancelled.\n"],
  );
});

test("the workflow files set the variables and arguments of the script", async () => {
  for (const file of ["github/deploy.yml", "gitlab-ci.yml"]) {
    const text = await readFile(join(here, file), "utf8");
    for (const name of ["LAKEHELM_URL", "LAKEHELM_TOKEN", "GIT_BRANCH", "GIT_COMMIT", "CI_RUN_ID"]) {
      assert.match(text, new RegExp(name), `${file} does not set ${name}`);
    }
    const calls = text.match(/sh deploy\.sh prod "\$\{folder%\/\}"( --validate-only)?/g);
    assert.deepEqual(
      calls?.map((call) => call.endsWith("--validate-only")),
      [true, false],
      file,
    );
  }
});
