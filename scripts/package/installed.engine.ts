/** Packs Lakehelm, installs the tarball into an empty folder from a registry on loopback, and uses it there. */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { startRegistry } from "./test-registry.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const token = "tst_5Vq8RwYk2mHcXz7LbN4dPj";

let folder = "";
let registry: Awaited<ReturnType<typeof startRegistry>>;
const children = new Set<ChildProcess>();

const pack = (to: string) =>
  run(process.execPath, [join(root, "run.js"), join(root, "scripts/package.ts"), "--to", to]);

/** Nothing comes from another registry, from a cache, or from the settings of the user. */
async function npm(cwd: string, ...args: string[]): Promise<void> {
  const env = {
    ...process.env,
    npm_config_registry: `${registry.url}/`,
    npm_config_cache: join(folder, "cache"),
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_audit: "false",
  };
  await run("npm", args, { cwd, env });
}

/** An older Node of the system, which starts the launcher only. */
async function olderNode(): Promise<string | undefined> {
  for (const path of (process.env.PATH ?? "").split(delimiter)) {
    const program = join(path, "node");
    if (!existsSync(program) || path.includes("node_modules")) continue;
    const { stdout } = await run(program, ["--version"]);
    if (/^v(20|22|24)\./.test(stdout)) return realpath(program);
  }
  return undefined;
}

const app = (name = "") => join(folder, "app", name);
const launcher = () => app("node_modules/lakehelm/bin/lakehelm.js");

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function lakehelm(node: string, args: readonly string[], cwd = app()): Promise<Outcome> {
  const env = { PATH: "/usr/bin:/bin", HOME: folder };
  return run(node, [launcher(), ...args], { cwd, env }).then(
    (said) => ({ ...said, code: 0 }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

function start(args: readonly string[], cwd: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  return child;
}

/** What a process prints until it has printed this. Reading goes on afterwards: a closed pipe would end the process. */
function printed(child: ChildProcess, last: RegExp): Promise<string> {
  let said = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (piece) => {
      said += piece;
      if (last.test(said)) resolve(said);
    });
    child.once("exit", (code) => reject(new Error(`It ended with ${code} after: ${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  return code;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lakehelm-installed-"));
  registry = await startRegistry(root);
  await pack(join(folder, "packed"));
  await mkdir(app());
  await npm(app(), "install", join(folder, "packed/lakehelm-0.1.0.tgz"));
});
after(async () => {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
  registry.close();
  await rm(folder, { recursive: true, force: true });
});

suite("the packed server", () => {
  test("is JavaScript without tests, and depends on what the lock file has", async () => {
    const installed = app("node_modules/lakehelm");
    const own = join(installed, "node_modules/@lakehelm");
    const files = await readdir(own, { recursive: true });
    assert.ok(files.includes("server/src/main.js") && files.includes("cli/example/flows/revenue.sql"));
    assert.deepEqual(
      files.filter((name) =>
        /\.tsx?$|\.(test|engine|spark|console|databricks)\.|testing\/|fixtures/.test(name),
      ),
      [],
    );
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    assert.deepEqual(Object.keys(manifest.scripts ?? {}), []);
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
    }))
      if (!name.startsWith("@lakehelm/"))
        assert.equal(version, packages[`node_modules/${name}`]?.version, name);
  });

  test("is the same, byte by byte, when it is packed again", async () => {
    await pack(join(folder, "again"));
    for (const name of ["lakehelm-0.1.0.tgz", "lakehelm-client-0.1.0.tgz"]) {
      const [first, second] = await Promise.all(
        ["packed", "again"].map((one) => readFile(join(folder, one, name))),
      );
      assert.ok(first && second?.equals(first), name);
    }
  });

  test("init makes a project, and shows its rows; an older Node starts the pinned one", async () => {
    const made = await lakehelm((await olderNode()) ?? process.execPath, ["init", "project"]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^2026-03-02 +1 +120\.50$/m);
  });

  test("dev in an empty folder makes a project, serves the console, and shows its rows", async () => {
    const empty = app("empty");
    await mkdir(empty);
    const child = start([launcher(), "dev"], empty);
    const said = await printed(child, /^Nothing to change in local/m);
    assert.match(said, /^2026-03-02 +1 +120\.50$/m);
    const [link = ""] = /http:\S+\/console\/#code=\S+/.exec(said) ?? [];
    const page = await (await fetch(link)).text();
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    const answer = await fetch(new URL(script, link));
    assert.deepEqual(
      [answer.status, answer.headers.get("content-type")],
      [200, "text/javascript; charset=utf-8"],
    );
    assert.equal(await stop(child), 130);
  });

  test("server answers as the checkout does", async () => {
    const [ours, theirs] = [
      await answersOf([join(root, "run.js"), join(root, "packages/server/src/main.ts")]),
      await answersOf([launcher(), "server"]),
    ];
    assert.ok(ours.size > 40, `${ours.size}`);
    assert.deepEqual(Object.fromEntries(theirs), Object.fromEntries(ours));
  });

  test("without its optional packages it says so, on an older Node and on ours", async () => {
    await npm(app(), "install", "--omit=optional", join(folder, "packed/lakehelm-0.1.0.tgz"));
    const older = await olderNode();
    if (older !== undefined) {
      const { code, stderr } = await lakehelm(older, ["dev"]);
      assert.deepEqual([code, stderr.trim().split("\n").length], [1, 1], stderr);
      assert.match(stderr, /^Lakehelm needs Node 26; this is v2\d\..*--include=optional/);
    }
    const { code, stderr } = await lakehelm(process.execPath, ["server", "--port", "0"]);
    assert.equal(code, 1);
    assert.match(stderr, /^Lakehelm did not start\. DuckDB's library .* --include=optional$/m);
  });
});

/** What an empty server in production answers to every GET that needs no argument, without what differs between two starts. */
async function answersOf(args: readonly string[]): Promise<Map<string, unknown>> {
  const home = await mkdtemp(join(folder, "server-"));
  const child = start(args, home, {
    PLATFORM_ENV: "production",
    PLATFORM_SERVICE_AUTH_TOKEN: token,
    PORT: "0",
    APPS_PORT: "0",
  });
  const log = await printed(child, /"msg":"listening".*\n/);
  const { url } = JSON.parse(log.split("\n").find((line) => line.includes('"listening"')) ?? "");
  const answers = new Map<string, unknown>();
  const read = async (path: string) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, accept: "text/html, application/json" },
      redirect: "manual",
    });
    const body = await response.text();
    const type = response.headers.get("content-type");
    answers.set(path, { status: response.status, type, body: settled(body, url, home, path) });
    return body;
  };
  const gets = Object.values<Endpoint>(endpoints).filter(
    ({ method, path, streams }) => method === "GET" && !path.includes("{") && streams !== "text/event-stream",
  );
  for (const { path } of gets) await read(path);
  for (const path of ["/", "/openapi.json", "/docs", "/redoc", "/console/"]) {
    const page = await read(path);
    if (path !== "/openapi.json")
      for (const [, file = ""] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) await read(file);
  }
  assert.equal(await stop(child), 0);
  return answers;
}

function settled(body: string, url: string, home: string, path: string): string {
  const text = body
    .replaceAll(url, "URL")
    .replaceAll(home, "HOME")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "ID")
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|\+00:00)/g, "TIME")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/(?<="free_bytes":)\d+/g, "N");
  return path.endsWith("/metrics") ? text.replaceAll(/(?<= )[\d.e+-]+$/gm, "N") : text;
}
