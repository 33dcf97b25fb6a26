/**
 * The shell steps of both workflows, against a real server. There are stand-ins for GitHub's `gh` and for the API of
 * GitLab.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { serveHttp } from "@lakehelm/testing/http-server";
import { readAll } from "../../packages/cli/src/io.ts";
import { Problems } from "../../packages/cli/src/project/problems.ts";
import { sourceText } from "../../packages/cli/src/project/read/source-text.ts";
import { plain } from "../../packages/cli/src/project/read/tree.ts";
import { readYaml } from "../../packages/cli/src/project/read/yaml-document.ts";
import { startTestServer, type TestServer } from "../../packages/server/src/testing/server.ts";

const here = import.meta.dirname;
const program = resolve(here, "../../packages/cli/bin/lakehelm.cjs");

const files = {
  "lakehelm.yaml": "name: shop\nenvironments:\n  prod: {}\n",
  "connectors/orders-out.yaml":
    'target_type: csv\ntarget_config:\n  path: /srv/shop\nschedule_cron: "0 6 * * *"\ndatasets:\n  - source_dataset: shop.sales.orders\n    target_name: orders.csv\n',
  "policies/not-often.yaml":
    'rule: has(after.schedule_cron) && runsPerDay(after.schedule_cron) > 24.0\nmessage: "{name} runs too often."\n',
};

async function readWorkflow(path: string): Promise<unknown> {
  const problems = new Problems();
  const tree = readYaml(sourceText(path, await readFile(join(here, path), "utf8")), problems);
  assert.deepEqual(problems.all(), []);
  assert.ok(tree);
  return plain(tree);
}

/** GitHub's runners have jq, and the image of a GitLab job needs it. */
const skip = spawnSync("jq", ["--version"]).error ? "jq is not installed" : false;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

type Variables = Readonly<Record<string, string>>;

/** A server with the environment, and a checkout of the project in which scripts run as on a CI runner. */
async function setUp(t: TestContext, environment: string) {
  await server.client.createEnvironment({ body: { name: environment } });
  const root = await mkdtemp(join(tmpdir(), "lakehelm-ci-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const [checkout, bin] = [join(root, "checkout"), join(root, "bin")];
  for (const folder of ["connectors", "policies"]) await mkdir(join(checkout, folder), { recursive: true });
  for (const [path, text] of Object.entries(files))
    await writeFile(join(checkout, path), text.replace("{}", `{ environment: ${environment} }`));
  await mkdir(bin);
  const command = async (name: string, script: string) =>
    writeFile(join(bin, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  await command("npx", `[ "$1" = lakehelm ] && shift && exec '${process.execPath}' '${program}' "$@"`);

  async function run(script: string, options: readonly string[], env: Variables) {
    const child = spawn("bash", [...options, "-c", script], {
      cwd: checkout,
      env: {
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        LAKEHELM_URL: server.url,
        LAKEHELM_TOKEN: server.token,
        ...env,
      },
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => output.push(String(chunk)));
    const [code] = await once(child, "close");
    return { code: Number(code), output: output.join("") };
  }
  const schedule = async () => {
    const { connectors } = await server.client.listConnectors({ environment });
    return connectors.map(({ schedule_cron }) => schedule_cron);
  };
  const change = (cron: string) =>
    writeFile(
      join(checkout, "connectors/orders-out.yaml"),
      files["connectors/orders-out.yaml"].replace("0 6 * * *", cron),
    );
  return { root, checkout, command, run, schedule, change };
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/**
 * A pull request, its merge, and another pull request that a policy refuses: they share one comment, which is replaced.
 */
async function tryWorkflow(
  { schedule, change }: Pick<Awaited<ReturnType<typeof setUp>>, "schedule" | "change">,
  job: (name: "plan" | "apply") => Promise<Outcome>,
  comments: () => Promise<string[]>,
) {
  const planned = await job("plan");
  assert.equal(planned.code, 0, planned.output);
  const [first = "", ...others] = await comments();
  assert.match(first, /^<!-- lakehelm plan shop \w+ -->\n### Plan for `\w+`: 1 to create in /);
  assert.deepEqual([others, await schedule()], [[], []]);
  const applied = await job("apply");
  assert.equal(applied.code, 0, applied.output);
  assert.deepEqual(await schedule(), ["0 6 * * *"]);
  await change("* * * * *");
  const refused = await job("plan");
  assert.equal(refused.code, 3, refused.output);
  const [replaced = "", ...more] = await comments();
  assert.match(replaced, /\*\*Refused by a policy\.\*\*[\s\S]*orders-out runs too often/);
  assert.deepEqual([more, await schedule()], [[], ["0 6 * * *"]]);
}

interface GitHubJob {
  readonly if: string;
  readonly steps: readonly { run?: string; id?: string; uses?: string; env?: Variables }[];
}

test("the GitHub workflow posts the plan to the pull request, replaces it, and applies on merge", {
  skip,
}, async (t) => {
  const { root, command, run, ...project } = await setUp(t, "github");
  const stored = join(root, "comments.json");
  await writeFile(stored, "[]");
  // A stand-in for `gh` with the commands of the workflow: it lists, adds and replaces comments of a pull request.
  await command(
    "gh",
    `set -e
[ "$GH_TOKEN" = github-token ]
case "$*" in
  "api repos/acme/shop/issues/7/comments --paginate --jq "*) jq -r "\${@: -1}" '${stored}';;
  "pr comment 7 --body-file "*) NEXT=$(jq --rawfile body "$5" '. + [{id: (length + 1), body: $body}]' '${stored}'); echo "$NEXT" > '${stored}';;
  "api --method PATCH repos/acme/shop/issues/comments/"*)
    NEXT=$(jq --argjson id "\${4##*/}" --rawfile body "\${6#body=@}" 'map(if .id == $id then .body = $body else . end)' '${stored}'); echo "$NEXT" > '${stored}';;
  *) echo "gh $*" >&2; exit 1;;
esac`,
  );
  const workflow = (await readWorkflow("github/lakehelm.yml")) as {
    env: Variables;
    jobs: Record<"plan" | "apply", GitHubJob>;
  };
  assert.deepEqual(
    [workflow.jobs.plan.if, workflow.jobs.apply.if],
    ["github.event_name == 'pull_request'", "github.event_name == 'push'"],
  );
  const job = async (name: "plan" | "apply"): Promise<Outcome> => {
    const values: Record<string, string> = {
      "github.token": "github-token",
      "github.event.pull_request.number": "7",
    };
    const filled = (text: string) =>
      text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_all, key: string) => {
        assert.ok(values[key] !== undefined, `\${{ ${key} }} is not known`);
        return values[key];
      });
    let all = "";
    for (const { run: script, uses, id, env = {} } of workflow.jobs[name].steps) {
      if (script === undefined) {
        assert.match(String(uses), /^actions\/checkout@/);
        continue;
      }
      const outputs = join(root, "outputs");
      await writeFile(outputs, "");
      const own = Object.entries(env).map(([key, value]) => [key, filled(value)]);
      const { code, output } = await run(filled(script), ["--norc", "-e"], {
        LAKEHELM_ENV: workflow.env.LAKEHELM_ENV ?? "",
        GITHUB_REPOSITORY: "acme/shop",
        GITHUB_OUTPUT: outputs,
        GITHUB_SHA: "3f9c1d2a",
        ...Object.fromEntries(own),
      });
      all += output;
      if (code !== 0) return { code, output: all };
      for (const line of (await readFile(outputs, "utf8")).split("\n").filter(Boolean)) {
        const [key = "", value = ""] = line.split("=");
        values[`steps.${id}.outputs.${key}`] = value;
      }
    }
    return { code: 0, output: all };
  };
  const comments = async () =>
    (JSON.parse(await readFile(stored, "utf8")) as { body: string }[]).map(({ body }) => body);
  await tryWorkflow(project, job, comments);
});

test("the GitLab pipeline posts the plan to the merge request, replaces it, and applies on merge", {
  skip,
}, async (t) => {
  const { run, ...project } = await setUp(t, "gitlab");
  const notes: { id: number; body: string }[] = [];
  const api = await serveHttp(t, async (request, response) => {
    const [, id] =
      /^\/projects\/9\/merge_requests\/7\/notes(?:\/(\d+))?(?:\?per_page=100)?$/.exec(request.url ?? "") ??
      [];
    const body = new URLSearchParams((await readAll(request)).toString()).get("body") ?? "";
    if (request.headers["private-token"] !== "gitlab-token") response.statusCode = 401;
    else if (request.method === "POST") notes.push({ id: notes.length + 1, body });
    else if (request.method === "PUT") for (const note of notes) if (note.id === Number(id)) note.body = body;
    response.end(JSON.stringify(notes));
  });
  const pipeline = (await readWorkflow("gitlab-ci.yml")) as {
    variables: Variables;
  } & Record<"plan" | "apply", { script: string[] }>;
  const job = (name: "plan" | "apply") =>
    run(pipeline[name].script.join("\n"), ["--norc", "-eo", "pipefail"], {
      ...pipeline.variables,
      CI_API_V4_URL: api,
      CI_PROJECT_ID: "9",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: "gitlab-token",
      CI_COMMIT_SHA: "3f9c1d2a",
    });
  await tryWorkflow(project, job, async () => notes.map(({ body }) => body));
});
