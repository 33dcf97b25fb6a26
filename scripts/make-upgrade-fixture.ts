/**
 * Starts the server of a checkout, fills it through its API and dumps its database, for the tests of upgrades:
 *
 *     node run.js scripts/make-upgrade-fixture.ts <checkout> <postgres URL of an empty database>
 *
 * packages/server/src/upgrade-fixtures/README.md says when and how.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The tests also contain these values, which protect nothing. */
const serviceToken = "fixture-service-token-7Qw2";
const secretKey = "fixture-secret-key-9fKx3Lm8Zt5Rb1Vd";

const [checkout, postgresUrl] = process.argv.slice(3);
if (checkout === undefined || postgresUrl === undefined) {
  console.error("usage: node run.js scripts/make-upgrade-fixture.ts <checkout> <postgres URL>");
  process.exit(1);
}
const target = fileURLToPath(new URL("../packages/server/src/upgrade-fixtures/", import.meta.url));

for (const databaseUrl of [undefined, postgresUrl]) {
  const dataDir = await mkdtemp(join(tmpdir(), "upgrade-fixture-"));
  const { url, stop } = await start(resolve(checkout), dataDir, databaseUrl);
  const call = caller(url);
  const { schema_version } = await call("GET", "/info");
  const token = await seed(call);
  if (schema_version >= 18) await seedPlan(call);
  await stop();
  const dump = databaseUrl === undefined ? sqliteDump(dataDir) : postgresDump(databaseUrl);
  const name = `${String(schema_version).padStart(2, "0")}-${databaseUrl === undefined ? "sqlite" : "postgres"}`;
  await writeFile(join(target, `${name}.sql`), dump);
  const files = filesIn(dataDir);
  await writeFile(join(target, `${name}.json`), `${JSON.stringify({ token, files }, undefined, 2)}\n`);
  await rm(dataDir, { recursive: true });
  console.log(`${name}: ${dump.length} characters`);
}

type Call = (method: string, path: string, body?: unknown, environment?: string) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: the answers of many versions
type Answer = any;

async function start(folder: string, dataDir: string, databaseUrl: string | undefined) {
  const child = spawn(process.execPath, ["run.js", "packages/server/src/main.ts"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      APPS_PORT: "0",
      PLATFORM_ENV: "production",
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_SERVICE_AUTH_TOKEN: serviceToken,
      PLATFORM_SECRET_KEY: secretKey,
      PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
      DATABASE_URL: databaseUrl,
    },
  });
  process.on("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const url = await new Promise<string>((found, fail) => {
    ended.then(([code]) => fail(new Error(`The server ended with ${code}.`)));
    createInterface(child.stdout).on("line", (line) => {
      const { msg, url } = JSON.parse(line);
      if (msg === "listening") found(url);
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, stop };
}

function caller(url: string): Call {
  return async (method, path, body, environment) => {
    const isText = typeof body === "string";
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${serviceToken}`,
        ...(body !== undefined && { "content-type": isText ? "text/plain" : "application/json" }),
        ...(environment && { "x-environment-id": environment }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** Creates everything that must keep working after an upgrade. All schedules are years apart, so that no run starts. */
async function seed(call: Call): Promise<string> {
  const prod = "prod";
  await call("POST", "/api/v1/environments/", { name: prod, configuration: { timezone: "Europe/Berlin" } });
  const { id: userId } = await call("POST", "/api/v1/users", {
    username: "ada@example.test",
    password: "correct-horse-9-battery",
    role: "operator",
  });
  const { token } = await call("POST", `/api/v1/users/${userId}/tokens`, { comment: "fixture" });
  await call("PUT", "/api/v1/secrets/shop/api-key", { value: "stored-9f2c" }, prod);

  const connector = (name: string, header: string) => ({
    name,
    target_type: "warehouse",
    target_config: {
      connection: {
        name: "shop",
        type: "rest",
        config: { url: "http://source.example.test", headers: { authorization: header } },
      },
    },
    schedule_cron: "0 6 1 1 *",
    created_by: "ada@example.test",
    datasets: [{ source_dataset: name, target_name: name.replaceAll("-", "_"), primary_keys: ["id"] }],
  });
  const inline = await call("POST", "/api/v1/connectors/", connector("inline", "Bearer sealed-41d8"), prod);
  await call("POST", "/api/v1/connectors/", connector("referring", "Bearer {{secrets/shop/api-key}}"), prod);
  const { id: pausedId } = await call("POST", "/api/v1/connectors/", connector("paused", "none"), prod);
  await call("POST", `/api/v1/connectors/${pausedId}/pause`, { reason: "holiday" }, prod);
  await call("PATCH", `/api/v1/connectors/${inline.id}`, { git_branch: "main" }, prod);

  const definition = (query: string) => ({
    tasks: [{ name: "count", kind: "sql", query }],
    schedule: { cron: "0 7 1 1 *", timezone: "Europe/Berlin" },
  });
  for (const alias of ["released", "released-paused", "released-changed"]) {
    await call("POST", "/api/automations", { alias, definition: definition("select 1") });
    const metadata = { version: "1.0.0", git_branch: "main", git_commit_sha: "3f9c1d2" };
    await call("POST", "/api/automations/sync-release", {
      automation_alias: alias,
      environment: prod,
      metadata,
    });
  }
  await call("POST", "/api/automations/released-paused/schedule/pause", { reason: "holiday" }, prod);
  await call("PUT", "/api/automations/released-changed/definition", definition("select 2"));

  const put = (path: string, text: string) => call("PUT", `/api/v1/files/${path}`, text, prod);
  await put("pipelines/numbers.sql", "create materialized view numbers as select 1 as n;\n");
  await call(
    "POST",
    "/api/v1/pipelines/",
    { name: "numbers", libraries: [{ file: { path: "pipelines/numbers.sql" } }] },
    prod,
  );
  const program =
    'import { createServer } from "node:http";\n' +
    'createServer((_, response) => response.end("{}")).listen(Number(process.env.DATABRICKS_APP_PORT), "127.0.0.1");\n';
  // The agent is created before its files, because existing files may come from other users and are not accepted as
  // code.
  await call("POST", "/api/agents", { name: "desk", aliases: ["orders-bot"], source_path: "tiny" });
  await put("tiny/app.yaml", "command: [node, app.mjs]\n");
  await put("tiny/app.mjs", program);
  await call("POST", "/api/agents/chat/sync-release", {
    agent_name: "desk",
    version: "1.0.0",
    environment: prod,
    action: "activate",
  });
  await call("POST", "/api/apps", { name: "desk-ui", agent: "desk", source_path: "tiny" }, prod);
  await call("POST", "/api/apps/start", { application_name: "desk-ui" }, prod);

  const { id: deploymentId } = await call(
    "POST",
    "/api/v1/deployments/",
    { deployment_name: "orders 1.0.0", git_branch: "main" },
    prod,
  );
  await call("POST", `/api/v1/deployments/${deploymentId}/log`, { log_chunk: "uploading\n" }, prod);
  await call("POST", `/api/v1/deployments/${deploymentId}/finish`, { status: "succeeded" }, prod);
  await call("GET", "/api/v1/events/verify");
  return token;
}

/** Creates an applied plan and one that is not applied. */
async function seedPlan(call: Call): Promise<void> {
  const resources = [{ kind: "agent", name: "planned", definition: { description: "From a plan" } }];
  const body = { environment: "prod", project: { name: "shop", commit: "3f9c1d2" }, resources };
  const { id } = await call("POST", "/api/v1/plans", body);
  await call("POST", `/api/v1/plans/${id}/apply`);
  while ((await call("GET", `/api/v1/plans/${id}`)).status === "applying") {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await call("POST", "/api/v1/plans", { ...body, resources: [] });
}

function sqliteDump(dataDir: string): string {
  return execFileSync("sqlite3", [join(dataDir, "lakehelm.db"), ".dump"], { encoding: "utf8" });
}

/** The dump without lines that only psql, or only a newer PostgreSQL, understands. */
function postgresDump(url: string): string {
  const args = ["--inserts", "--no-owner", "--no-privileges", "--no-comments", url];
  const dump = execFileSync("pg_dump", args, { encoding: "utf8" });
  return dump
    .split("\n")
    .filter((line) => !/^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\.*|)$/.test(line))
    .join("\n");
}

/** The files of the data folder that a backup contains in addition to the database: small texts, by path. */
function filesIn(dataDir: string): Record<string, string> {
  const paths = globSync("**", { cwd: dataDir }).filter((path) => statSync(join(dataDir, path)).isFile());
  const kept = paths.filter((path) => /^(workspaces\/.*|data-folder-id|event-anchor.*)$/.test(path));
  return Object.fromEntries(kept.sort().map((path) => [path, readFileSync(join(dataDir, path), "utf8")]));
}
